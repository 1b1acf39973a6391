import type { ReportRow } from '../../api/admin-records.js';

export type Grouping = 'model' | 'user' | 'project';

export interface UsageSum {
  name: string;
  input: number;
  output: number;
}

const nameOf = (row: ReportRow, by: Grouping) => (by === 'user' ? row.user.name : row[by]);

/** Tokens by name, highest first. Names beyond `limit` are summed into one. */
export function sumUsage(rows: readonly ReportRow[], by: Grouping, limit: number): UsageSum[] {
  const groups = Map.groupBy(rows, (row) => (by === 'user' ? row.user.id : row[by]));
  const sums = [...groups.values()].map((members) => toSum(members[0] ? nameOf(members[0], by) : '', members));
  sums.sort((a, b) => b.input + b.output - a.input - a.output);
  if (sums.length <= limit) return sums;
  const rest = sums.slice(limit - 1);
  const input = rest.reduce((total, sum) => total + sum.input, 0);
  const output = rest.reduce((total, sum) => total + sum.output, 0);
  return [...sums.slice(0, limit - 1), { name: `${rest.length} others`, input, output }];
}

function toSum(name: string, rows: readonly ReportRow[]): UsageSum {
  return {
    name,
    input: rows.reduce((total, { tokens_in }) => total + tokens_in, 0),
    output: rows.reduce((total, { tokens_out }) => total + tokens_out, 0),
  };
}
