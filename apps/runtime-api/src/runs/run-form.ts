import { actorsOf, type ActorClaim } from '@millwright/auth/actors';
import type { Level } from '@millwright/budgets';
import { BUILT_IN_AGENT } from '@millwright/catalog';
import { encodeId } from '@millwright/db';
import { catalogue } from '@millwright/errors';
import {
  awaitsOutcome,
  waitData,
  type Channel,
  type RunState,
  type StepOutcome,
  type WaitReason,
} from '@millwright/runs';
import { toImageRecord } from '../conversations/context-images.store.js';
import type { MessageImage } from '@millwright/runs/message-images';
import { titleOf } from '../conversations/title.js';
import { MOST_QUEUED_COUNTED, type Run, type RunDetail, type RunFault, type RunStep } from './runs.contract.js';

interface FaultRow {
  error_code: string | null;
  error_status: number | null;
  error_text: string | null;
}

export interface RunRow extends FaultRow {
  id: string;
  user_id: string;
  user_name: string;
  subject_kind: 'agent' | 'prompt' | 'model';
  subject_id: string;
  subject_name: string;
  subject_version: number | null;
  channel: Channel;
  parent_id: string | null;
  retry_of: string | null;
  context_id: string | null;
  conversation_id: string | null;
  answer_id: string | null;
  title: string | null;
  state: RunState;
  waiting_for: WaitReason | null;
  state_at: Date;
  model: string | null;
  step_count: number;
  tool_call_count: number;
  prompt_tokens: string;
  completion_tokens: string;
  cost_usd: string | null;
  queued_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  feedback: 'up' | 'down' | null;
}

export interface RunDetailRow extends RunRow {
  message_id: string | null;
  attempt: number;
  queue_position: number | null;
  input: string | null;
  input_source: string | null;
  images: MessageImage[] | null;
  data: unknown;
  answer: string | null;
  feedback_comment: string | null;
  credential_kind: string | null;
  act: ActorClaim | null;
  metadata: unknown;
  trace_id: string | null;
  content_removed_at: Date | null;
  budget: { id: string; name: string; level: Level } | null;
  connection: { server: string; name: string; url: string } | null;
}

const TITLE_CHARACTERS = 200;

/** The selected columns of {@link RunRow}; `r` is the run. */
export const RUN_COLUMNS = `r.id, r.user_id, (SELECT u.name FROM users u WHERE u.id = r.user_id) AS user_name,
  r.subject_kind, r.subject_id, r.subject_name, r.subject_version, r.channel, r.parent_id, r.retry_of, r.context_id,
  r.conversation_id, r.answer_id,
  (SELECT ${titleOf('m', TITLE_CHARACTERS)} FROM context_messages m WHERE m.id = r.message_id) AS title,
  r.state, r.waiting_for, r.state_at, r.error_code, r.error_status, r.error_text, r.model, r.step_count, r.tool_call_count,
  r.prompt_tokens, r.completion_tokens, r.cost_usd, r.queued_at, r.started_at, r.ended_at, r.feedback`;

/** The selected columns of {@link RunDetailRow}. */
export const RUN_DETAIL_COLUMNS = `${RUN_COLUMNS}, r.message_id, r.attempt,
  CASE WHEN r.state = 'queued' AND r.depth = 0 THEN 1 + (
    SELECT count(*)::int FROM (
      SELECT FROM runs q WHERE q.project = r.project AND q.state = 'queued' AND q.depth = 0 AND q.id < r.id
       LIMIT ${MOST_QUEUED_COUNTED - 1}) ahead) END AS queue_position,
  (SELECT m.content FROM context_messages m WHERE m.id = r.message_id) AS input,
  (SELECT m.source FROM context_messages m WHERE m.id = r.message_id) AS input_source,
  (SELECT m.images FROM context_messages m WHERE m.id = r.message_id) AS images, r.input AS data,
  coalesce(r.output, (SELECT m.content FROM context_messages m WHERE m.id = r.answer_id)) AS answer,
  r.feedback_comment, r.credential_kind, r.caller -> 'delegation' -> 'act' AS act, r.metadata, r.trace_id, r.content_removed_at,
  CASE WHEN r.waiting_for = 'budget' THEN (
    SELECT json_build_object('id', b.id, 'name', b.name, 'level', b.level)
      FROM budget_waits t JOIN budgets b ON b.id = t.budget_id WHERE t.run_id = r.id) END AS budget,
  CASE WHEN r.waiting_for = 'connection' THEN ${waitData('r')} END AS connection`;

export interface StepRow extends FaultRow {
  seq: number;
  kind: 'model' | 'tool';
  outcome: StepOutcome;
  attempt: number;
  asked_by: number | null;
  model: string | null;
  parameters: unknown;
  answer: string | null;
  calls: RunStep['calls'];
  tool: string | null;
  server: string | null;
  definition_hash: Buffer | null;
  rule: RunStep['rule'];
  arguments: string | null;
  child_id: string | null;
  awaits_outcome: boolean;
  result: string | null;
  untrusted: boolean | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  cost_usd: string | null;
  started_at: Date;
  first_token_at: Date | null;
  ended_at: Date | null;
}

