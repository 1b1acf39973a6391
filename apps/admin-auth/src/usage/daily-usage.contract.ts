import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { calendarDay } from '@millwright/records';
import { z } from 'zod';
import { ShownProject } from '../dashboard/usage.contract.js';

export const GROUPINGS = ['model', 'agent', 'prompt', 'user', 'key', 'project'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Number of days in the period when the request has no `from`. */
export const DEFAULT_DAYS = 30;

/** The project whose usage is returned, and the first and last day. */
export const UsagePeriodQuery = z.object({
  project: ShownProject,
  from: calendarDay.optional().meta({ description: `First day in UTC; ${DEFAULT_DAYS} days up to \`to\` without it` }),
  to: calendarDay.optional().meta({ description: 'Last day in UTC, included, at most 92 days; today without it' }),
});
export const DailyUsageQuery = UsagePeriodQuery.extend({ by: z.enum(GROUPINGS).default('model') });

const used = {
  /** Number of model calls. */
  requests: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  cost_usd: z
    .number()
    .nullable()
    .meta({ description: 'Known part of the cost in US dollars; null: no price is known' }),
};
const Sum = z.object({
  ...used,
  is_cost_complete: z.boolean().meta({ description: 'Whether the prices of all calls were known' }),
});

const Row = Sum.extend({
  id: z.string().meta({ description: 'The model, the project, or the id of the agent, prompt, user or API key' }),
  name: z.string().nullable().meta({ description: 'Name; null for a deleted record. For an API key with its owner' }),
});
export type UsageRow = z.output<typeof Row>;

const Series = z.object({
  id: z.string().nullable().meta({ description: 'Id of the row in `rows`; null for the sum of all others' }),
  points: z.array(z.object(used)).meta({ description: 'One for each of `days`' }),
});

const DailyUsage = z.object({
  project: ProjectId.nullable().meta({ description: 'Project; null: all projects' }),
  by: z.enum(GROUPINGS),
  days: z.array(z.string()),
  rows: z.array(Row).meta({ description: 'Most tokens first; at most 100' }),
  series: z.array(Series).meta({ description: 'The first seven rows by day, then all others' }),
  totals: Sum,
});
export type DailyUsage = z.output<typeof DailyUsage>;

export const getDailyUsage = endpoint({
  operationId: 'getDailyUsage',
  method: 'GET',
  path: '/admin/api/usage',
  summary: 'What models used, by day',
  tag: 'Reports',
  access: { role: ['admin', 'project_admin'] },
  limit: 'credential',
  query: DailyUsageQuery,
  success: {
    status: 200,
    description: 'Of one project, or of all of them for a platform admin who names none',
    body: DailyUsage,
  },
  errors: [],
});
