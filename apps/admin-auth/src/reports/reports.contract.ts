import { endpoint } from '@millwright/http';
import { z } from 'zod';

export const ReportQuery = z.object({
  /** A month in UTC. Default: the current month. */
  month: z
    .string()
    .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-03')
    .optional(),
});

const used = {
  /** Number of model calls. */
  requests: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  /** Cost in US dollars; null when the price of a used model is unknown. */
  cost_usd: z.number().nullable(),
  unpriced_events: z.int().meta({ description: 'Calls of models whose price is not known' }),
};

const Row = z.object({
  project: z.string(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  model: z.string(),
  ...used,
});
export type ReportRow = z.output<typeof Row>;

const Sums = z
  .array(
    z.object({
      name: z.string().nullable().meta({ description: 'Name; null for the sum of all others' }),
      /** Number of models, users or projects in the sum. */
      count: z.int(),
      tokens_in: z.int(),
      tokens_out: z.int(),
    }),
  )
  .meta({ description: 'The most tokens first' });

/** Limit of the rows of an answer. */
export const MOST_ROWS = 500;
/** Limit of the sums by model, user or project, and of the models without a price. */
export const MOST_SUMS = 12;

export const Report = z.object({
  month: z.string(),
  rows: z.array(Row).meta({ description: `At most ${MOST_ROWS}, the most tokens first; the CSV has all` }),
  row_count: z.int().meta({ description: 'Number of rows of the month' }),
  totals: z.object(used),
  by_model: Sums,
  by_user: Sums,
  by_project: Sums,
  unpriced_models: z
    .array(z.string())
    .meta({ description: `Models with usage whose price is not known, at most ${MOST_SUMS}` }),
});
export type MonthReport = z.output<typeof Report>;

export const getInternalReport = endpoint({
  operationId: 'getInternalReport',
  method: 'GET',
  path: '/admin/api/reports/internal',
  summary: 'What a month used, by project, user and model',
  tag: 'Reports',
  access: { role: 'platform_admin' },
  limit: 'credential',
  query: ReportQuery,
  success: {
    status: 200,
    description: 'The month',
    body: Report,
  },
  errors: [],
});
