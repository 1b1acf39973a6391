import { Anchor, Button, NativeSelect, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { resource, withQuery } from '../../api/api.js';
import type { Report, ReportRow } from '../../api/admin-records.js';
import { useProjectName } from '../../api/projects.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { ProjectName } from '../../ui/project-name.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { ChartShape } from '../../ui/loading.js';
import { lastMonths, monthText } from './months.js';

/** Loaded lazily, because the chart library is larger than the rest of the page. */
const UsageChart = lazy(() => import('./usage-chart.js'));

const COLUMNS: Column<ReportRow>[] = [
  { title: 'Project', render: ({ project }) => <ProjectName id={project} /> },
  {
    title: 'User',
    render: ({ user }) => (
      <div>
        <Text size="sm" fw={550}>
          <bdi>{user.name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {user.email}
        </Text>
      </div>
    ),
  },
  { title: 'Model', render: ({ model }) => model },
  { title: 'Requests', align: 'right', render: ({ requests }) => requests.toLocaleString('en') },
  { title: 'Input tokens', align: 'right', render: ({ tokens_in }) => tokens_in.toLocaleString('en') },
  { title: 'Output tokens', align: 'right', render: ({ tokens_out }) => tokens_out.toLocaleString('en') },
  {
    title: 'Cost',
    align: 'right',
    render: ({ cost_usd, tokens_in, tokens_out }) => costText(cost_usd, tokens_in + tokens_out),
  },
];

function ReportPage() {
  const { values, set } = useUrlState(['month', 'by']);
  const months = lastMonths(new Date(), 24);
  const month = values.month || (months[0] ?? '');
  const by = values.by === 'user' || values.by === 'project' ? values.by : 'model';
  const report = useQuery(resource<Report>('/reports/internal', { month }));
  const totals = report.data?.totals;
  const nameOf = useProjectName();
  const sums = report.data?.[`by_${by}`].map((sum) =>
    by === 'project' && sum.name !== null ? { ...sum, name: nameOf(sum.name) } : sum,
  );
  return (
    <>
      <PageHeader
        title="Monthly report"
        text="Model usage by project, user and model."
        actions={
          <>
            <NativeSelect
              aria-label="Month"
              value={month}
              data={(months.includes(month) ? months : [month, ...months]).map((value) => ({
                value,
                label: monthText(value),
              }))}
              onChange={(event) => set({ month: event.currentTarget.value })}
            />
            <ExportButton month={month} hasRows={report.data !== undefined && report.data.rows.length > 0} />
          </>
        }
      />
      {(report.data ?? report.isPending) && (
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
          <Stat label="Model requests" value={totals?.requests} />
          <Stat label="Input tokens" value={totals?.tokens_in} />
          <Stat label="Output tokens" value={totals?.tokens_out} />
          <Cost report={report.data} />
        </SimpleGrid>
      )}
      {report.data && report.data.rows.length > 0 && (
        <Section
          title="Tokens"
          actions={
            <SegmentedControl
              size="xs"
              aria-label="Tokens by"
              value={by}
              onChange={(next) => set({ by: next === 'model' ? null : next })}
              data={[
                { value: 'model', label: 'By model' },
                { value: 'user', label: 'By user' },
                { value: 'project', label: 'By project' },
              ]}
            />
          }
        >
          <Suspense fallback={<ChartShape />}>
            <UsageChart sums={sums ?? []} />
          </Suspense>
        </Section>
      )}
      <Section title={monthText(month)} text={report.data && shownText(report.data)} flush>
        <DataTable
          label="Model usage"
          columns={COLUMNS}
          query={{ ...report, data: report.data && { items: report.data.rows } }}
          rowKey={({ project, user, model }) => `${project} ${user.id} ${model}`}
          empty={{
            title: `No usage in ${monthText(month)}`,
            action: (
              <Button component={Link} to="/usage" variant="default">
                Usage by day
              </Button>
            ),
          }}
        />
      </Section>
    </>
  );
}

/** Text above the table; undefined if the table contains all rows of the month. */
const shownText = ({ rows, row_count: count }: Report) =>
  rows.length < count
    ? `The ${rows.length.toLocaleString('en')} of ${count.toLocaleString('en')} rows with the most tokens. Export CSV has all.`
    : undefined;

/** The total cost, and the names of models without a price, whose cost is unknown. */
function Cost({ report }: { report: Report | undefined }) {
  if (!report) return <Stat label="Cost" value={undefined} />;
  const { cost_usd, tokens_in, tokens_out } = report.totals;
  const { unpriced_models: unpriced } = report;
  return (
    <Stat
      label="Cost"
      value={costText(cost_usd, tokens_in + tokens_out)}
      {...(unpriced.length > 0 && { note: <Unpriced models={unpriced} /> })}
    />
  );
}

function Unpriced({ models }: { models: readonly string[] }) {
  return (
    <>
      No price for {models.join(', ')}.{' '}
      <Anchor component={Link} to="/budgets/prices" inherit underline="always">
        Set prices
      </Anchor>
    </>
  );
}

function ExportButton({ month, hasRows }: { month: string; hasRows: boolean }) {
  const look = { variant: 'default', leftSection: <IconDownload size={16} stroke={1.7} /> };
  if (!hasRows) {
    return (
      <Button {...look} disabled>
        Export CSV
      </Button>
    );
  }
  const href = `/admin/api${withQuery('/reports/internal.csv', { month })}`;
  return (
    <Button {...look} component="a" href={href} download={`millwright-${month}.csv`}>
      Export CSV
    </Button>
  );
}

export { ReportPage as Component };
