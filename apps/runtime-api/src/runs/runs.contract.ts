import { LEVELS, RunBudget } from '@millwright/budgets';
import { TOOL_RULES } from '@millwright/auth/tool-rules';
import { endpoint } from '@millwright/http';
import {
  CANCEL_REASONS,
  CHANNELS,
  METADATA_MAX_BYTES,
  RUN_STATES,
  STEP_OUTCOMES,
  WAIT_REASONS,
} from '@millwright/runs';
import { timestamp } from '@millwright/records';
import { z } from 'zod';
import { ImageRecord } from '../conversations/contexts.contract.js';
import { hasContent, messageFields, NO_CONTENT } from '../conversations/new-message.js';
import { AGENT_EVENTS } from '../conversations/progress.js';

const amount = z.coerce.number().min(0).max(1_000_000_000);

/** Greatest position in the queue that is computed for a run. */
export const MOST_QUEUED_COUNTED = 1_000;

/** The query parameters of the page after `cursor`. */
const Page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(100).optional().meta({ description: 'The `next_cursor` of an earlier answer' }),
});

const next_cursor = z.string().nullable().meta({ description: 'Cursor of the next page; null on the last page' });

const isWaitReason = (text: string) => WAIT_REASONS.some((reason) => reason === text);

export const RunListQuery = Page.extend({
  agent: z.string().max(200).optional().meta({ description: 'Name or id of an agent' }),
  prompt: z.uuid().optional(),
  conversation_id: z.uuid().optional().meta({ description: 'A conversation of the prompt API' }),
  user: z.string().max(100).optional().meta({ description: 'Id of a user' }),
  state: z.enum(RUN_STATES).optional(),
  waiting_for: z
    .string()
    .max(200)
    .refine((text) => text.split(',').every(isWaitReason), `is not a list of ${WAIT_REASONS.join(', ')}`)
    .optional()
    .meta({ description: `What the run waits for; several of ${WAIT_REASONS.join(', ')} are separated by commas` }),
  channel: z.enum(CHANNELS).optional(),
  model: z.string().max(200).optional(),
  tool: z.string().max(200).optional().meta({ description: 'Name of a tool that the run called' }),
  since: timestamp.optional().meta({ description: 'Runs that were started at this time or later' }),
  until: timestamp.optional().meta({ description: 'Runs that were started before this time' }),
  min_cost: amount.optional().meta({ description: 'US dollars' }),
  min_duration: amount.optional().meta({ description: 'Seconds since the run began to execute' }),
  has_error: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Whether the run or one of its steps failed, or the outcome of one is unknown' }),
});
export type RunListQuery = z.output<typeof RunListQuery>;

export const StepListQuery = Page.extend({ outcome: z.enum(STEP_OUTCOMES).optional() });
export type StepListQuery = z.output<typeof StepListQuery>;

export const RunFault = z.object({
  code: z.string(),
  message: z.string(),
  status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the upstream server; only with the scope `runs:read_all`' }),
  detail: z
    .string()
    .nullable()
    .meta({ description: 'Error text of the upstream server; only with the scope `runs:read_all`' }),
});
export type RunFault = z.output<typeof RunFault>;

/** One execution of an agent, a prompt or a model. */
export const Run = z.object({
  id: z.string(),
  state: z.enum(RUN_STATES),
  waiting_for: z.enum(WAIT_REASONS).nullable(),
  state_at: z.string().meta({ description: 'Time at which the run entered this state' }),
  subject: z.object({
    kind: z.enum(['agent', 'prompt', 'model']),
    id: z.string().nullable().meta({ description: 'Null: the built-in agent, or a model' }),
    name: z.string(),
    version: z.int().nullable(),
  }),
  user: z.object({ id: z.string(), name: z.string() }),
  channel: z.enum(CHANNELS),
  title: z.string().nullable().meta({ description: 'Beginning of the message that the run answers' }),
  context_id: z.string().nullable(),
  conversation: z
    .object({
      id: z.string(),
      message_id: z.string().nullable().meta({ description: 'The message there that is its answer' }),
    })
    .nullable()
    .meta({ description: "The conversation of the prompt API that a prompt's run has begun or continued" }),
  parent_id: z.string().nullable().meta({ description: 'The run whose agent started this one' }),
  retry_of: z.string().nullable().meta({ description: 'The run that this one repeats' }),
  model: z.string().nullable(),
  steps: z.int(),
  tool_calls: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cost_usd: z.number().nullable().meta({ description: 'Cost in US dollars; null: the price is unknown' }),
  queued_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  error: RunFault.nullable(),
  feedback: z.enum(['up', 'down']).nullable(),
});
export type Run = z.output<typeof Run>;

