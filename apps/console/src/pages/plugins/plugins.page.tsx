import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Plugin } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { Reachable, TYPES } from './plugin-labels.js';

const COLUMNS: Column<Plugin>[] = [
  { title: 'Plugin', sort: 'name', render: ({ name, description }) => <NamedCell name={name} text={description} /> },
  { title: 'Type', render: ({ type }) => <Badge color="gray">{TYPES[type].label}</Badge> },
  { title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Health', render: (plugin) => <Reachable plugin={plugin} /> },
  { title: 'Updated', sort: 'updated_at', render: ({ updated_at }) => <Time at={updated_at} /> },
];

const install = (
  <Button component={Link} to="/build/plugins/new" leftSection={<IconPlus size={16} />}>
    Install plugin
  </Button>
);

function PluginsPage() {
  return (
    <RecordList
      title="Plugins"
      text="HTTPS endpoints, documents and MCP servers that agents use as tools and knowledge."
      noun="plugin"
      path="/api/v1/plugins"
      columns={COLUMNS}
      to="/build/plugins"
      actions={install}
      bulk={{
        refresh: QUERY_KEYS.plugins,
        nameOf: ({ name }) => name,
        consequence: 'Agents lose them.',
      }}
      empty={{
        title: 'No plugins yet',
        text: 'Install an HTTPS endpoint that agents call, a document they read, or an MCP server.',
        action: install,
      }}
    />
  );
}

export { PluginsPage as Component };
