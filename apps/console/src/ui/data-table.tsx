import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState, type EmptyStateProps } from './empty-state.js';
import { Failure } from './failure.js';
import classes from './data-table.module.css';

export interface Column<Row> {
  /** The column's heading; on a phone, the value's label. */
  title: string;
  render: (row: Row) => ReactNode;
  align?: 'right';
  /** A column of buttons, without a label on a phone. */
  isActions?: boolean;
}

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  query: { data?: { items: readonly Row[] } | undefined; error: Error | null; refetch: () => unknown };
  rowKey: (row: Row) => string;
  /** Address of a row's page: the first cell is the link, and the whole row is clickable. */
  rowLink?: (row: Row) => string;
  /** Opens a row's details in place: first cell and row as with `to`. */
  onOpen?: (row: Row) => void;
  /** Rows in a muted colour, such as revoked keys. */
  isFaded?: (row: Row) => boolean;
  empty: EmptyStateProps;
}

/** A table of records; on a phone each row is a card. It renders the loading, empty and failed states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, query, rowKey, rowLink, onOpen, isFaded, empty } = props;
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
  return (
    <div className={classes.scroll}>
      {/* Explicit roles, because `display: block` on a phone removes the implicit ones. */}
      <table className={classes.table} aria-label={label} role="table" aria-busy={query.data === undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, align, isActions }) => (
              <th key={title} role="columnheader" scope="col" data-align={align}>
                {isActions ? <span className={classes.hidden}>{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {query.data === undefined && <LoadingRows columns={columns.length} />}
          {query.data?.items.map((row) => (
            <tr key={rowKey(row)} role="row" data-faded={isFaded?.(row)} data-open={Boolean(rowLink ?? onOpen)}>
              {columns.map(({ title, render, align, isActions }, index) => (
                <td key={title} role="cell" data-label={title} data-align={align} data-actions={isActions}>
                  <div>{index === 0 ? first(row, render(row)) : render(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LoadingRows({ columns }: { columns: number }) {
  return Array.from({ length: 4 }, (_, row) => (
    <tr key={row} role="row">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} role="cell">
          <Skeleton height={12} width={column === 0 ? '70%' : '50%'} my={4} />
        </td>
      ))}
    </tr>
  ));
}