const Connection = z.object({ server_id: z.string(), name: z.string(), connect_url: z.string() });

/** The account for which a descendant of a run waits. */
export const ConnectionBelow = Connection.extend({ run_id: z.string() });
export type ConnectionBelow = z.output<typeof ConnectionBelow>;

export const RunDetail = Run.extend({
  is_own: z.boolean().meta({ description: "Whether it is the caller's own" }),
  attempt: z.int().meta({ description: 'Number of processes that have executed the run' }),
  queue_position: z
    .int()
    .nullable()
    .meta({
      description: `Of a queued run: its position among those of the project that wait for a place, from 1; counted up to ${MOST_QUEUED_COUNTED}`,
    }),
  input: z.string().nullable().meta({ description: 'Message that the run answers' }),
  images: z.array(ImageRecord).meta({ description: 'Images of that message' }),
  data: z.unknown().meta({ description: 'Input of the run besides the message' }),
  output: z.string().nullable().meta({ description: 'Answer of the run' }),
  feedback_comment: z.string().nullable(),
  credential: z.string().nullable().meta({ description: 'The kind of credential that started it' }),
  actors: z
    .array(
      z.object({
        issuer: z.string().nullable().meta({ description: 'Issuer that names the actor; null: this installation' }),
        sub: z.string().meta({ description: 'Id of an agent or a client' }),
        version: z.int().nullable().meta({ description: 'Version of the agent' }),
      }),
    )
    .meta({
      description: 'The agents and clients for which that credential acts, the nearest first (`act` of RFC 8693)',
    }),
  metadata: z.unknown(),
  trace_id: z.string().nullable(),
  content_removed_at: z.string().nullable().meta({
    description: 'When retention removed the texts of its steps; those of its conversation are kept with that',
  }),
  budget: z
    .object({ id: z.string(), name: z.string(), level: z.enum(LEVELS) })
    .nullable()
    .meta({ description: 'The budget that it waits for' }),
  connection: Connection.nullable().meta({
    description: 'The MCP server at which it waits for an account of its user',
  }),
});
export type RunDetail = z.output<typeof RunDetail>;

const AskedCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

/** One call of a model or of a tool. */
export const RunStep = z.object({
  seq: z.int(),
  kind: z.enum(['model', 'tool']),
  outcome: z.enum(STEP_OUTCOMES),
  awaits_outcome: z
    .boolean()
    .meta({ description: 'Whether the run waits for a person to state whether this call had its effect' }),
  attempt: z.int(),
  asked_by: z
    .int()
    .nullable()
    .meta({ description: "The step of the model's answer that asked for this call of a tool" }),
  model: z.string().nullable(),
  parameters: z.unknown(),
  answer: z.string().nullable(),
  calls: z.array(AskedCall).nullable().meta({ description: "Calls of tools that the model's answer asks for" }),
  tool: z.string().nullable(),
  server: z.string().nullable().meta({ description: "Id of the tool's MCP server or plugin" }),
  definition_hash: z.string().nullable().meta({ description: "SHA-256 of the tool's definition, hexadecimal" }),
  rule: z
    .enum(TOOL_RULES)
    .nullable()
    .meta({ description: "The tool's rule when the call was made or refused; null: no such tool, or not kept" }),
  arguments: z.string().nullable(),
  child_id: z.string().nullable().meta({ description: 'The run that the call of an agent has started' }),
  result: z.string().nullable(),
  untrusted: z.boolean().nullable().meta({ description: 'Whether untrusted text influenced the step' }),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  cost_usd: z.number().nullable(),
  started_at: z.string(),
  first_token_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  error: RunFault.nullable(),
});
export type RunStep = z.output<typeof RunStep>;

const ReadMessage = z.object({
  role: z.string(),
  content: z.string(),
  calls: z.array(AskedCall).nullable(),
});

