import { Button, NativeSelect, SegmentedControl, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { resource, withQuery } from '../../api/api.js';
import type { Report, ReportRow } from '../../api/records.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { lastMonths, monthText } from './months.js';

/** The charts' library is larger than the rest of the page. */
const UsageChart = lazy(() => import('./usage-chart.js'));

const COLUMNS: Column<ReportRow>[] = [
  { title: 'Project', render: ({ project }) => project },
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
  { title: 'Tokens in', align: 'right', render: ({ tokens_in }) => tokens_in.toLocaleString('en') },
  { title: 'Tokens out', align: 'right', render: ({ tokens_out }) => tokens_out.toLocaleString('en') },
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
  return (
    <>
      <PageHeader
        title="Internal report"
        text="Use of models and what it cost, by project, user and model."
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
            <Button
              component="a"
              href={`/admin/api${withQuery('/reports/internal.csv', { month })}`}
              download={`millwright-${month}.csv`}
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.7} />}
            >
              CSV
            </Button>
          </>
        }
      />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
        <Stat label="Requests" value={totals?.requests} />
        <Stat label="Tokens in" value={totals?.tokens_in} />
        <Stat label="Tokens out" value={totals?.tokens_out} />
        <Stat label="Cost" value={totals && costText(totals.cost_usd, totals.tokens_in + totals.tokens_out)} />
      </SimpleGrid>
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
          <Suspense fallback={<Skeleton height={260} aria-busy="true" aria-label="Loading" />}>
            <UsageChart rows={report.data.rows} by={by} />
          </Suspense>
        </Section>
      )}
      <Section title={monthText(month)} flush>
        <DataTable
          label="Use of models"
          columns={COLUMNS}
          query={{ ...report, data: report.data && { items: report.data.rows } }}
          rowKey={({ project, user, model }) => `${project} ${user.id} ${model}`}
          empty={{ title: 'No model was used in this month', text: 'Choose another month above.' }}
        />
      </Section>
    </>
  );
}

export { ReportPage as Component };
