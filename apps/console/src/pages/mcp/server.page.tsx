import { Alert, Button, Tabs } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { areaRecord, areaResource, askArea, matching, type Versioned } from '../../api/areas.js';
import type { McpServer, QuarantinedTool } from '../../api/platform-records.js';
import { invalidate } from '../../api/invalidate.js';
import type { List } from '../../api/admin-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { countText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { useAction } from '../../ui/use-action.js';
import { useSave } from '../../ui/use-save.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { CopyValue, Details } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { ConnectClients } from '../connect/connect-clients.js';
import { Quarantine } from './quarantine.js';
import { ServerForm, type ServerFields } from './server-form.js';
import { ServerStatus } from './server-details.js';
import { ToolRules } from './tool-rules.js';
import { Tools } from './tools.js';

function McpServerPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/mcp/servers/${encodeURIComponent(id)}`;
  const server = useQuery({
    ...areaRecord<McpServer>('platform', path),
    // Reads the server again while its tools are being loaded: every second after registration, and when the user returns from another tab, in
    // which the user may have connected an account.
    refetchInterval: ({ state }) => (isBeingRead(state.data?.record) ? 1_000 : false),
    refetchOnWindowFocus: ({ state }) => isWaiting(state.data?.record),
  });
  return (
    <RecordPage back={{ to: '/build/mcp', label: 'MCP servers' }} title="MCP server" query={server}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

const JUST_NOW_MS = 30_000;

const isWaiting = (server: McpServer | undefined): server is McpServer =>
  server?.status === 'active' && server.last_seen_at === null;

const isBeingRead = (server: McpServer | undefined): boolean =>
  isWaiting(server) && Date.now() - new Date(server.created_at).getTime() < JUST_NOW_MS;

function Detail({ path, found: { record: server, etag } }: { path: string; found: Versioned<McpServer> }) {
  const { values, set } = useUrlState(['tab']);
  const queries = useQueryClient();
  const { last_seen_at: seenAt } = server;
  // Fetches the tools again when the server was reached, because the tools may have changed then.
  useEffect(() => {
    if (seenAt !== null)
      void invalidate(queries, { queryKey: [...QUERY_KEYS.mcpServers[0], 'servers', server.id, 'tools'] });
  }, [queries, server.id, seenAt]);
  const quarantined = useQuery(
    areaResource<List<QuarantinedTool>>('platform', `${path}/tools/quarantined`, { per_page: 100 }),
  );
  const save = useSave(
    ({ status, ...changes }: ServerFields, readEtag) =>
      askArea<McpServer>(
        'platform',
        'PATCH',
        path,
        { ...changes, ...(status !== server.status && { status }) },
        matching(readEtag),
      ),
    { refresh: QUERY_KEYS.mcpServers, done: 'Saved.' },
  );
  const refresh = useAction(() => askArea<McpServer>('platform', 'POST', `${path}/refresh`), {
    refresh: QUERY_KEYS.mcpServers,
    done: ({ status, last_error, tools_count }) =>
      status === 'unreachable'
        ? (last_error ?? 'The server could not be reached.')
        : `Tools refreshed: ${tools_count} available.`,
  });
  const waiting = quarantined.data?.total ?? 0;
  const { name, url, description, headers, auth, pin_tools, status, transport, agent_card, last_error } = server;
  // An outside agent has no relay endpoint.
  const isAgent = transport === 'a2a';
  return (
    <>
      <PageHeader
        title={name}
        text={description || url}
        badges={<ServerStatus server={server} />}
        actions={
          <>
            {!isAgent && (
              <CurlButton
                area="runtime"
                calls={[
                  {
                    title: 'List the tools through the relay',
                    method: 'POST',
                    path: `/api/v1/mcp/${server.slug}/mcp`,
                    options: "-H 'Accept: application/json, text/event-stream'",
                    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
                  },
                ]}
              />
            )}
            {!isAgent && <ConnectClients slug={server.slug} name={name} />}
            <AuditLogLink filters={{ resource: server.id }} />
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} stroke={1.7} />}
              onClick={() => refresh.mutate()}
              loading={refresh.isPending}
            >
              Refresh tools
            </Button>
          </>
        }
      />
      {last_error !== null && (
        <Alert color="red" py="xs" mb="lg" title="Unreachable">
          {last_error}
        </Alert>
      )}
      <Tabs
        value={values.tab || 'tools'}
        onChange={(tab) => set({ tab: tab === 'tools' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="tools">Tools</Tabs.Tab>
          <Tabs.Tab value="quarantined">Quarantined{waiting > 0 && ` (${waiting})`}</Tabs.Tab>
          <Tabs.Tab value="rules">Rules</Tabs.Tab>
          <Tabs.Tab value="edit">Settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tools">
          {waiting > 0 && (
            <Alert color="orange" py="xs" mb="lg">
              {countText(waiting, 'tool')} to review. <Link to="?tab=quarantined">Open the list</Link>
            </Alert>
          )}
          <Tools path={path} server={server} />
        </Tabs.Panel>
        <Tabs.Panel value="quarantined">
          <Quarantine path={path} query={quarantined} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <ToolRules path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="edit" keepMounted>
          <RecordColumns
            aside={
              <Details record={server} facts={[['Slug', <CopyValue key="slug" value={server.slug} label="slug" />]]} />
            }
          >
            <ServerForm
              key={JSON.stringify([name, url, description, pin_tools, status, Object.keys(headers), auth, agent_card])}
              server={{ name, url, description, headers, auth, pin_tools, status, transport, agent_card }}
              isSaving={save.isPending}
              onSave={(changes, { onFaults }) => save.mutate({ values: changes, etag, onFaults })}
            />
            <DeleteSection
              noun="MCP server"
              name={name}
              consequence="Agents lose access to this server's tools, and all approvals are deleted."
              work={() => askArea('platform', 'DELETE', path)}
              refresh={[...QUERY_KEYS.mcpServers, ['platform', 'api', 'v1', 'agents']]}
              to="/build/mcp"
            />
          </RecordColumns>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export { McpServerPage as Component };
