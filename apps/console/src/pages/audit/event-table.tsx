import type { Decision } from '../../api/admin-records.js';
import { DataTable, type DataTableProps } from '../../ui/data-table.js';
import { decisionColumns } from './decision-columns.js';
import classes from './event-table.module.css';

export type EventTableProps = Pick<DataTableProps<Decision>, 'label' | 'query' | 'empty'> & {
  onOpen: (event: Decision) => void;
  /** Whether a phone shows at most five entries. */
  isShort?: boolean;
};

/** Entries of the audit log. On a phone, each entry takes two lines. */
export function EventTable({ isShort = false, ...table }: EventTableProps) {
  return (
    <div className={classes.events} data-short={isShort}>
      <DataTable {...table} columns={decisionColumns} rowKey={({ id }) => id} />
    </div>
  );
}
