import { endpoint } from '@millwright/http';
import { calendarDay } from '@millwright/records';
import { z } from 'zod';

/** The metrics. Each has one value for each day. */
export const METRICS = [
  'requests',
  'errors',
  'latency_p95_ms',
  'agent_messages',
  'model_tokens',
  'model_cost_usd',
  'mcp_calls',
  'content_searches',
  'active_users',
] as const;
export type Metric = (typeof METRICS)[number];

export const MetricsQuery = z.object({
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  metric: z.enum(METRICS).optional(),
});
export type MetricsQuery = z.output<typeof MetricsQuery>;

export const Series = z.object({
  metric: z.enum(METRICS),
  from: z.string(),
  to: z.string(),
  interval: z.literal('day'),
  points: z.array(z.object({ date: z.string(), value: z.number() })),
  total: z.number().meta({
    description: 'Value of the whole period: a user active on two days counts once, a percentile is of all requests',
  }),
  unpriced_events: z.int().optional().meta({
    description: 'Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out',
  }),
});
export type Series = z.output<typeof Series>;

export const getMetrics = endpoint({
  operationId: 'getMetrics',
  method: 'GET',
  path: '/api/v1/analytics/metrics',
  tag: 'Analytics',
  summary: 'A metric by day in UTC, or all of them; by default of the last 30 days',
  access: { scope: 'analytics:read' },
  limit: 'credential',
  query: MetricsQuery,
  success: {
    status: 200,
    description:
      'The metric, or `metrics` without one. Requests are those of the platform, runtime and prompt API with a known caller; errors are those answered 400 or above. Both appear within seconds.',
    body: z.union([Series, z.object({ metrics: z.array(Series) })]),
  },
  errors: [],
});