export const RunStepDetail = RunStep.extend({
  messages: z.array(ReadMessage).meta({
    description: 'The messages of the conversation that the model read: the last 200, up to 8 MiB, oldest first',
  }),
  added: z.unknown().meta({ description: 'Messages that it read besides those of the conversation' }),
});
export type RunStepDetail = z.output<typeof RunStepDetail>;

export const Feedback = z.strictObject({
  rating: z.enum(['up', 'down']).nullable().meta({ description: 'Null removes the feedback' }),
  comment: z.string().max(2_000).nullable().default(null),
});
export type Feedback = z.output<typeof Feedback>;

/** Limit of the seconds for which a request waits for its run. */
export const MOST_WAIT_S = 60;

export const NewRun = z
  .strictObject({
    agent: z.string().min(1).max(200).meta({ description: 'Name of the agent' }),
    ...messageFields,
    budget: RunBudget.optional().meta({
      description:
        'The most that the run, and the runs that its agent starts, may spend; it waits when that is used up',
    }),
    metadata: z
      .record(z.string().max(200), z.unknown())
      .refine(
        (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_MAX_BYTES,
        `must be at most ${METADATA_MAX_BYTES / 1024} KiB of JSON`,
      )
      .default({})
      .meta({ description: `Kept with the run; at most ${METADATA_MAX_BYTES / 1024} KiB of JSON` }),
  })
  .refine(hasContent, NO_CONTENT);

const Prefer = z.object({
  prefer: z
    .string()
    .optional()
    .meta({ description: `\`wait=N\`: seconds to wait for the end of the run, at most ${MOST_WAIT_S} (RFC 7240)` }),
});

/** A person's decision about the outcome of a tool call whose answer was lost. */
export const OutcomeDecision = z.strictObject({
  step: z.int().min(1).max(1_000_000).meta({ description: 'The step whose outcome is unknown' }),
  outcome: z
    .enum(['happened', 'did_not_happen', 'stop'])
    .meta({ description: '`stop` cancels the run; otherwise it goes on once every such step is decided' }),
  note: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: 'Note that the model reads, such as the number of an order' }),
});
export type OutcomeDecision = z.output<typeof OutcomeDecision>;

export const RunState = z.object({ id: z.string(), state: z.enum(RUN_STATES) });
export type RunState = z.output<typeof RunState>;

const runs = { tag: 'Runs', limit: 'credential' } as const;
const ofRun = z.object({ run_id: z.string() });

export const listRuns = endpoint({
  ...runs,
  operationId: 'listRuns',
  method: 'GET',
  path: '/api/v1/runs',
  summary: 'List your runs, or with `runs:read_all` those of the project, latest first',
  access: { scope: 'runs:read' },
  expensive: true,
  query: RunListQuery,
  success: {
    status: 200,
    description:
      'A page of runs. Each request looks at 5,000 runs at most: a page with filters may have fewer items than `limit`, or none, and still a `next_cursor`',
    body: z.object({ items: z.array(Run), next_cursor }),
  },
  errors: [],
});

export const getRun = endpoint({
  ...runs,
  operationId: 'getRun',
  method: 'GET',
  path: '/api/v1/runs/{run_id}',
  summary: 'Read a run',
  access: { scope: 'runs:read' },
  params: ofRun,
  success: { status: 200, description: 'The run', body: RunDetail },
  errors: [],
});

/** The events of a run for its followers. Later releases may add events. */
const RUN_EVENTS = {
  'run.queued': z.object({}),
  'run.running': z.object({
    taken_over: z
      .literal(true)
      .optional()
      .meta({ description: 'Another process continues the run; the text of an unfinished step starts again' }),
  }),
  'run.waiting': z.looseObject({ waiting_for: z.enum(WAIT_REASONS) }),
  ...AGENT_EVENTS,
  'run.completed': z.object({}),
  'run.failed': z.object({ code: z.string() }),
  'run.canceled': z.object({
    reason: z.enum(CANCEL_REASONS).optional().meta({ description: 'Why it was canceled, unless a person did that' }),
  }),
};

