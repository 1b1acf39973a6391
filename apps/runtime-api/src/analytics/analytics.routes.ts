import { route, type Route } from '@millwright/http';
import { getMetrics, METRICS, type Metric, type Series } from './analytics.contract.js';
import type { AnalyticsStore, Usage } from './analytics.store.js';
import { daysOf, parsePeriod, type Period } from './period.js';

export function analyticsRoutes(analytics: AnalyticsStore, now: () => Date): Route[] {
  return [
    route(getMetrics, async ({ caller, query }) => {
      const period = parsePeriod(query, now());
      const usage = await analytics.usage(caller.project, period);
      if (query.metric) return { body: seriesOf(query.metric, period, usage) };
      return { body: { metrics: METRICS.map((metric) => seriesOf(metric, period, usage)) } };
    }),
  ];
}

/** Returns one point for every day of the period. */
function seriesOf(metric: Metric, period: Period, { byDay, total }: Usage): Series {
  const points = daysOf(period).map((date) => ({ date, value: byDay.get(date)?.[metric] ?? 0 }));
  const unpriced = metric === 'model_cost_usd' && { unpriced_events: total.unpriced_events };
  return { metric, ...period, interval: 'day', points, total: total[metric], ...unpriced };
}
