import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { McpServer } from '../../api/platform-records.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';

const COLUMNS: Column<McpServer>[] = [
  { title: 'Server', render: ({ name, url }) => <NamedCell name={name} text={url} /> },
  { title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Tools', align: 'right', render: ({ tools_count }) => tools_count },
  { title: 'Last seen', render: ({ last_seen_at }) => <Time at={last_seen_at} /> },
];

const register = (
  <Button component={Link} to="/build/mcp/new" leftSection={<IconPlus size={16} />}>
    Register server
  </Button>
);

function McpServersPage() {
  return (
    <RecordList
      title="MCP servers"
      text="Where agents and MCP clients find tools. A tool is on offer once it is approved."
      noun="MCP server"
      path="/api/v1/mcp/servers"
      statuses={{ active: 'Active', inactive: 'Inactive', unreachable: 'Unreachable' }}
      columns={COLUMNS}
      to="/build/mcp"
      actions={register}
      empty={{
        title: 'No MCP server yet',
        text: 'Register one by its address: its tools are read, and approved in your name.',
        action: register,
      }}
    />
  );
}

export { McpServersPage as Component };
