import { useState, type PointerEvent } from 'react';
import classes from './sparkline.module.css';
import { barsOf } from './spark-bars.js';

export interface SparklineProps {
  points: readonly (number | null)[];
  /** Labels of the points: hours or days. */
  names: readonly string[];
  text: (value: number | null) => string;
  color: string;
}

/**
 * Draws bars that begin at 0. Draws nothing for a figure that is always 0 or that has only one known point. Screen readers ignore the bars
 * and read the figure above.
 */
export function Sparkline({ points, names, text, color }: SparklineProps) {
  const [pointed, setPointed] = useState<number>();
  if (points.every((value) => !value) || points.filter((value) => value !== null).length < 2) return null;
  const count = points.length;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count))));
  };
  const share = pointed === undefined ? 0 : ((pointed + 0.5) / count) * 100;
  return (
    <div className={classes.sparkline} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
      <div className={classes.plot}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
          {barsOf(points).map(({ at, x, width, height }) => (
            <rect
              key={at}
              x={x}
              y={100 - height}
              width={width}
              height={height}
              fill={color}
              fillOpacity={at === pointed ? 1 : 0.65}
            />
          ))}
        </svg>
      </div>
      {pointed !== undefined && names[pointed] !== undefined && (
        <div className={classes.tip} style={{ left: `${share}%`, transform: `translateX(-${share}%)` }}>
          {names[pointed]}: {text(points[pointed] ?? null)}
        </div>
      )}
    </div>
  );
}
