export interface SparkLine {
  /** Through the points. */
  line: string;
  /** What is under it; empty for a single point. */
  area: string;
}

/** The points as paths in a field of 100 by 100, interrupted where one is not known. */
export function linesOf(points: readonly (number | null)[]): SparkLine[] {
  const most = Math.max(...points.map((value) => value ?? 0), 1);
  const last = Math.max(points.length - 1, 1);
  const runs: string[][] = [[]];
  for (const [index, value] of points.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${round((index / last) * 100)} ${round(100 - (value / most) * 100)}`);
  }
  return runs.filter((run) => run.length > 0).map(toLine);
}

function toLine(run: readonly string[]): SparkLine {
  const line = `M${run.join('L')}`;
  if (run.length === 1) return { line: `${line}h0`, area: '' };
  const [from = '', to = ''] = [run[0], run.at(-1)].map((place) => place?.split(' ')[0]);
  return { line, area: `M${from} 100L${run.join('L')}L${to} 100Z` };
}

const round = (value: number) => Math.round(value * 100) / 100;
