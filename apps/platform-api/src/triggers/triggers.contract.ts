import { RunBudget, UNITS } from '@millwright/budgets';
import { endpoint } from '@millwright/http';
import { isTimezone, isZonedExpression } from '@millwright/jobs/schedules';
import {
  CONTEXTS,
  DISABLED_REASONS,
  FIRING_REASONS,
  FIRING_SOURCES,
  FIRING_STATES,
  LONGEST_TEMPLATE,
  MISSED,
  OVERLAPS,
  SIGNATURES,
  templateFault,
  TRIGGER_KINDS,
} from '@millwright/runs/triggers';
import { timestamp } from '@millwright/records';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const Status = z.enum(['active', 'inactive']);

/** Mask of a secret in stored answers. */
export const KEPT = '********';

export const Trigger = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(TRIGGER_KINDS),
  status: Status,
  /**
   * The reason why the platform made the trigger inactive: the owner lost the right to run it, or too many firings failed. Null when a user made it
   * inactive.
   */
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  /** Slug of the agent that the trigger starts. */
  agent: z.string(),
  input: z.string(),
  context: z.enum(CONTEXTS),
  /** The conversation that all runs of the trigger share; null while there is no such conversation. */
  context_id: z.string().nullable(),
  overlap: z.enum(OVERLAPS),
  missed: z.enum(MISSED),
  schedule: z.string().nullable(),
  timezone: z.string().nullable(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  /** Next scheduled time. */
  next_at: z.string().nullable(),
  /** Path for posts, below the address of the runtime API. */
  path: z.string().nullable(),
  signature: z.enum(SIGNATURES).nullable(),
  /** Time until which posts may also be signed with the former secret. */
  former_secret_until: z.string().nullable(),
  /** Limit of each run's spending, including the runs that its agent starts. */
  budget: z.object({ unit: z.enum(UNITS), amount: z.number() }).nullable(),
  owner: z.object({ id: z.string(), name: z.string() }),
  max_failures: z.int(),
  /** Number of consecutive failed firings. */
  failures: z.int(),
  /** Number of firings so far. */
  firings: z.int(),
  last_fired_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Trigger = z.output<typeof Trigger>;

/** Only the answer to the request that generated the secret contains the secret. */
export const TriggerWithSecret = Trigger.extend({ secret: z.string().nullable() });

const Secret = z
  .string()
  .min(16)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks');

const schedule = {
  schedule: z
    .string()
    .max(200)
    .refine(isZonedExpression, 'must be five fields of cron with at least one time, such as 0 9 * * MON-FRI'),
  timezone: z.string().max(64).refine(isTimezone, 'must be a name of the IANA database, such as Europe/Berlin'),
  starts_at: timestamp.nullable(),
  ends_at: timestamp.nullable(),
};

const fields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000),
  agent: z.string().min(1).max(100),
  input: z
    .string()
    .max(LONGEST_TEMPLATE)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .superRefine((text, context) => {
      const fault = templateFault(text);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    }),
  context: z.enum(CONTEXTS),
  overlap: z.enum(OVERLAPS),
  missed: z.enum(MISSED),
  ...schedule,
  signature: z.enum(SIGNATURES),
  budget: RunBudget.nullable(),
  max_failures: z.int().min(1).max(1_000),
};

export const NewTrigger = z.strictObject({
  ...fields,
  kind: z.enum(TRIGGER_KINDS),
  description: fields.description.default(''),
  context: fields.context.default('new'),
  overlap: fields.overlap.optional(),
  missed: fields.missed.default('skip'),
  schedule: fields.schedule.optional(),
  timezone: fields.timezone.optional(),
  starts_at: fields.starts_at.optional(),
  ends_at: fields.ends_at.optional(),
  signature: fields.signature.optional(),
  secret: Secret.optional(),
  budget: fields.budget.default(null),
  max_failures: fields.max_failures.default(10),
});
export type NewTrigger = z.output<typeof NewTrigger>;

export const TriggerChanges = z
  .strictObject({
    ...fields,
    status: Status,
    /** Id of the new owner. Only the id of the caller is accepted, because runs of the trigger act for the owner. */
    owner_id: z.string().max(100),
  })
  .partial();
export type TriggerChanges = z.output<typeof TriggerChanges>;

export const Firing = z.object({
  id: z.string(),
  number: z.int(),
  source: z.enum(FIRING_SOURCES),
  /** The scheduled time, or the time of receipt. */
  at: z.string(),
  state: z.enum(FIRING_STATES),
  /** Reason why the firing was skipped or failed. */
  reason: z.enum(FIRING_REASONS).nullable(),
  /** The run of the firing; null before the run has started, and for a firing that starts no run. */
  run_id: z.string().nullable(),
  /** Message that the agent receives. */
  input: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
});
export type Firing = z.output<typeof Firing>;

