import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withQuery } from '../api/api.js';
import { areaResource, askArea } from '../api/areas.js';
import type { List } from '../api/admin-records.js';
import { CurlButton } from './curl.js';
import type { Column } from './data-table.js';
import type { EmptyStateProps } from './empty-state.js';
import { FilterSelect } from './filters.js';
import { FoundList, type Bulk } from './found-list.js';
import { PageHeader } from './page-header.js';
import { SearchField } from './search-field.js';
import { sortingOf, sortingText } from './sorting.js';
import { useUrlState } from './use-url-state.js';

const STATUSES = { active: 'Active', inactive: 'Inactive' };

interface RecordBulk<Row> {
  refresh: Bulk<Row>['refresh'];
  nameOf: (row: Row) => string;
  consequence: string;
  /** Returns further actions on the selected rows. The delete button stays the last action. `to` returns the path of a row's record. */
  more?: (to: (row: Row) => string) => Bulk<Row>['actions'];
}

export interface RecordListProps<Row extends { id: string; status: string }> {
  title: string;
  text: string;
  /** The records' kind in the singular: "skill". */
  noun: string;
  /** Path of the platform API's list. */
  path: string;
  /** Field with the record's name, by which the list can be sorted. Lists can always be sorted by their times. */
  nameField?: 'name' | 'title';
  statuses?: Readonly<Record<string, string>>;
  columns: readonly Column<Row>[];
  /** Base address of the records' pages: `{to}/{id}`. */
  to: string;
  actions: ReactNode;
  empty: EmptyStateProps;
  /** Allows enabling, disabling and deleting several rows at once. */
  bulk?: RecordBulk<Row>;
  /** Content below the heading, also above an empty list. */
  banner?: ReactNode;
  /** Content between heading and list. */
  children?: ReactNode;
}

/** A page with a list of the platform API. Search, status, order and page are in the address. */
export function RecordList<Row extends { id: string; status: string }>(props: RecordListProps<Row>) {
  const { title, text, noun, path, nameField = 'name', statuses = STATUSES, columns, to, actions, empty, bulk } = props;
  const { values, page, set } = useUrlState(['search', 'status', 'sort']);
  const { search, status } = values;
  const sorting = sortingOf(values.sort || 'created_at.desc');
  const shown = { search, status, sort: sorting.field, order: sorting.order, page, per_page: 25 };
  const list = useQuery({
    ...areaResource<List<Row>>('platform', path, shown),
    placeholderData: keepPreviousData,
  });
  const isEmpty = search === '' && status === '' && list.data?.total === 0;
  return (
    <>
      <PageHeader
        title={title}
        text={text}
        actions={
          <>
            <CurlButton area="platform" calls={[{ title: `List ${noun}s`, path: withQuery(path, shown) }]} />
            {!isEmpty && actions}
          </>
        }
      />
      {props.banner}
      {!isEmpty && props.children}
      <FoundList
        title={title}
        noun={noun}
        query={list}
        columns={columns}
        to={to}
        isFaded={(row) => row.status === 'inactive'}
        search={search}
        isEmpty={isEmpty}
        empty={{ ...empty, action: actions }}
        sorting={sorting}
        onSort={(next) => set({ sort: sortingText(next) })}
        bulk={bulk && bulkOf(path, bulk)}
        onPage={(next) => set({ page: next })}
        onClear={() => set({ search: null, status: null })}
        filters={
          <>
            <SearchField
              label={`Search ${noun}s`}
              value={search}
              onSearch={(next) => set({ search: next }, { isTyping: true })}
            />
            <FilterSelect label="Status" value={status} options={statuses} onChange={(next) => set({ status: next })} />
            <FilterSelect
              label="Order"
              all="Newest first"
              value={values.sort === 'created_at.desc' ? '' : values.sort}
              options={{
                'created_at.asc': 'Oldest first',
                'updated_at.desc': 'Recently updated',
                'updated_at.asc': 'Least recently updated',
                [`${nameField}.asc`]: `By ${nameField}`,
                [`${nameField}.desc`]: `By ${nameField}, from Z`,
              }}
              onChange={(next) => set({ sort: next })}
            />
          </>
        }
      />
    </>
  );
}

function bulkOf<Row extends { id: string; status: string }>(
  path: string,
  { refresh, nameOf, consequence, more = () => [] }: RecordBulk<Row>,
): Bulk<Row> {
  const to = ({ id }: Row) => `${path}/${encodeURIComponent(id)}`;
  const setStatus = (status: string) => (row: Row) => askArea('platform', 'PATCH', to(row), { status });
  return {
    refresh,
    nameOf,
    actions: [
      {
        label: 'Enable',
        done: 'enabled',
        work: setStatus('active'),
        isFor: ({ status }) => status === 'inactive',
      },
      {
        label: 'Disable',
        done: 'disabled',
        work: setStatus('inactive'),
        isFor: ({ status }) => status !== 'inactive',
      },
      ...more(to),
      {
        label: 'Delete',
        done: 'deleted',
        work: (row) => askArea('platform', 'DELETE', to(row)),
        consequence,
      },
    ],
  };
}
