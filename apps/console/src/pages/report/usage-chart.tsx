import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ReportRow } from '../../api/admin-records.js';
import { sumUsage, type Grouping } from './usage-sums.js';

const MOST_BARS = 12;

/** Chart of input and output tokens; the table below has the same figures. */
export function UsageChart({ rows, by }: { rows: readonly ReportRow[]; by: Grouping }) {
  return (
    <div aria-hidden>
      <BarChart
        h={260}
        data={sumUsage(rows, by, MOST_BARS)}
        dataKey="name"
        type="stacked"
        series={[
          { name: 'input', label: 'Input tokens', color: 'mill.6' },
          { name: 'output', label: 'Output tokens', color: 'orange.5' },
        ]}
        withLegend
        tickLine="none"
        gridAxis="x"
        valueFormatter={(value) => value.toLocaleString('en')}
        barProps={{ isAnimationActive: false, maxBarSize: 56 }}
      />
    </div>
  );
}

// eslint-disable-next-line no-restricted-syntax -- React's `lazy` takes the default export.
export default UsageChart;
