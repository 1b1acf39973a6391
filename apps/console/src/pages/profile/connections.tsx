import { Badge, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { askArea } from '../../api/areas.js';
import { useProject } from '../../api/project.js';
import { useProjectName } from '../../api/projects.js';
import type { Me } from '../../api/admin-records.js';
import type { RuntimeAnswers } from '../../api/answers/runtime.js';
import type { McpConnection } from '../../api/runtime-records.js';
import { ListSection } from '../../ui/list-section.js';
import { confirm } from '../../ui/confirm.js';
import { CurlButton } from '../../ui/curl.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { ScopeList } from '../settings/key-columns.js';

const PATH = '/api/v1/mcp/connections';
const KEY = ['runtime', 'api', 'v1', 'mcp', 'connections'];

/** The user's own accounts at the MCP servers that require an account. */
export function Connections({ me }: { me: Me }) {
  const chosen = useProject();
  const project = me.is_admin ? chosen : me.project;
  const nameOf = useProjectName();
  // A user who is not an admin has exactly one project, so the project stored in this browser is ignored.
  const headers = { 'x-millwright-project': project };
  const connections = useQuery({
    queryKey: [...KEY, project],
    queryFn: async ({ signal }) => {
      const answer = await askArea<RuntimeAnswers['listMcpConnections']>('runtime', 'GET', PATH, undefined, {
        headers,
        signal,
      });
      return { items: answer.connections };
    },
  });
  const disconnect = useAction((id: string) => askArea('runtime', 'DELETE', `${PATH}/${id}`, undefined, { headers }), {
    refresh: [KEY],
    done: 'Your account is disconnected.',
  });
  const askToDisconnect = ({ server_id, name }: McpConnection) =>
    confirm({
      title: 'Disconnect your account?',
      text: (
        <>
          Agents and programs acting for you can no longer use your account at <bdi>{name}</bdi>. Its tokens are deleted
          here and revoked there. You can connect again.
        </>
      ),
      action: 'Disconnect',
      work: () => disconnect.mutateAsync(server_id),
    });
  const columns: Column<McpConnection>[] = [
    { title: 'Server', render: ({ name, slug }) => <NamedCell name={name} text={slug} /> },
    {
      title: 'State',
      render: ({ connected }) => (connected ? <Badge>Connected</Badge> : <Badge color="gray">Not connected</Badge>),
    },
    { title: 'Permissions', render: ({ scope }) => <Scopes text={scope} /> },
    { title: 'Connected', render: ({ connected_at }) => <Time at={connected_at} none="—" /> },
    {
      title: 'Actions',
      isActions: true,
      render: (connection) =>
        connection.connected ? (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => askToDisconnect(connection)}
            aria-label={`Disconnect from ${connection.name}`}
          >
            Disconnect
          </Button>
        ) : (
          <Button
            component="a"
            href={connection.connect_url}
            target="_blank"
            rel="noopener noreferrer"
            size="compact-sm"
            variant="default"
            rightSection={<IconExternalLink size={13} />}
            aria-label={`Connect to ${connection.name} in a new tab`}
          >
            Connect
          </Button>
        ),
    },
  ];
  return (
    <ListSection
      title="MCP accounts"
      text="Some MCP servers use your own account. Agents use it only when acting for you."
      actions={
        <CurlButton
          area="runtime"
          size="xs"
          calls={[
            { title: 'List the servers that use your own account', path: PATH },
            { title: 'Disconnect from one', method: 'DELETE', path: `${PATH}/ms_…` },
          ]}
        />
      }
      columns={columns}
      query={connections}
      rowKey={({ server_id }) => server_id}
      empty={{ title: `No MCP servers in ${nameOf(project)} need your account` }}
    />
  );
}

function Scopes({ text }: { text: string | null }) {
  const scopes = (text ?? '').split(' ').filter((scope) => scope !== '');
  return scopes.length === 0 ? '—' : <ScopeList scopes={scopes} />;
}