export const FiringQuery = z.object({
  state: z.enum(FIRING_STATES).optional(),
  cursor: z.string().max(20).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type FiringQuery = z.output<typeof FiringQuery>;

export const Test = z.strictObject({
  /** The body of the simulated post. */
  body: z.string().max(100_000).optional(),
});
export type Test = z.output<typeof Test>;

export const NewSecret = z.strictObject({
  /** Secret; when omitted, the platform generates one. */
  secret: Secret.optional(),
});

export const TimesQuery = z.object({
  schedule: schedule.schedule,
  timezone: schedule.timezone.default('UTC'),
  starts_at: timestamp.optional(),
  ends_at: timestamp.optional(),
});
export type TimesQuery = z.output<typeof TimesQuery>;

const params = z.object({ trigger_id: z.string() });
const one = { status: 200, description: 'The trigger', body: Trigger } as const;

const triggers = { tag: 'Triggers', limit: 'credential', access: { scope: 'admin' } } as const;

export const listTriggers = endpoint({
  ...triggers,
  operationId: 'listTriggers',
  method: 'GET',
  path: '/api/v1/triggers',
  summary: 'List triggers',
  query: ListQuery,
  success: { status: 200, description: 'A page of triggers', body: listOf(Trigger) },
  errors: [],
});

export const createTrigger = endpoint({
  ...triggers,
  operationId: 'createTrigger',
  method: 'POST',
  path: '/api/v1/triggers',
  summary:
    'Create a trigger whose runs act for you. The answer of a webhook trigger has the secret of its posts, once.',
  body: NewTrigger,
  success: {
    status: 201,
    description: 'The new trigger, with the secret of a webhook trigger',
    body: TriggerWithSecret,
  },
  errors: ['conflict', 'quota_exceeded'],
  long: true,
});

export const listTriggerTimes = endpoint({
  ...triggers,
  operationId: 'listTriggerTimes',
  method: 'GET',
  path: '/api/v1/triggers/times',
  summary: 'List the next five times of a schedule',
  query: TimesQuery,
  success: { status: 200, description: 'The times, oldest first', body: z.object({ times: z.array(z.string()) }) },
  errors: [],
});

export const getTrigger = endpoint({
  ...triggers,
  operationId: 'getTrigger',
  method: 'GET',
  path: '/api/v1/triggers/{trigger_id}',
  summary: 'Retrieve a trigger',
  params,
  success: one,
  errors: [],
});

export const updateTrigger = endpoint({
  ...triggers,
  operationId: 'updateTrigger',
  method: 'PATCH',
  path: '/api/v1/triggers/{trigger_id}',
  summary: 'Update fields of a trigger. What its runs do is changed by its owner alone; owner_id makes you the owner.',
  params,
  body: TriggerChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteTrigger = endpoint({
  ...triggers,
  operationId: 'deleteTrigger',
  method: 'DELETE',
  path: '/api/v1/triggers/{trigger_id}',
  summary: 'Delete a trigger with its firings; its runs stay',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});

export const rotateTriggerSecret = endpoint({
  ...triggers,
  operationId: 'rotateTriggerSecret',
  method: 'POST',
  path: '/api/v1/triggers/{trigger_id}/rotate-secret',
  summary: 'Replace the secret of a webhook trigger. Posts may be signed with either secret for 24 hours.',
  params,
  body: NewSecret,
  success: { status: 200, description: 'The trigger and its new secret', body: TriggerWithSecret },
  errors: ['conflict', 'precondition_failed'],
});

export const fireTrigger = endpoint({
  ...triggers,
  operationId: 'fireTrigger',
  method: 'POST',
  path: '/api/v1/triggers/{trigger_id}/fire',
  summary: 'Fire an active trigger now, as a test',
  params,
  body: Test,
  success: { status: 202, description: 'The firing, whose run starts within seconds', body: Firing },
  errors: ['conflict'],
});

export const listTriggerFirings = endpoint({
  ...triggers,
  operationId: 'listTriggerFirings',
  method: 'GET',
  path: '/api/v1/triggers/{trigger_id}/firings',
  summary: 'List the firings of a trigger, newest first',
  params,
  query: FiringQuery,
  success: {
    status: 200,
    description: 'A page of firings',
    body: z.object({ items: z.array(Firing), next_cursor: z.string().nullable() }),
  },
  errors: [],
});
