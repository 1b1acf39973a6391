/** A header in a form. */
export interface HeaderRow {
  name: string;
  /** Value of the header; `KEPT` leaves it unchanged. */
  value: string;
}

export const headersOf = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]));
export const headerRowsOf = (headers: Readonly<Record<string, unknown>>): HeaderRow[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
