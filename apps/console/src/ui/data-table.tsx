import { Button, Checkbox, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState, type EmptyStateProps } from './empty-state.js';
import { Failure } from './failure.js';
import type { Sorting } from './sorting.js';
import classes from './data-table.module.css';

export interface Column<Row> {
  /** Heading of the column. On a phone, it is the label of each value. */
  title: string;
  render: (row: Row) => ReactNode;
  align?: 'right';
  /** Whether the column contains buttons, which have no label on a phone. */
  isActions?: boolean;
  /** Field by which the API sorts this column. If the table has `sorting`, the heading is a button. */
  sort?: string;
}

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  query: { data?: { items: readonly Row[] } | undefined; error: Error | null; refetch: () => unknown };
  rowKey: (row: Row) => string;
  /** Returns the address of a row's page. The first cell is the link, and the whole row is clickable. */
  rowLink?: (row: Row) => string;
  /** Opens the details of a row without leaving the page. The first cell and the whole row are clickable. */
  onOpen?: (row: Row) => void;
  /** Whether the row is shown in a muted colour, such as a revoked key. */
  isFaded?: (row: Row) => boolean;
  empty: EmptyStateProps;
  sorting?: { now: Sorting; onSort: (field: string) => void };
  /** Adds a checkbox before each row. `nameOf` returns the row's name for screen readers. */
  selection?: Selection<Row> | undefined;
}

export interface Selection<Row> {
  keys: ReadonlySet<string>;
  nameOf: (row: Row) => string;
  onSelect: (rows: readonly Row[]) => void;
}

/** Number of rows that are shown at first. A button below a longer list adds the same number of rows. */
const MOST_ROWS = 100;

/** A table of records; on a phone each row is a card. It renders the loading, empty and failed states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, query, rowKey, rowLink, onOpen, isFaded, empty, sorting, selection } = props;
  const [most, setMost] = useState(MOST_ROWS);
  if (query.error && query.data === undefined) {
    return (
      <div className={classes.inset}>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  if (query.data?.items.length === 0) return <EmptyState {...empty} />;
  const first = (row: Row, content: ReactNode) => {
    if (rowLink) {
      return (
        <Link to={rowLink(row)} className={classes.cover}>
          {content}
        </Link>
      );
    }
    if (!onOpen) return content;
    return (
      <button type="button" className={classes.cover} onClick={() => onOpen(row)}>
        {content}
      </button>
    );
  };
  const all = query.data?.items ?? [];
  const rows = all.slice(0, most);
  const selected = rows.filter((row) => selection?.keys.has(rowKey(row)));
  const toggle = (row: Row) =>
    selection?.onSelect(selected.includes(row) ? selected.filter((one) => one !== row) : [...selected, row]);
  return (
    <div className={classes.scroll}>
      {/* Explicit roles, because `display: block` on a phone removes the implicit roles. */}
      <table className={classes.table} aria-label={label} role="table" aria-busy={query.data === undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" className={classes.select}>
                <Checkbox
                  size="xs"
                  aria-label="Select all on this page"
                  checked={rows.length > 0 && selected.length === rows.length}
                  indeterminate={selected.length > 0 && selected.length < rows.length}
                  onChange={() => selection.onSelect(selected.length === rows.length ? [] : rows)}
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {query.data === undefined && <LoadingRows columns={columns.length} hasSelection={selection !== undefined} />}
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              data-faded={isFaded?.(row)}
              data-open={Boolean(rowLink ?? onOpen)}
              data-selected={selection?.keys.has(rowKey(row))}
            >
              {selection && (
                <td role="cell" className={classes.select}>
                  <Checkbox
                    size="xs"
                    aria-label={`Select ${selection.nameOf(row)}`}
                    checked={selection.keys.has(rowKey(row))}
                    onChange={() => toggle(row)}
                  />
                </td>
              )}
              {columns.map(({ title, render, align, isActions }, index) => (
                <td
                  key={title}
                  role="cell"
                  data-label={title}
                  data-align={align}
                  data-actions={isActions}
                  data-heading={index === 0 || undefined}
                >
                  <div>{index === 0 ? first(row, render(row)) : render(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > most && (
        <Group justify="space-between" className={classes.more}>
          <Text size="sm" c="dimmed">
            {most.toLocaleString('en')} of {all.length.toLocaleString('en')}
          </Text>
          <Button variant="default" size="xs" onClick={() => setMost(most + MOST_ROWS)}>
            Show {Math.min(MOST_ROWS, all.length - most)} more
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The heading of a column. It is a button if the list can be sorted by the column. */
function Heading<Row>({
  column: { title, align, isActions, sort },
  sorting,
}: {
  column: Column<Row>;
  sorting: DataTableProps<Row>['sorting'];
}) {
  const isSorted = sort !== undefined && sorting?.now.field === sort;
  const order = isSorted ? sorting.now.order : undefined;
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      role="columnheader"
      scope="col"
      data-align={align}
      aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
    >
      {isActions && <span className={classes.hidden}>{title}</span>}
      {!isActions && (sort === undefined || !sorting) && title}
      {sort !== undefined && sorting && (
        <button type="button" className={classes.sort} data-sorted={isSorted} onClick={() => sorting.onSort(sort)}>
          {title} <Arrow size={13} aria-hidden />
        </button>
      )}
    </th>
  );
}

/** Placeholder rows of a loading table. The first column has two lines, as in most tables. */
function LoadingRows({ columns, hasSelection }: { columns: number; hasSelection: boolean }) {
  return Array.from({ length: 4 }, (_, row) => (
    <tr key={row} role="row">
      {hasSelection && <td role="cell" className={classes.select} />}
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} role="cell" data-heading={column === 0 || undefined} data-shape>
          <Skeleton height={12} width={column === 0 ? `${60 - row * 6}%` : '50%'} my={4} />
          {column === 0 && <Skeleton height={9} width={`${85 - row * 9}%`} my={6} />}
        </td>
      ))}
    </tr>
  ));
}
