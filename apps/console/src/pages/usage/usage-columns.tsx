import type { Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import type { UsageRow } from './usage-data.js';

/** Makes two columns: the number of model calls in the last 30 days, and their cost. */
export const usageColumns = <Row extends { id: string }>(usage: ReadonlyMap<string, UsageRow>): Column<Row>[] => [
  {
    title: 'Calls, 30 days',
    align: 'right',
    render: ({ id }) => usage.get(id)?.requests.toLocaleString('en') ?? '—',
  },
  {
    title: 'Cost, 30 days',
    align: 'right',
    render: ({ id }) => {
      const used = usage.get(id);
      return used ? costText(used.cost_usd, used.tokens_in + used.tokens_out) : '—';
    },
  },
];
