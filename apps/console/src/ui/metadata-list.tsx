import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { areaList } from '../api/areas.js';
import type { Described } from '../api/prompt-records.js';
import type { Column } from './data-table.js';
import type { EmptyStateProps } from './empty-state.js';
import { FilterSelect } from './filters.js';
import { FoundList } from './found-list.js';
import { PageHeader } from './page-header.js';
import { SearchField } from './search-field.js';
import { useUrlState } from './use-url-state.js';

const STATUSES = { published: 'Published', draft: 'Draft', archived: 'Archived' };

export interface MetadataListProps<Row extends Described> {
  title: string;
  text: string;
  /** The records' kind in the singular: "prompt". */
  noun: string;
  /** Path of the prompt API's list. */
  path: string;
  columns: readonly Column<Row>[];
  /** Base address of the records' pages: `{to}/{id}`. */
  to: string;
  actions?: ReactNode;
  empty: EmptyStateProps;
}

/** A page with a list of the prompt API. Search, status, tags, order and page are in the address. */
export function MetadataList<Row extends Described>(props: MetadataListProps<Row>) {
  const { title, text, noun, path, columns, to, actions, empty } = props;
  const { values, page, set } = useUrlState(['search', 'status', 'tag', 'sort']);
  const { search, status, tag } = values;
  const [sort_by, sort_direction] = (values.sort || 'created.desc').split('.');
  const list = useQuery({
    ...areaList<Row>('prompt', path, { search, status, tag, sort_by, sort_direction, page, limit: 25 }),
    placeholderData: keepPreviousData,
  });
  const isEmpty = search === '' && status === '' && tag === '' && list.data?.total === 0;
  return (
    <>
      <PageHeader title={title} text={text} actions={isEmpty ? undefined : actions} />
      <FoundList
        title={title}
        noun={noun}
        query={list}
        columns={columns}
        to={to}
        isFaded={({ metadata }) => metadata.status === 'archived'}
        search={search}
        isEmpty={isEmpty}
        empty={actions === undefined ? empty : { ...empty, action: actions }}
        onPage={(next) => set({ page: next })}
        onClear={() => set({ search: null, status: null, tag: null })}
        filters={
          <>
            <SearchField
              label={`Search ${noun}s`}
              value={search}
              onSearch={(next) => set({ search: next }, { isTyping: true })}
            />
            <SearchField
              label="With tag"
              placeholder="With tag"
              value={tag}
              onSearch={(next) => set({ tag: next }, { isTyping: true })}
            />
            <FilterSelect label="Status" value={status} options={STATUSES} onChange={(next) => set({ status: next })} />
            <FilterSelect
              label="Order"
              all="Newest first"
              value={values.sort}
              options={{ 'created.asc': 'Oldest first', 'updated.desc': 'Recently updated', 'title.asc': 'By title' }}
              onChange={(next) => set({ sort: next })}
            />
          </>
        }
      />
    </>
  );
}
