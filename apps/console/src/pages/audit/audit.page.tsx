import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { resource, withQuery } from '../../api/api.js';
import type { Decision, List } from '../../api/admin-records.js';
import { limitedCountText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Pager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { AuditFilters, FILTERS } from './audit-filters.js';
import { rangeOf } from './audit-period.js';
import { ChainState } from './chain-state.js';
import { DecisionDrawer } from './decision-drawer.js';
import { EventTable } from './event-table.js';

function AuditPage() {
  const {
    values: { row, ...values },
    page,
    set,
  } = useUrlState([...FILTERS, 'row']);
  // Replaces the name of the period by its start and end, because the API accepts only times.
  const { jobs, ...others } = values;
  const filters = { ...others, ...rangeOf(values, new Date()), period: '' };
  // Runs of jobs are hidden by default. They are shown if the user chose to show them, or filters by action, by actor or for jobs as actors.
  const hidesJobRuns = jobs !== 'shown' && values.action === '' && values.actor_kind !== 'job' && values.actor === '';
  const decisions = useQuery({
    ...resource<List<Decision>>('/audit', {
      ...filters,
      ...(hidesJobRuns && { job_runs: 'hidden' }),
      page,
      per_page: 50,
    }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.values(values).some((value) => value !== '');
  return (
    <>
      <PageHeader
        title="Audit log"
        text="Who changed what, and what was denied."
        actions={<Export filters={filters} />}
      />
      <ChainState />
      <AuditFilters values={values} set={set} />
      <Section title={decisions.data ? limitedCountText(decisions.data.total, 'event') : 'Events'} flush>
        <EventTable
          label="Events"
          query={decisions}
          onOpen={({ id }) => set({ row: id, page })}
          empty={
            isFiltered
              ? { title: 'No results', text: 'Try fewer filters or a longer period.' }
              : { title: 'No events yet', text: 'Changes and refusals are recorded here.' }
          }
        />
        <Pager list={decisions.data} onPage={(next) => set({ page: next })} />
      </Section>
      <DecisionDrawer
        id={row}
        listed={decisions.data?.items.find(({ id }) => id === row)}
        close={() => set({ row: null, page })}
      />
    </>
  );
}

function Export({ filters }: { filters: Record<string, string> }) {
  const href = (format: string) => `/admin/api${withQuery('/audit/export', { format, ...filters })}`;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.7} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Filtered events</Menu.Label>
        <Menu.Item component="a" href={href('jsonl')} download="audit.jsonl">
          JSON lines, for millwright admin audit verify
        </Menu.Item>
        <Menu.Item component="a" href={href('csv')} download="audit.csv">
          CSV, for spreadsheets
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export { AuditPage as Component };
