import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { resource, withQuery } from '../../api/api.js';
import type { Decision, List } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import { countText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Pager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { AuditFilters, FILTERS } from './audit-filters.js';
import { ChainState } from './chain-state.js';
import { decisionColumns } from './decision-columns.js';
import { DecisionDrawer } from './decision-drawer.js';

function AuditPage() {
  const {
    values: { row, ...values },
    page,
    set,
  } = useUrlState([...FILTERS, 'row']);
  const filters = { ...values, from: instant(values.from), to: instant(values.to) };
  const decisions = useQuery({
    ...resource<List<Decision>>('/audit', { ...filters, page, per_page: 50 }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.values(values).some((value) => value !== '');
  return (
    <>
      <PageHeader
        title="Audit trail"
        text="Every change and every refusal, with the person who answers for it."
        actions={<Export filters={filters} />}
      />
      <ChainState />
      <AuditFilters values={values} set={set} />
      <Section title={decisions.data ? countText(decisions.data.total, 'decision') : 'Decisions'} flush>
        <DataTable
          label="Decisions"
          columns={decisionColumns}
          query={decisions}
          rowKey={({ id }) => id}
          onOpen={({ id }) => set({ row: id, page })}
          empty={
            isFiltered
              ? { title: 'Nothing fits', text: 'Try fewer filters, or a longer time.' }
              : {
                  title: 'Nothing is recorded yet',
                  text: 'Every change and every refusal comes to stand here by itself.',
                }
          }
        />
        <Pager list={decisions.data} onPage={(next) => set({ page: next })} />
      </Section>
      <DecisionDrawer
        id={row}
        listed={decisions.data?.items.find(({ id }) => id === row)}
        close={() => set({ row: null, page })}
        follow={(request_id) =>
          set({ ...Object.fromEntries(FILTERS.map((name) => [name, ''])), row: null, request_id })
        }
      />
    </>
  );
}

/** A time of the reader's zone, as the form has it, for the API. */
const instant = (local: string) => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
};

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
        <Menu.Label>What the filters show</Menu.Label>
        <Menu.Item component="a" href={href('jsonl')} download="audit.jsonl">
          JSON lines, for millwright audit verify
        </Menu.Item>
        <Menu.Item component="a" href={href('csv')} download="audit.csv">
          CSV, for spreadsheets
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export { AuditPage as Component };
