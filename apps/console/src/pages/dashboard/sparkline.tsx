import { Area, AreaChart, ResponsiveContainer, Tooltip, YAxis } from 'recharts';
import classes from './figure-tile.module.css';

export interface SparklineProps {
  points: readonly (number | null)[];
  /** What a point is called: its hour or day. */
  names: readonly string[];
  text: (value: number | null) => string;
  color: string;
}

/** How a figure went, from 0. It cannot have the focus: the figure above it is what a screen reader says. */
export function Sparkline({ points, names, text, color }: SparklineProps) {
  const data = points.map((value, index) => ({ value, name: names[index] }));
  const known = points.filter((value) => value !== null).length;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <AreaChart
        data={data}
        accessibilityLayer={false}
        margin={{ top: 3, right: known === 1 ? 4 : 0, bottom: 0, left: 0 }}
      >
        <YAxis hide domain={[0, (most: number) => Math.max(most, 1)]} />
        <Tooltip
          isAnimationActive={false}
          allowEscapeViewBox={{ x: false, y: true }}
          content={({ payload }) => {
            const { name, value } = (payload[0]?.payload ?? {}) as Partial<(typeof data)[number]>;
            if (name === undefined) return null;
            return (
              <div className={classes.tip}>
                {name}: {text(value ?? null)}
              </div>
            );
          }}
        />
        <Area
          dataKey="value"
          type="monotone"
          stroke={color}
          strokeWidth={1.5}
          fill={color}
          fillOpacity={0.12}
          isAnimationActive={false}
          // A line needs two.
          dot={known === 1}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
}

// eslint-disable-next-line no-restricted-syntax -- React's `lazy` takes the default export.
export default Sparkline;
