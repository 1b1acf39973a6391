import { storableText, type Tx } from '@millwright/db';
import { recordEvents } from '@millwright/events';
import { currentTraceId } from '@millwright/telemetry';
import { insertEvents, stateEvent } from './events.js';
import { ERROR_LENGTH, type NewRun, type RunError } from './run.js';
import { storedCaller } from './runs.store.js';
import type { ModelStep } from './step.js';
import { webhookEvent } from './webhook-events.js';

/** Limits of what is kept, in characters. */
const ANSWER_LENGTH = 1_000_000;
const ADDED_LENGTH = 256 * 1024;

/** What a run came to that one process executed from its beginning to its end. */
export interface EndedRun {
  state: 'completed' | 'failed';
  startedAt: Date;
  steps: readonly (ModelStep & { endedAt: Date })[];
  output?: string | undefined;
  error?: RunError | undefined;
}

const text = (value: string | undefined, length = ANSWER_LENGTH) =>
  value === undefined ? null : storableText(value.slice(0, length));

/** Messages that are too long are left out: they are in the conversation, or the request had them. */
const messages = (added: object | undefined) =>
  added && JSON.stringify(added).length <= ADDED_LENGTH ? added : undefined;

const toRow = ({ error, answer, usage, ...step }: EndedRun['steps'][number], index: number) => ({
  seq: index + 1,
  outcome: error ? 'failed' : 'succeeded',
  model: step.model,
  parameters: step.parameters,
  added: messages(step.added),
  answer: text(answer?.text),
  untrusted: answer?.untrusted,
  prompt_tokens: usage?.promptTokens,
  completion_tokens: usage?.completionTokens,
  cost_usd: usage?.costUsd,
  started_at: step.startedAt,
  first_token_at: step.firstTokenAt,
  ended_at: step.endedAt,
  error_code: error?.code,
  error_status: error?.status,
  error_text: text(error?.text, ERROR_LENGTH),
});

/** Stores a run that has ended, with its calls of the model, by one statement; and reports it to webhooks. */
export async function addEndedRun(tx: Tx, run: NewRun, ended: EndedRun): Promise<void> {
  const { id, caller, subject, channel, input, idempotencyKey } = run;
  const { state, startedAt, steps, output, error } = ended;
  const rows = JSON.stringify(steps.map(toRow));
  const change = { ...(error && { error }) };
  const events = [stateEvent('running'), stateEvent(state, error && { code: error.code })];
  const known = steps.flatMap(({ usage }) => usage?.costUsd ?? []);
  const sum = (of: 'promptTokens' | 'completionTokens') =>
    steps.reduce((total, { usage }) => total + (usage?.[of] ?? 0), 0);
  await tx.$executeRaw`
    WITH changed AS (
      INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, credential_kind,
                        credential_id, caller, input, output, model, idempotency_key, trace_id, state, attempt, queued_at, started_at,
                        ended_at, step_count, event_count, prompt_tokens, completion_tokens, cost_usd, error_code, error_status, error_text)
      VALUES (${id}::uuid, ${caller.project}, ${caller.actor.userId}::uuid, ${subject.kind}, ${subject.id}::uuid, ${subject.name},
              ${subject.version}::int, ${channel}, ${caller.credential?.kind ?? null}, ${caller.credential?.id ?? null},
              ${JSON.stringify(storedCaller(caller))}::json,
              ${input === undefined ? null : storableText(JSON.stringify(input))}::json, ${text(output)},
              ${steps.at(-1)?.model ?? run.model ?? null}, ${idempotencyKey ?? null}, ${run.traceId ?? currentTraceId() ?? null},
              ${state}, 1, ${startedAt}::timestamptz, ${startedAt}::timestamptz, now(), ${steps.length}::int, ${events.length}::int,
              ${sum('promptTokens')}::bigint, ${sum('completionTokens')}::bigint,
              ${known.length === 0 ? null : known.reduce((a, b) => a + b)}::numeric,
              ${error?.code ?? null}, ${error?.status ?? null}::int, ${text(error?.text, ERROR_LENGTH)})
      RETURNING id, event_count),
    step AS (
      INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, model, parameters, added, answer, untrusted, prompt_tokens,
                             completion_tokens, cost_usd, started_at, first_token_at, ended_at, error_code, error_status, error_text)
      SELECT c.id, s.seq, 1, 'model', s.outcome, s.model, s.parameters, s.added, s.answer, s.untrusted, s.prompt_tokens,
             s.completion_tokens, s.cost_usd, s.started_at, s.first_token_at, s.ended_at, s.error_code, s.error_status, s.error_text
        FROM changed c, json_to_recordset(${rows}::json) s (seq int, outcome text, model text, parameters json, added json, answer text,
             untrusted boolean, prompt_tokens int, completion_tokens int, cost_usd numeric, started_at timestamptz,
             first_token_at timestamptz, ended_at timestamptz, error_code text, error_status int, error_text text))
    ${insertEvents(events)}`;
  const row = { id, project: caller.project, channel, subject_kind: subject.kind, subject_name: subject.name };
  await recordEvents(tx, [webhookEvent({ ...row, subject_version: subject.version }, state, change)]);
}
