import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../../ui/data-table.js';

export type BriefTableProps<Row> = Omit<DataTableProps<Row>, 'empty'> & {
  /** In the place of rows, in one line. */
  none: ReactNode;
};

/** One of several lists on a page: where nothing is in it, it takes no room from the others. */
export function BriefTable<Row>({ none, ...table }: BriefTableProps<Row>) {
  if (table.query.data?.items.length !== 0) return <DataTable {...table} empty={{ title: '' }} />;
  return (
    <Text size="sm" c="dimmed" px={18} pb={14} component="div">
      {none}
    </Text>
  );
}