export const followRun = endpoint({
  ...runs,
  operationId: 'followRun',
  method: 'GET',
  path: '/api/v1/runs/{run_id}/events',
  summary: 'Follow a run: what has happened, and what happens until it ends',
  access: { scope: 'runs:read' },
  params: ofRun,
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,9}$/, 'is not the id of an event')
      .optional()
      .meta({ description: 'Only later events' }),
  }),
  feed: RUN_EVENTS,
  success: {
    status: 200,
    description:
      'The events. The last one is the end of the run; an answer that ends earlier, after an hour, is continued by `Last-Event-ID`',
    also: { status: 204, description: 'The run has ended and has no later events' },
  },
  errors: [],
});

export const listRunSteps = endpoint({
  ...runs,
  operationId: 'listRunSteps',
  method: 'GET',
  path: '/api/v1/runs/{run_id}/steps',
  summary: 'List the steps of a run in order',
  access: { scope: 'runs:read' },
  params: ofRun,
  query: StepListQuery,
  success: {
    status: 200,
    description: 'A page of steps: at most 8 MiB of long texts and one step more',
    body: z.object({ items: z.array(RunStep), next_cursor }),
  },
  errors: [],
});

export const getRunStep = endpoint({
  ...runs,
  operationId: 'getRunStep',
  method: 'GET',
  path: '/api/v1/runs/{run_id}/steps/{seq}',
  summary: 'Read a step of a run, with the messages that the model read',
  access: { scope: 'runs:read' },
  params: ofRun.extend({ seq: z.string() }),
  success: { status: 200, description: 'The step', body: RunStepDetail },
  errors: [],
});

export const putRunFeedback = endpoint({
  ...runs,
  operationId: 'putRunFeedback',
  method: 'PUT',
  path: '/api/v1/runs/{run_id}/feedback',
  summary: 'Rate a run',
  access: { scope: 'agents:message' },
  action: 'run.feedback',
  params: ofRun,
  body: Feedback,
  success: { status: 200, description: 'The feedback', body: Feedback },
  errors: [],
});

const started = {
  status: 202,
  description: 'The run, which goes on; its address is in `Location`',
  body: Run,
  also: { status: 200, description: 'The run, which has ended or waits, within the time of `Prefer: wait`' },
} as const;

export const startRun = endpoint({
  ...runs,
  limit: 'messages',
  operationId: 'startRun',
  method: 'POST',
  path: '/api/v1/runs',
  summary: 'Start a run of an agent, which goes on after the answer',
  access: { scope: 'agents:message' },
  action: 'run.start',
  largeBody: true,
  headers: Prefer,
  body: NewRun,
  success: started,
  errors: ['conflict', 'guard_blocked'],
});

export const Retry = z.strictObject({
  version: z.enum(['current', 'same']).default('current').meta({
    description: '`same`: the version of its agent that the run was started with, within what the agent may do now',
  }),
  budget: RunBudget.optional().meta({
    description: 'The most that the new run may spend; without it, the amount of the budget that the run has, if any',
  }),
});

export const retryRun = endpoint({
  ...runs,
  limit: 'messages',
  operationId: 'retryRun',
  method: 'POST',
  path: '/api/v1/runs/{run_id}/retry',
  summary: 'Start a run again that failed or was canceled, with the present version of its agent or the same',
  access: { scope: 'agents:message' },
  action: 'run.retry',
  params: ofRun,
  headers: Prefer,
  body: Retry,
  bodyOptional: true,
  success: started,
  errors: ['conflict', 'guard_blocked'],
});

export const cancelRun = endpoint({
  ...runs,
  operationId: 'cancelRun',
  method: 'POST',
  path: '/api/v1/runs/{run_id}/cancel',
  summary: 'Cancel a run; canceling it again succeeds',
  access: { scope: 'agents:message' },
  action: 'run.cancel',
  params: ofRun,
  success: { status: 200, description: 'The run is canceled', body: RunState },
  errors: ['conflict'],
});

export const decideRunOutcome = endpoint({
  ...runs,
  operationId: 'decideRunOutcome',
  method: 'POST',
  path: '/api/v1/runs/{run_id}/outcome',
  summary: 'Decide whether a call of a tool had its effect, for a run that waits for it',
  access: { scope: 'runs:approve', or: 'agents:message' },
  action: 'run.outcome',
  params: ofRun,
  body: OutcomeDecision,
  success: { status: 200, description: 'The state of the run', body: RunState },
  errors: ['conflict'],
});
