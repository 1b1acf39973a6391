import { Button, Group, NativeSelect, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Me } from '../../api/admin-records.js';
import { PROJECTS } from '../../api/project.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { costText } from '../../ui/figures.js';
import { FilterSelect } from '../../ui/filters.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { ChartShape, DailyChart } from './chart.js';
import type { ShownUsage } from './shown-usage.js';
import { ToolCalls } from './tool-calls.js';
import {
  chartRows,
  dayLabel,
  daysOf,
  measureOf,
  MEASURES,
  nameOf,
  PERIOD_DAYS,
  type DailyUsage,
  type Measure,
  type UsageRow,
} from './usage-data.js';

const GROUPINGS = {
  model: 'Model',
  agent: 'Agent',
  prompt: 'Prompt',
  user: 'User',
  key: 'API key',
  project: 'Project',
} as const;
type Grouping = keyof typeof GROUPINGS;

const PERIODS = { '7d': '7 days', '30d': '30 days', '90d': '90 days' };
const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const projects = Object.fromEntries(PROJECTS.map((name) => [name, name]));

/** The page of a row's record. */
const PAGES: Readonly<Partial<Record<Grouping, string>>> = {
  agent: '/build/agents',
  prompt: '/prompts',
  user: '/access/users',
};

function UsagePage() {
  const { values, set } = useUrlState(['by', 'measure', 'period', 'project']);
  const me = useQuery(resource<Me>('/me'));
  const isPlatformAdmin = me.data?.roles.includes('platform_admin') ?? false;
  const by = Object.hasOwn(GROUPINGS, values.by) ? (values.by as Grouping) : 'model';
  const period = Object.hasOwn(PERIOD_DAYS, values.period) ? (values.period as keyof typeof PERIOD_DAYS) : '30d';
  const project = isPlatformAdmin && Object.hasOwn(projects, values.project) ? values.project : undefined;
  const shown: ShownUsage = {
    filter: { project, ...daysOf(period, new Date()) },
    measure: values.measure,
    onMeasure: (next) => set({ measure: next }),
    actions: (
      <Group gap="xs">
        {isPlatformAdmin && (
          <FilterSelect
            label="Project"
            all="All projects"
            value={project ?? ''}
            options={projects}
            onChange={(next) => set({ project: next })}
          />
        )}
        <SegmentedControl
          aria-label="Period"
          data={choicesOf(PERIODS)}
          value={period}
          onChange={(next) => set({ period: next === '30d' ? null : next })}
        />
        {isPlatformAdmin && (
          <Button component={Link} to="/reports/internal" variant="default">
            Monthly report
          </Button>
        )}
      </Group>
    ),
    grouping: (
      <NativeSelect
        aria-label="Group by"
        size="xs"
        data={choicesOf({ ...GROUPINGS, tool: 'Tool' })}
        value={values.by === 'tool' ? 'tool' : by}
        onChange={({ currentTarget: { value } }) => set({ by: value === 'model' ? null : value, measure: null })}
      />
    ),
  };
  return values.by === 'tool' ? <ToolCalls {...shown} /> : <ModelUsage by={by} {...shown} />;
}

function ModelUsage({ by, filter, measure: wanted, onMeasure, actions, grouping }: ShownUsage & { by: Grouping }) {
  const usage = useQuery({
    ...resource<DailyUsage>('/usage', { by, ...filter }),
    placeholderData: keepPreviousData,
  });
  const totals = usage.data?.totals;
  // Without any price, the chart of costs would be empty.
  const measure = wanted === '' && totals?.cost_usd === null ? 'tokens' : measureOf(wanted);
  const isEmpty = totals?.requests === 0;
  const started = by === 'key' ? ' in runs that API keys started' : '';
  return (
    <>
      <PageHeader
        title="Usage"
        text={`What models used${usage.data?.project ? ` in ${usage.data.project}` : ''}${started}, by day in UTC.`}
        actions={actions}
      />
      {usage.error && !usage.data && <Failure error={usage.error} retry={() => void usage.refetch()} />}
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
      <Section
        title={`${MEASURES[measure]} by day`}
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Measure"
            data={choicesOf(MEASURES)}
            value={measure}
            onChange={onMeasure}
          />
        }
      >
        {!usage.data && !usage.error && <ChartShape />}
        {isEmpty && <Text size="sm">No model was called in this period.</Text>}
        {usage.data && !isEmpty && (
          <Suspense fallback={<ChartShape />}>
            <DailyChart
              rows={chartRows(usage.data, measure)}
              series={seriesOf(usage.data)}
              dayText={dayLabel}
              valueText={valueText(measure)}
            />
          </Suspense>
        )}
      </Section>
      <Section title={`By ${nounOf(by)}`} actions={grouping} flush>
        <DataTable
          label={`Usage by ${nounOf(by)}`}
          columns={columnsOf(by, usage.data)}
          query={{ ...usage, data: usage.data && { items: usage.data.rows } }}
          rowKey={({ id }) => id}
          empty={{ title: 'No usage in this period' }}
        />
      </Section>
    </>
  );
}

const nounOf = (by: Grouping) => (by === 'key' ? GROUPINGS.key : GROUPINGS[by].toLowerCase());

const seriesOf = (usage: DailyUsage) =>
  usage.series.map(({ id }, index) => ({ name: `s${index}`, label: nameOf(usage, id) }));

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

export { UsagePage as Component };
