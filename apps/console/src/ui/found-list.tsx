import type { ReactNode } from 'react';
import type { List } from '../api/admin-records.js';
import { useState } from 'react';
import { BulkBar, type BulkAction } from './bulk-bar.js';
import { DataTable, type Column } from './data-table.js';
import { EmptyState, type EmptyStateProps } from './empty-state.js';
import { countText } from './figures.js';
import { Filters, noResults } from './filters.js';
import { Pager } from './pager.js';
import { Panel, Section } from './section.js';
import { sortedBy, type Sorting } from './sorting.js';

/** Actions on several rows at once. */
export interface Bulk<Row> {
  nameOf: (row: Row) => string;
  actions: readonly BulkAction<Row>[];
  refresh: readonly (readonly string[])[];
}

export interface FoundListProps<Row extends { id: string }> {
  title: string;
  /** The records' kind in the singular: "skill". */
  noun: string;
  query: { data?: List<Row> | undefined; error: Error | null; refetch: () => unknown };
  columns: readonly Column<Row>[];
  /** Base address of the records' pages: `{to}/{id}`. */
  to: string;
  isFaded: (row: Row) => boolean;
  filters: ReactNode;
  search: string;
  /** Whether there are no records at all, even without filters. If so, `empty` is shown. */
  isEmpty: boolean;
  empty: EmptyStateProps;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  bulk?: Bulk<Row> | undefined;
  onPage: (page: number) => void;
  /** Clears every filter. */
  onClear: () => void;
}

/** A filtered list. When there are no records at all, an empty state replaces list and filters. */
export function FoundList<Row extends { id: string }>(props: FoundListProps<Row>) {
  const { title, noun, query, columns, to, isFaded, filters, search, isEmpty, empty, onPage, onClear, bulk } = props;
  const { sorting, onSort } = props;
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const select = (rows: readonly Row[]) => setKeys(new Set(rows.map(({ id }) => id)));
  // Only rows of this page count as selected; rows that were selected on another page are ignored.
  const selected = query.data?.items.filter(({ id }) => keys.has(id)) ?? [];
  if (isEmpty) {
    return (
      <Panel label={title}>
        <EmptyState {...empty} />
      </Panel>
    );
  }
  return (
    <>
      <Filters label={`Filter ${noun}s`}>{filters}</Filters>
      <Section title={query.data ? countText(query.data.total, noun) : title} flush>
        <DataTable
          label={title}
          columns={columns}
          query={query}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `${to}/${id}`}
          isFaded={isFaded}
          sorting={{ now: sorting, onSort: (field) => onSort(sortedBy(field, sorting)) }}
          selection={bulk && { keys, nameOf: bulk.nameOf, onSelect: select }}
          empty={noResults(
            onClear,
            search === '' ? `No ${noun}s match these filters` : `No ${noun}s match “${search}”`,
          )}
        />
        {bulk && (
          <BulkBar
            noun={noun}
            rows={selected}
            nameOf={bulk.nameOf}
            actions={bulk.actions}
            refresh={bulk.refresh}
            onSelect={select}
          />
        )}
        <Pager list={query.data} onPage={onPage} />
      </Section>
    </>
  );
}
