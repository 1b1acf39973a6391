import type { Line } from './difference.js';

/** A row in two columns. A side without a line is undefined. */
export interface SideRow {
  before?: Line;
  after?: Line;
}

/** Arranges a difference in rows: a removed line is beside the line that replaced it. */
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
      // A removed line that follows an added line belongs to the next change, so the rows of the change before it are complete.
      if (added.length > 0) flush();
      removed.push(line);
    } else added.push(line);
  }
  flush();
  return rows;
}
