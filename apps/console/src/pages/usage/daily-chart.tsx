import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

const COLORS = ['mill.6', 'orange.5', 'indigo.5', 'yellow.6', 'grape.5', 'cyan.6', 'red.5', 'gray.5'];

export interface DailyChartProps {
  /** One object a day, with `day` and a value for each series. */
  rows: { day: string; [series: string]: string | number }[];
  series: readonly { name: string; label: string }[];
  dayText: (day: string) => string;
  valueText: (value: number) => string;
}

/** Stacked bars, one for each day. Hidden from screen readers, because the table below has the same sums. */
export function DailyChart({ rows, series, dayText, valueText }: DailyChartProps) {
  return (
    <div aria-hidden>
      <BarChart
        h={280}
        data={rows}
        dataKey="day"
        type="stacked"
        series={series.map((one, index) => ({ ...one, color: COLORS[index] ?? 'gray.5' }))}
        withLegend
        tickLine="none"
        gridAxis="x"
        valueFormatter={valueText}
        xAxisProps={{ tickFormatter: dayText, minTickGap: 24 }}
        yAxisProps={{ width: 64 }}
        tooltipAnimationDuration={0}
        barProps={{ isAnimationActive: false, maxBarSize: 40 }}
        // The keyboard navigation of the chart would focus an element that is hidden from assistive technology.
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}

// eslint-disable-next-line no-restricted-syntax -- React's `lazy` takes the default export.
export default DailyChart;
