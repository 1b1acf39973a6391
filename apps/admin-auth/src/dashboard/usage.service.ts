import { allProjects } from '@millwright/accounts/projects';
import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { createBusiestStore } from './busiest.store.js';
import { createCountedStore } from './counted.store.js';
import { periodOf, timesOf, type PeriodName } from './usage-period.js';
import type { Figure, Usage } from './usage.contract.js';
import { createUsedStore } from './used.store.js';

/** Creates a function that returns the usage figures of a period. */
export function createUsage(db: Database) {
  const [counts, uses, busiest] = [createCountedStore(db), createUsedStore(db), createBusiestStore(db)];

  return async (name: PeriodName, project: Project | null, now: Date): Promise<Usage> => {
    const period = periodOf(name, now);
    const projects = project === null ? await allProjects(db.prisma) : [project];
    const [counted, used, busy] = await Promise.all([
      counts.counted(projects, period),
      uses.used(projects, period),
      busiest(projects, period),
    ]);
    const times = timesOf(period);

    const figure = <Values>(
      { at, total, before }: { at: (time: Date) => Values; total: Values; before: Values | undefined },
      read: (values: Values) => number | null,
    ): Figure => ({
      value: read(total),
      before: before === undefined ? null : read(before),
      points: times.map((time) => read(at(time))),
    });

    return {
      period: name,
      project,
      interval: period.interval,
      times: times.map((time) => time.toISOString()),
      figures: {
        requests: figure(counted, ({ requests }) => requests),
        errors: figure(counted, ({ errors }) => errors),
        latency_p95_ms: figure(counted, ({ latency_p95_ms }) => latency_p95_ms),
        agent_messages: figure(used, ({ agent_messages }) => agent_messages),
        tokens: figure(used, ({ tokens }) => tokens),
        cost_usd: figure(used, ({ cost_usd }) => cost_usd),
        active_users: figure(used, ({ active_users }) => active_users),
      },
      unpriced_tokens: used.total.unpriced_tokens,
      busiest: busy,
    };
  };
}
