import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { areaList, askArea } from '../api/areas.js';
import type { Described } from '../api/prompt-records.js';
import type { Column } from './data-table.js';
import type { EmptyStateProps } from './empty-state.js';
import { FilterSelect } from './filters.js';
import { FoundList, type Bulk } from './found-list.js';
import { PageHeader } from './page-header.js';
import { SearchField } from './search-field.js';
import { sortingOf, sortingText } from './sorting.js';
import { tagActions } from './tag-actions.js';
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
  /** Allows publishing, archiving and deleting several rows at once. */
  bulk?: { refresh: Bulk<Row>['refresh']; nameOf: (row: Row) => string; consequence: string };
  /** Whether the list has a filter for the status. Default: true. */
  hasStatus?: boolean;
  empty: EmptyStateProps;
}

/** A page with a list of the prompt API. Search, status, tags, order and page are in the address. */
export function MetadataList<Row extends Described>(props: MetadataListProps<Row>) {
  const { title, text, noun, path, columns, to, actions, empty, bulk, hasStatus = true } = props;
  const { values, page, set } = useUrlState(['search', 'status', 'tag', 'sort']);
  const { search, status, tag } = values;
  const sorting = sortingOf(values.sort || 'created.desc');
  const [sort_by, sort_direction] = [sorting.field, sorting.order];
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
        sorting={sorting}
        onSort={(next) => set({ sort: sortingText(next) })}
        bulk={bulk && bulkOf(path, bulk, hasStatus)}
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
            {hasStatus && (
              <FilterSelect
                label="Status"
                value={status}
                options={STATUSES}
                onChange={(next) => set({ status: next })}
              />
            )}
            <FilterSelect
              label="Order"
              all="Newest first"
              value={values.sort === 'created.desc' ? '' : values.sort}
              options={{
                'created.asc': 'Oldest first',
                'updated.desc': 'Recently updated',
                'updated.asc': 'Least recently updated',
                'title.asc': 'By title',
                'title.desc': 'By title, from Z',
              }}
              onChange={(next) => set({ sort: next })}
            />
          </>
        }
      />
    </>
  );
}

function bulkOf<Row extends Described>(
  path: string,
  { refresh, nameOf, consequence }: NonNullable<MetadataListProps<Row>['bulk']>,
  hasStatus: boolean,
): Bulk<Row> {
  const to = ({ id }: Row) => `${path}/${encodeURIComponent(id)}`;
  const setStatus = (status: string) => (row: Row) => askArea('prompt', 'PUT', to(row), { metadata: { status } });
  const statuses: Bulk<Row>['actions'] = [
    {
      label: 'Publish',
      done: 'published',
      work: setStatus('published'),
      isFor: ({ metadata }) => metadata.status !== 'published',
    },
    {
      label: 'Archive',
      done: 'archived',
      work: setStatus('archived'),
      isFor: ({ metadata }) => metadata.status !== 'archived',
    },
  ];
  return {
    refresh,
    nameOf,
    actions: [
      ...(hasStatus ? statuses : []),
      ...tagActions<Row, Described>({
        ...{ area: 'prompt', method: 'PUT', to },
        tagsOf: ({ metadata }) => metadata.tag,
        change: (tag) => ({ metadata: { tag } }),
      }),
      { label: 'Delete', done: 'deleted', work: (row) => askArea('prompt', 'DELETE', to(row)), consequence },
    ],
  };
}
