export interface SparkBar {
  /** Index of the point, from 0. */
  at: number;
  x: number;
  width: number;
  /** Height of the bar, measured from the bottom of the chart. */
  height: number;
}

/** Share of the width of a point that stays free between two bars. */
const GAP = 0.2;
/** Minimum height of a value above 0, so that the value is visible. */
const LEAST = 3;

/** Returns a bar for each value above 0, in a field of 100 by 100. */
export function barsOf(points: readonly (number | null)[]): SparkBar[] {
  const most = Math.max(...points.map((value) => value ?? 0));
  const step = 100 / points.length;
  return points.flatMap((value, at) =>
    value === null || value <= 0
      ? []
      : [
          {
            at,
            x: round((at + GAP / 2) * step),
            width: round((1 - GAP) * step),
            height: Math.max(LEAST, round((value / most) * 100)),
          },
        ],
  );
}

const round = (value: number) => Math.round(value * 100) / 100;
