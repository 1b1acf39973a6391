import type { AdminAnswers } from '../../api/answers/admin.js';

export type DailyUsage = AdminAnswers['getDailyUsage'];
export type UsageRow = DailyUsage['rows'][number];
type Point = DailyUsage['series'][number]['points'][number];

export const MEASURES = { cost: 'Cost', tokens: 'Tokens', requests: 'Calls' } as const;
export type Measure = keyof typeof MEASURES;

export const measureOf = (text: string): Measure => (text === 'tokens' || text === 'requests' ? text : 'cost');

/** The value of a point or a row; null for an unknown cost. */
export function valueOf({ requests, tokens_in, tokens_out, cost_usd }: Point, measure: Measure): number | null {
  if (measure === 'cost') return cost_usd;
  return measure === 'tokens' ? tokens_in + tokens_out : requests;
}

/** Returns the name of a row or a series. */
export function nameOf({ rows }: Pick<DailyUsage, 'rows'>, id: string | null): string {
  if (id === null) return 'Others';
  const row = rows.find((one) => one.id === id);
  return row?.name ?? `Deleted (${id.slice(0, 12)}…)`;
}

export type ToolUsage = AdminAnswers['getToolUsage'];
export type ToolUsageRow = ToolUsage['rows'][number];

export const CALLS = { calls: 'Calls', failed: 'Failed calls' } as const;
export type Calls = keyof typeof CALLS;

/** The name of a tool's server, plugin or agent. */
export const ownerName = ({ id, name }: ToolUsageRow['server']): string => name ?? `Deleted (${id.slice(0, 12)}…)`;

/** The name of a tool in the chart. It includes the server when two tools have the same name. */
export function toolName({ rows }: Pick<ToolUsage, 'rows'>, { tool, server_id }: ToolUsage['series'][number]): string {
  if (tool === null) return 'Others';
  const named = rows.filter((row) => row.tool === tool);
  const own = named.find(({ server }) => server.id === server_id);
  return named.length > 1 && own ? `${tool} (${ownerName(own.server)})` : tool;
}

/** Makes the rows of the chart of tool calls, one for each day. A row has a field for each series: `s0`, `s1`, …. */
export const callRows = ({ days, series }: Pick<ToolUsage, 'days' | 'series'>, measure: Calls) =>
  days.map((day, at) => ({
    day,
    ...Object.fromEntries(series.map(({ points }, index) => [`s${index}`, points[at]?.[measure] ?? 0])),
  }));

/** Makes the rows of the chart of model calls, one for each day. A row has a field for each series: `s0`, `s1`, …. */
export function chartRows({ days, series }: Pick<DailyUsage, 'days' | 'series'>, measure: Measure) {
  return days.map((day, at) => ({
    day,
    ...Object.fromEntries(
      series.map(({ points }, index) => [`s${index}`, points[at] ? (valueOf(points[at], measure) ?? 0) : 0]),
    ),
  }));
}

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day: "Nov 3". The days of the API are days in UTC. */
export const dayLabel = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

export const PERIOD_DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

/** The first and last day of a period that ends today. */
export function daysOf(period: keyof typeof PERIOD_DAYS, now: Date): { from: string; to: string } {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: dayOf(now.getTime() - (PERIOD_DAYS[period] - 1) * 86_400_000), to: dayOf(now.getTime()) };
}
