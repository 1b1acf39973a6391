import type { Line } from '../versions/difference.js';

/** One row of two columns; nothing on the side where no line stands. */
export interface SideRow {
  before?: Line;
  after?: Line;
}

/** Lines of a difference beside each other: what went stands left of what came in its place. */
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
      // What is removed after something was added stands in another place.
      if (added.length > 0) flush();
      removed.push(line);
    } else added.push(line);
  }
  flush();
  return rows;
}
