import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { costText } from '../../ui/figures.js';
import { chartRows, dayLabel, nameOf, type DailyUsage, type Measure } from './usage-data.js';

const COLORS = ['mill.6', 'orange.5', 'indigo.5', 'yellow.6', 'grape.5', 'cyan.6', 'red.5', 'gray.5'];

/** Stacked bars, one a day; the table below has the same sums. */
export function DailyChart({ usage, measure }: { usage: DailyUsage; measure: Measure }) {
  const text = (value: number) =>
    measure === 'cost' ? costText(value, 0) : value.toLocaleString('en', { notation: 'compact' });
  return (
    <div aria-hidden>
      <BarChart
        h={280}
        data={chartRows(usage, measure)}
        dataKey="day"
        type="stacked"
        series={usage.series.map(({ id }, index) => ({
          name: `s${index}`,
          label: nameOf(usage, id),
          color: COLORS[index] ?? 'gray.5',
        }))}
        withLegend
        tickLine="none"
        gridAxis="x"
        valueFormatter={text}
        xAxisProps={{ tickFormatter: dayLabel, minTickGap: 24 }}
        yAxisProps={{ width: 64 }}
        tooltipAnimationDuration={0}
        barProps={{ isAnimationActive: false, maxBarSize: 40 }}
      />
    </div>
  );
}

// eslint-disable-next-line no-restricted-syntax -- React's `lazy` takes the default export.
export default DailyChart;
