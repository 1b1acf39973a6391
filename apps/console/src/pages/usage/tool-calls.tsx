import { SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { ChartShape, DailyChart } from './chart.js';
import type { ShownUsage } from './shown-usage.js';
import { callRows, CALLS, dayLabel, ownerName, toolName, type ToolUsage, type ToolUsageRow } from './usage-data.js';

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

/** Chart and table of the tool calls of runs, by day and tool. */
export function ToolCalls({ filter, measure: wanted, onMeasure, actions, grouping }: ShownUsage) {
  const usage = useQuery({ ...resource<ToolUsage>('/usage/tools', filter), placeholderData: keepPreviousData });
  const measure = wanted === 'failed' ? 'failed' : 'calls';
  const totals = usage.data?.totals;
  const isEmpty = totals?.calls === 0;
  return (
    <>
      <PageHeader
        title="Usage"
        text={`Calls of tools by runs${usage.data?.project ? ` in ${usage.data.project}` : ''}, by day in UTC.`}
        actions={actions}
      />
      {usage.error && !usage.data && <Failure error={usage.error} retry={() => void usage.refetch()} />}
      <SimpleGrid cols={2} spacing="md" mb="lg">
        <Stat label="Tool calls" value={totals?.calls} />
        <Stat label="Failed calls" value={totals?.failed} />
      </SimpleGrid>
      <Section
        title={`${CALLS[measure]} by day`}
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Measure"
            data={Object.entries(CALLS).map(([value, label]) => ({ value, label }))}
            value={measure}
            onChange={onMeasure}
          />
        }
      >
        {!usage.data && !usage.error && <ChartShape />}
        {isEmpty && <Text size="sm">No tool was called in this period.</Text>}
        {usage.data && !isEmpty && (
          <Suspense fallback={<ChartShape />}>
            <DailyChart
              rows={callRows(usage.data, measure)}
              series={usage.data.series.map((one, index) => ({
                name: `s${index}`,
                label: toolName(usage.data, one),
              }))}
              dayText={dayLabel}
              valueText={(value) => value.toLocaleString('en', { notation: 'compact' })}
            />
          </Suspense>
        )}
      </Section>
      <Section title="By tool" actions={grouping} flush>
        <DataTable
          label="Usage by tool"
          columns={COLUMNS}
          query={{ ...usage, data: usage.data && { items: usage.data.rows } }}
          rowKey={({ server, tool }) => `${server.id} ${tool}`}
          empty={{ title: 'No call of a tool in this period' }}
        />
      </Section>
    </>
  );
}
