import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table.js';
import { Section } from './section.js';

export interface ListSectionProps<Row> extends Omit<DataTableProps<Row>, 'label'> {
  title: string;
  /** The table's name, where it differs from the title. */
  label?: string;
  text?: ReactNode;
  actions?: ReactNode;
}

/** A list on a page with several lists. A list without rows takes one line, so that lists with rows are easier to find. */
export function ListSection<Row>({ title, label = title, text, actions, ...table }: ListSectionProps<Row>) {
  const { empty, query } = table;
  const isEmpty = query.data?.items.length === 0 && empty.action === undefined;
  return (
    <Section
      title={title}
      text={
        isEmpty ? (
          <>
            {empty.title}
            {empty.text !== undefined && <>. {empty.text}</>}
          </>
        ) : (
          text
        )
      }
      actions={actions}
      isLine={isEmpty}
      flush
    >
      {!isEmpty && <DataTable label={label} {...table} />}
    </Section>
  );
}
