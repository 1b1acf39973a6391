import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { McpServer, McpTool } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import type { EmptyStateProps } from '../../ui/empty-state.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Pager } from '../../ui/pager.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { ConnectAccount } from './connect-account.js';
import { ParameterList } from './parameter-list.js';
import { ServerDetails } from './server-details.js';
import { TryTool } from './try-tool.js';

/** The server's available tools. The address contains the name of the tool that the user tries. */
export function Tools({ path, server }: { path: string; server: McpServer }) {
  const { values, page, set } = useUrlState(['search', 'tool']);
  const tools = useQuery({
    ...areaResource<List<McpTool>>('platform', `${path}/tools`, { search: values.search, page, per_page: 25 }),
    placeholderData: keepPreviousData,
  });
  const tried = tools.data?.items.find(({ name }) => name === values.tool);
  const tryAction: Column<McpTool> = {
    title: 'Actions',
    isActions: true,
    render: ({ name }) => (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlayerPlay size={13} />}
        onClick={() => set({ tool: name, page })}
        aria-label={`Try ${name}`}
      >
        Try
      </Button>
    ),
  };
  const columns: Column<McpTool>[] = [
    { title: 'Tool', render: ({ name, description }) => <NamedCell name={name} text={description} /> },
    { title: 'Parameters', render: (tool) => <ParameterList tool={tool} isShort /> },
    ...(server.transport === 'a2a' ? [] : [tryAction]),
  ];
  const isSearched = values.search !== '';
  return (
    <>
      <Section
        title="Available tools"
        text="Approved tools that agents can call."
        flush
        actions={
          (isSearched || server.tools_count > 0) && (
            <SearchField
              label="Search tools"
              value={values.search}
              onSearch={(search) => set({ search }, { isTyping: true })}
            />
          )
        }
      >
        <DataTable
          label="Tools"
          columns={columns}
          query={tools}
          rowKey={({ name }) => name}
          empty={
            isSearched
              ? { title: 'No results', text: 'Try another word.' }
              : { title: 'No tools available', ...noTools(server) }
          }
        />
        <Pager list={tools.data} onPage={(next) => set({ page: next })} />
      </Section>
      <ServerDetails server={server} />
      <TryTool key={values.tool} server={server} tool={tried} close={() => set({ tool: null, page })} />
    </>
  );
}

/** Texts for a server without tools: the reason, and the next step. */
function noTools({ id, auth, last_seen_at }: McpServer): Pick<EmptyStateProps, 'text' | 'action'> {
  if (last_seen_at !== null) return { text: 'The server has no tools, or all of them wait for approval.' };
  if (auth.type !== 'user') {
    return { text: 'The server has not been reached yet. Check its URL and headers, then refresh its tools.' };
  }
  return {
    text: 'This server uses each person’s own account. Connect yours to load its tools.',
    action: <ConnectAccount serverId={id} />,
  };
}
