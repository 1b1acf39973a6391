import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { UsageSum } from '../../api/admin-records.js';

/** Chart of input and output tokens; the table below has the same figures. */
export function UsageChart({ sums }: { sums: readonly UsageSum[] }) {
  return (
    <div aria-hidden>
      <BarChart
        h={260}
        data={sums.map(({ name, count, tokens_in, tokens_out }) => ({
          name: name ?? `${count.toLocaleString('en')} others`,
          input: tokens_in,
          output: tokens_out,
        }))}
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
