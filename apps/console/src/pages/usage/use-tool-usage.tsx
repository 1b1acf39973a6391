import { SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import { useProjectName } from '../../api/projects.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Stat } from '../../ui/stat.js';
import { callRows, CALLS, dayLabel, ownerName, toolName, type ToolUsage, type ToolUsageRow } from './usage-data.js';
import type { UsageView, UsageViewOptions } from './usage-view.js';

/** The page of a tool's server, plugin or agent, by the prefix of its id. */
const PAGES: Readonly<Record<string, string>> = { ms: '/build/mcp', pl: '/build/plugins', ag: '/build/agents' };

const count = (value: number) => value.toLocaleString('en');

const COLUMNS: Column<ToolUsageRow>[] = [
  { title: 'Tool', render: ({ tool }) => <bdi>{tool}</bdi> },
  { title: 'Server', render: ({ server }) => <Owner server={server} /> },
  { title: 'Calls', align: 'right', render: ({ calls }) => count(calls) },
  { title: 'Failed', align: 'right', render: ({ failed }) => count(failed) },
  { title: 'Share failed', align: 'right', render: ({ calls, failed }) => `${Math.round((failed / calls) * 100)}%` },
  {
    title: 'Runs',
    isActions: true,
    render: ({ tool }) => <Link to={`/runs?${new URLSearchParams({ tool })}`}>Runs</Link>,
  },
];

function Owner({ server }: Pick<ToolUsageRow, 'server'>) {
  const page = PAGES[server.id.split('_')[0] ?? ''];
  if (page === undefined || server.name === null) return <bdi>{ownerName(server)}</bdi>;
  return (
    <Link to={`${page}/${server.id}`}>
      <bdi>{server.name}</bdi>
    </Link>
  );
}

/** Loads the tool calls of runs, summed by day and tool. */
export function useToolUsage({ filter, measure: wanted, enabled }: UsageViewOptions): UsageView {
  const usage = useQuery({
    ...resource<ToolUsage>('/usage/tools', { ...filter }),
    placeholderData: keepPreviousData,
    enabled,
  });
  const measure = wanted === 'failed' ? 'failed' : 'calls';
  const projectName = useProjectName();
  const { data } = usage;
  return {
    text: `Calls of tools by runs${data?.project ? ` in ${projectName(data.project)}` : ''}, by day in UTC.`,
    hasFailed: usage.error !== null && !data,
    totals: (
      <SimpleGrid cols={2} spacing="md" mb="lg">
        <Stat label="Tool calls" value={data?.totals.calls} />
        <Stat label="Failed calls" value={data?.totals.failed} />
      </SimpleGrid>
    ),
    measures: CALLS,
    measure,
    none: data?.totals.calls === 0 ? 'No tool was called in this period.' : undefined,
    chart: data && {
      rows: callRows(data, measure),
      series: data.series.map((one, index) => ({ name: `s${index}`, label: toolName(data, one) })),
      dayText: dayLabel,
      valueText: (value) => value.toLocaleString('en', { notation: 'compact' }),
    },
    noun: 'tool',
    table: (
      <DataTable
        label="Usage by tool"
        columns={COLUMNS}
        query={{ ...usage, data: data && { items: data.rows } }}
        rowKey={({ server, tool }) => `${server.id} ${tool}`}
        empty={{ title: 'No call of a tool in this period' }}
      />
    ),
  };
}
