import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Dashboard } from '../../api/admin-records.js';
import type { McpServer } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { BUILT_IN_SERVER, ConnectClients } from '../connect/connect-clients.js';
import { ServerStatus } from './server-details.js';

const NAMED: Column<McpServer> = {
  title: 'Server',
  sort: 'name',
  render: ({ name, url }) => <NamedCell name={name} text={url} />,
};
const STATUS: Column<McpServer> = { title: 'Status', render: (server) => <ServerStatus server={server} /> };
const REACHED: Column<McpServer> = {
  title: 'Last reached',
  render: ({ last_seen_at }) => <Time at={last_seen_at} none="Never" />,
};

const add = (
  <Button component={Link} to="/build/mcp/new" leftSection={<IconPlus size={16} />}>
    Add server
  </Button>
);

function McpServersPage() {
  // The number of tools to review is read from the dashboard, because the list of servers does not contain this number.
  const dashboard = useQuery(resource<Dashboard>('/dashboard'));
  const toReview = new Map(dashboard.data?.quarantined.map(({ server_id, tools }) => [server_id, tools]));
  const tools: Column<McpServer> = {
    title: 'Tools',
    render: ({ id, tools_count }) => (
      <>
        {tools_count}
        {toReview.has(id) && (
          <Badge color="orange" ml={8}>
            {toReview.get(id)} to review
          </Badge>
        )}
      </>
    ),
  };
  return (
    <RecordList
      title="MCP servers"
      text="Connect MCP servers to give agents tools. Tools become available once approved."
      noun="MCP server"
      path="/api/v1/mcp/servers"
      statuses={{ active: 'Active', inactive: 'Inactive', unreachable: 'Unreachable' }}
      columns={[NAMED, STATUS, tools, REACHED]}
      to="/build/mcp"
      actions={add}
      bulk={{
        refresh: QUERY_KEYS.mcpServers,
        nameOf: ({ name }) => name,
        consequence: 'Agents lose access to their tools, and all approvals are deleted.',
      }}
      empty={{
        title: 'No MCP servers yet',
        text: 'Add a server by its URL. Tools found then are approved. New or changed tools need review.',
        action: add,
      }}
      banner={<BuiltInServer />}
    />
  );
}

/** The built-in server, which every installation has. */
function BuiltInServer() {
  return (
    <Section
      title="Built-in server"
      text="Gives Claude, Cursor and other MCP clients your agents, skills, prompts and content as tools. Nothing to register."
      actions={<ConnectClients slug={BUILT_IN_SERVER} name="this installation" />}
      flush
    />
  );
}

export { McpServersPage as Component };
