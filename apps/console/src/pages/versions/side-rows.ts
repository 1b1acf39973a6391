import type { Line } from './difference.js';

/** A row of two columns; a side without a line is undefined. */
export interface SideRow {
  before?: Line;
  after?: Line;
}

/** A difference as rows: a removed line on the left of the line that replaced it. */
export function sideRows(lines: readonly Line[]): SideRow[] {
  const rows: SideRow[] = [];
  let [removed, added]: [Line[], Line[]] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [before, after] = [removed[at], added[at]];
      rows.push({ ...(before && { before }), ...(after && { after }) });
    }
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'same') {
      flush();
      rows.push({ before: line, after: line });
    } else if (line.kind === 'removed') {
      // A removal after an addition begins another change.
      if (added.length > 0) flush();
      removed.push(line);
    } else added.push(line);
  }
  flush();
  return rows;
}
