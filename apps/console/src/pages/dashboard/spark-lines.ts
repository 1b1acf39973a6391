export interface SparkLine {
  /** SVG path through the points. */
  line: string;
  /** SVG path of the area below; empty for a single point. */
  area: string;
}

type Point = [x: number, y: number];

/** Returns paths in a field of 100 by 100, with gaps at unknown points. */
export function linesOf(points: readonly (number | null)[]): SparkLine[] {
  const most = Math.max(...points.map((value) => value ?? 0), 1);
  const last = Math.max(points.length - 1, 1);
  const runs: Point[][] = [[]];
  for (const [index, value] of points.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([round((index / last) * 100), round(100 - (value / most) * 100)]);
  }
  return runs.filter((run) => run.length > 0).map(toLine);
}

function toLine(run: readonly Point[]): SparkLine {
  const [[x, y], [end]] = [run[0] ?? [0, 0], run.at(-1) ?? [0, 0]];
  if (run.length === 1) return { line: `M${within(x, 2, 98)} ${within(y, 8, 92)}h0`, area: '' };
  const through = run.map((point) => point.join(' ')).join('L');
  return { line: `M${through}`, area: `M${x} 100L${through}L${end} 100Z` };
}

/** Keeps a dot within the field. */
const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const round = (value: number) => Math.round(value * 100) / 100;
