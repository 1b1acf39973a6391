import { SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import { useProjectName } from '../../api/projects.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import { Stat } from '../../ui/stat.js';
import {
  chartRows,
  dayLabel,
  measureOf,
  MEASURES,
  nameOf,
  type DailyUsage,
  type Measure,
  type UsageRow,
} from './usage-data.js';
import type { UsageView, UsageViewOptions } from './usage-view.js';

export const GROUPINGS = {
  model: 'Model',
  agent: 'Agent',
  prompt: 'Prompt',
  user: 'User',
  key: 'API key',
  project: 'Project',
} as const;
export type Grouping = keyof typeof GROUPINGS;

/** Path of the pages of the records in the table, by grouping. */
const PAGES: Readonly<Partial<Record<Grouping, string>>> = {
  agent: '/build/agents',
  prompt: '/prompts',
  user: '/access/users',
};

/** Usage of model calls by day, and by model, agent, prompt, user, key or project. */
export function useModelUsage({
  by,
  filter,
  measure: wanted,
  enabled,
}: UsageViewOptions & { by: Grouping }): UsageView {
  const usage = useQuery({
    ...resource<DailyUsage>('/usage', { by, ...filter }),
    placeholderData: keepPreviousData,
    enabled,
  });
  const projectName = useProjectName();
  const { data } = usage;
  const totals = data?.totals;
  // If the user chose no measure and no model has a price, the chart shows tokens, because a chart of costs would be empty.
  const measure = wanted === '' && totals?.cost_usd === null ? 'tokens' : measureOf(wanted);
  const started = by === 'key' ? ' in runs that API keys started' : '';
  return {
    text: `What models used${data?.project ? ` in ${projectName(data.project)}` : ''}${started}, by day in UTC.`,
    hasFailed: usage.error !== null && !data,
    totals: (
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
        <Stat label="Model calls" value={totals?.requests} />
        <Stat label="Input tokens" value={totals?.tokens_in} />
        <Stat label="Output tokens" value={totals?.tokens_out} />
        <Stat
          label="Cost"
          value={totals && costText(totals.cost_usd, totals.tokens_in + totals.tokens_out)}
          {...(totals &&
            !totals.is_cost_complete && { note: 'Some models have no price: set prices', to: '/budgets/prices' })}
        />
      </SimpleGrid>
    ),
    measures: MEASURES,
    measure,
    none: totals?.requests === 0 ? 'No model was called in this period.' : undefined,
    chart: data && {
      rows: chartRows(data, measure),
      series: data.series.map(({ id }, index) => ({ name: `s${index}`, label: nameOf(data, id) })),
      dayText: dayLabel,
      valueText: valueText(measure),
    },
    noun: nounOf(by),
    table: (
      <DataTable
        label={`Usage by ${nounOf(by)}`}
        columns={columnsOf(by, data)}
        query={{ ...usage, data: data && { items: data.rows } }}
        rowKey={({ id }) => id}
        empty={{ title: 'No usage in this period' }}
      />
    ),
  };
}

const nounOf = (by: Grouping) => (by === 'key' ? GROUPINGS.key : GROUPINGS[by].toLowerCase());

const valueText = (measure: Measure) => (value: number) =>
  measure === 'cost' ? costText(value, 0) : value.toLocaleString('en', { notation: 'compact' });

function columnsOf(by: Grouping, usage: DailyUsage | undefined): Column<UsageRow>[] {
  const count = (value: number) => value.toLocaleString('en');
  const all = usage?.totals.cost_usd ?? 0;
  const runs = by === 'agent' || by === 'prompt' || by === 'model' ? by : undefined;
  return [
    {
      title: GROUPINGS[by],
      render: (row) => <Name by={by} row={row} label={usage ? nameOf(usage, row.id) : row.id} />,
    },
    { title: 'Calls', align: 'right', render: ({ requests }) => count(requests) },
    { title: 'Input tokens', align: 'right', render: ({ tokens_in }) => count(tokens_in) },
    { title: 'Output tokens', align: 'right', render: ({ tokens_out }) => count(tokens_out) },
    {
      title: 'Cost',
      align: 'right',
      render: ({ cost_usd, is_cost_complete, tokens_in, tokens_out }) => (
        <>
          {costText(cost_usd, tokens_in + tokens_out)}
          {!is_cost_complete && cost_usd !== null && ' +'}
        </>
      ),
    },
    {
      title: 'Share of cost',
      align: 'right',
      render: ({ cost_usd }) => (cost_usd === null || all === 0 ? '—' : `${Math.round((cost_usd / all) * 100)}%`),
    },
    ...(runs === undefined
      ? []
      : [
          {
            title: 'Runs',
            isActions: true,
            render: ({ id }: UsageRow) => <Link to={`/runs?${new URLSearchParams({ [runs]: id })}`}>Runs</Link>,
          },
        ]),
  ];
}

function Name({ by, row, label }: { by: Grouping; row: UsageRow; label: string }) {
  const page = PAGES[by];
  if (page === undefined || row.name === null || row.id === 'concierge') return <bdi>{label}</bdi>;
  return (
    <Link to={`${page}/${row.id}`}>
      <bdi>{label}</bdi>
    </Link>
  );
}
