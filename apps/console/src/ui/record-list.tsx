import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withQuery } from '../api/api.js';
import { areaResource } from '../api/areas.js';
import type { List } from '../api/records.js';
import { CurlButton } from './curl.js';
import { DataTable, type Column } from './data-table.js';
import type { EmptyStateProps } from './empty-state.js';
import { countText } from './figures.js';
import { FilterSelect } from './filter-select.js';
import { Filters } from './filters.js';
import { PageHeader } from './page-header.js';
import { Pager } from './pager.js';
import { SearchField } from './search-field.js';
import { Section } from './section.js';
import { useUrlState } from './use-url-state.js';

const STATUSES = { active: 'Active', inactive: 'Inactive' };

export interface RecordListProps<Row extends { id: string; status: string }> {
  title: string;
  text: string;
  /** One of them: "skill". */
  noun: string;
  /** Of area B's list. */
  path: string;
  /** What it is sorted by besides time. */
  nameField?: 'name' | 'title';
  statuses?: Readonly<Record<string, string>>;
  columns: readonly Column<Row>[];
  /** Where its records are shown: `{to}/{id}`. */
  to: string;
  actions: ReactNode;
  empty: EmptyStateProps;
  /** Between the heading and the list. */
  children?: ReactNode;
}

/** A page with one of area B's lists: search, status, order and page are in the address. */
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
  const isFiltered = search !== '' || status !== '';
  return (
    <>
      <PageHeader
        title={title}
        text={text}
        actions={
          <>
            <CurlButton area="platform" calls={[{ title: 'List what is shown here', path: withQuery(path, shown) }]} />
            {actions}
          </>
        }
      />
      {props.children}
      <Filters label={`Filter ${noun}s`}>
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
            'updated_at.desc': 'Last changed first',
            [`${nameField}.asc`]: `By ${nameField}`,
          }}
          onChange={(next) => set({ sort: next })}
        />
      </Filters>
      <Section title={list.data ? countText(list.data.total, noun) : title} flush>
        <DataTable
          label={title}
          columns={columns}
          query={list}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `${to}/${id}`}
          isFaded={(row) => row.status === 'inactive'}
          empty={isFiltered ? { title: 'Nothing fits', text: 'Try another word, or fewer filters.' } : empty}
        />
        <Pager list={list.data} onPage={(next) => set({ page: next })} />
      </Section>
    </>
  );
}
