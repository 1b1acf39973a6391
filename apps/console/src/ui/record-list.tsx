import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withQuery } from '../api/api.js';
import { areaResource } from '../api/areas.js';
import type { List } from '../api/admin-records.js';
import { CurlButton } from './curl.js';
import type { Column } from './data-table.js';
import type { EmptyStateProps } from './empty-state.js';
import { FilterSelect } from './filters.js';
import { FoundList } from './found-list.js';
import { PageHeader } from './page-header.js';
import { SearchField } from './search-field.js';
import { useUrlState } from './use-url-state.js';

const STATUSES = { active: 'Active', inactive: 'Inactive' };

export interface RecordListProps<Row extends { id: string; status: string }> {
  title: string;
  text: string;
  /** The records' kind in the singular: "skill". */
  noun: string;
  /** Path of the platform API's list. */
  path: string;
  /** Column to sort by, besides the times. */
  nameField?: 'name' | 'title';
  statuses?: Readonly<Record<string, string>>;
  columns: readonly Column<Row>[];
  /** Base address of the records' pages: `{to}/{id}`. */
  to: string;
  actions: ReactNode;
  empty: EmptyStateProps;
  /** Content between heading and list. */
  children?: ReactNode;
}

/** A page with a list of the platform API. Search, status, order and page are in the address. */
export function RecordList<Row extends { id: string; status: string }>(props: RecordListProps<Row>) {
  const { title, text, noun, path, nameField = 'name', statuses = STATUSES, columns, to, actions, empty } = props;
  const { values, page, set } = useUrlState(['search', 'status', 'sort']);
  const { search, status } = values;
  const [sort, order] = (values.sort || 'created_at.desc').split('.');
  const shown = { search, status, sort, order, page, per_page: 25 };
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
              value={values.sort}
              options={{
                'created_at.asc': 'Oldest first',
                'updated_at.desc': 'Recently updated',
                [`${nameField}.asc`]: `By ${nameField}`,
              }}
              onChange={(next) => set({ sort: next })}
            />
          </>
        }
      />
    </>
  );
}
