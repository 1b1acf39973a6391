import { Badge, Button, Group } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { McpServer, McpTool } from '../../api/platform-records.js';
import type { List } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import type { EmptyStateProps } from '../../ui/empty-state.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Pager } from '../../ui/pager.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { TryTool } from './try-tool.js';

/** What is on offer. The tool that is tried is in the address. */
export function Tools({ path, server }: { path: string; server: McpServer }) {
  const { values, page, set } = useUrlState(['search', 'tool']);
  const tools = useQuery({
    ...areaResource<List<McpTool>>('platform', `${path}/tools`, { search: values.search, page, per_page: 25 }),
    placeholderData: keepPreviousData,
  });
  const tried = tools.data?.items.find(({ name }) => name === values.tool);
  const properties = ({ input_schema }: McpTool) =>
    Object.keys((input_schema['properties'] as object | undefined) ?? {});
  return (
    <>
      <Section
        title="Tools on offer"
        text="As they were approved."
        flush
        actions={
          <SearchField
            label="Search tools"
            value={values.search}
            onSearch={(search) => set({ search }, { isTyping: true })}
          />
        }
      >
        <DataTable
          label="Tools"
          columns={[
            {
              title: 'Tool',
              render: ({ name, description }: McpTool) => <NamedCell name={name} text={description} />,
            },
            {
              title: 'Takes',
              render: (tool: McpTool) => (
                <Group gap={4}>
                  {properties(tool).length === 0
                    ? 'nothing'
                    : properties(tool).map((name) => (
                        <Badge key={name} color="gray">
                          {name}
                        </Badge>
                      ))}
                </Group>
              ),
            },
            {
              title: 'Actions',
              isActions: true,
              render: (tool: McpTool) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconPlayerPlay size={13} />}
                  onClick={() => set({ tool: tool.name, page })}
                  aria-label={`Try ${tool.name}`}
                >
                  Try
                </Button>
              ),
            },
          ]}
          query={tools}
          rowKey={({ name }) => name}
          empty={
            values.search !== ''
              ? { title: 'No tool fits', text: 'Try another word.' }
              : { title: 'No tool is on offer', ...noTools(server) }
          }
        />
        <Pager list={tools.data} onPage={(next) => set({ page: next })} />
      </Section>
      <TryTool key={values.tool} server={server} tool={tried} close={() => set({ tool: null, page })} />
    </>
  );
}

/** What to do where none is on offer. */
function noTools({ auth, last_seen_at }: McpServer): Pick<EmptyStateProps, 'text' | 'action'> {
  if (last_seen_at !== null) return { text: 'The server has none, or all of them are quarantined.' };
  if (auth.type !== 'user') {
    return { text: 'The server has not been reached yet. Check its address and headers, then read its tools.' };
  }
  return {
    text: 'The server works with each user’s own account. They are read once whoever registered it has connected theirs.',
    action: (
      <Button component={Link} to="/profile" variant="default">
        Connect in your profile
      </Button>
    ),
  };
}
