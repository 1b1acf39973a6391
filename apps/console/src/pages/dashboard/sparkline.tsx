import { useState, type PointerEvent } from 'react';
import classes from './sparkline.module.css';
import { linesOf } from './spark-lines.js';

export interface SparklineProps {
  points: readonly (number | null)[];
  /** Labels of the points: hours or days. */
  names: readonly string[];
  text: (value: number | null) => string;
  color: string;
}

/** A chart from 0; empty for a figure that is always 0 or has one known point. Hidden from screen readers, which read the figure above. */
export function Sparkline({ points, names, text, color }: SparklineProps) {
  const [pointed, setPointed] = useState<number>();
  if (points.every((value) => !value) || points.filter((value) => value !== null).length < 2) return null;
  const last = Math.max(points.length - 1, 1);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(last, Math.max(0, Math.round(((clientX - left) / width) * last))));
  };
  const share = pointed === undefined ? 0 : (pointed / last) * 100;
  return (
    <div className={classes.sparkline} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
      <div className={classes.plot}>
        <svg viewBox="0 -4 100 104" preserveAspectRatio="none" width="100%" height="100%">
          {linesOf(points).map(({ line, area }) => (
            <g key={line}>
              <path d={area} fill={color} fillOpacity={0.12} />
              <path
                d={line}
                fill="none"
                stroke={color}
                // A line needs two points: draw a single one as a dot.
                strokeWidth={area === '' ? 5 : 1.5}
                strokeLinecap="round"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
            </g>
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