/** The selected columns of {@link StepRow}; `r` is the step. */
export const STEP_COLUMNS = `r.seq, r.kind, r.outcome, r.attempt, r.asked_by, r.model, r.parameters, r.answer, r.calls, r.tool,
  r.server, r.definition_hash, r.rule, r.arguments,
  (SELECT c.id FROM runs c WHERE c.parent_id = r.run_id AND c.parent_step = r.seq) AS child_id,
  EXISTS (SELECT FROM runs w WHERE w.id = r.run_id AND ${awaitsOutcome('w', 'r')}) AS awaits_outcome, r.result, r.untrusted, r.prompt_tokens, r.completion_tokens, r.cost_usd,
  r.started_at, r.first_token_at, r.ended_at, r.error_code, r.error_status, r.error_text`;

/** Determines which details of failures a response contains. Only readers of all users' runs get the error messages of upstreams. */
export interface FaultView {
  showsUpstream: boolean;
}

function toFault(
  { error_code: code, error_status, error_text }: FaultRow,
  { showsUpstream }: FaultView,
): RunFault | null {
  if (code === null) return null;
  const known = Object.entries(catalogue).find(([name]) => name === code)?.[1] ?? catalogue.internal_error;
  const { message } = known;
  return showsUpstream
    ? { code, message, status: error_status, detail: error_text }
    : { code, message, status: null, detail: null };
}

const timeOf = (time: Date | null) => time?.toISOString() ?? null;
const costOf = (cost: string | null) => (cost === null ? null : Number(cost));

function subjectOf({
  subject_kind: kind,
  subject_id,
  subject_name: name,
  subject_version: version,
}: RunRow): Run['subject'] {
  const agent = subject_id === BUILT_IN_AGENT.id ? null : encodeId('ag', subject_id);
  const ids = { agent, prompt: subject_id, model: null };
  return { kind, id: ids[kind], name, version };
}

export function toRun(row: RunRow, view: FaultView): Run {
  return {
    id: encodeId('run', row.id),
    state: row.state,
    waiting_for: row.waiting_for,
    state_at: row.state_at.toISOString(),
    subject: subjectOf(row),
    user: { id: encodeId('usr', row.user_id), name: row.user_name },
    channel: row.channel,
    title: row.title,
    context_id: row.context_id === null ? null : encodeId('ctx', row.context_id),
    conversation: row.conversation_id === null ? null : { id: row.conversation_id, message_id: row.answer_id },
    parent_id: row.parent_id === null ? null : encodeId('run', row.parent_id),
    retry_of: row.retry_of === null ? null : encodeId('run', row.retry_of),
    model: row.model,
    steps: row.step_count,
    tool_calls: row.tool_call_count,
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    cost_usd: costOf(row.cost_usd),
    queued_at: row.queued_at.toISOString(),
    started_at: timeOf(row.started_at),
    ended_at: timeOf(row.ended_at),
    error: toFault(row, view),
    feedback: row.feedback,
  };
}

export function toRunDetail(row: RunDetailRow, view: FaultView & { userId: string }): RunDetail {
  const {
    attempt,
    queue_position,
    input,
    images,
    data,
    answer: output,
    feedback_comment,
    credential_kind: credential,
    act,
    metadata,
    trace_id,
    budget,
    connection,
  } = row;
  const is_own = row.user_id === view.userId;
  return {
    ...toRun(row, view),
    ...{ is_own, attempt, queue_position, input, data, output, feedback_comment, credential, metadata, trace_id },
    images: (images ?? []).map(toImageRecord),
    actors: actorsOf(act ?? undefined).map(({ iss = null, sub, version = null }) => ({ issuer: iss, sub, version })),
    content_removed_at: timeOf(row.content_removed_at),
    budget: budget && { ...budget, id: encodeId('bud', budget.id) },
    connection: connection && {
      server_id: connection.server,
      name: connection.name,
      connect_url: connection.url,
    },
  };
}

export function toStep(row: StepRow, view: FaultView): RunStep {
  const {
    definition_hash,
    child_id,
    cost_usd,
    started_at,
    first_token_at,
    ended_at,
    error_code,
    error_status,
    error_text,
    ...same
  } = row;
  return {
    ...same,
    definition_hash: definition_hash?.toString('hex') ?? null,
    child_id: child_id === null ? null : encodeId('run', child_id),
    cost_usd: costOf(cost_usd),
    started_at: started_at.toISOString(),
    first_token_at: timeOf(first_token_at),
    ended_at: timeOf(ended_at),
    error: toFault({ error_code, error_status, error_text }, view),
  };
}
