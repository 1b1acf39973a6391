import type { Caller } from '@millwright/auth';
import { Prisma } from '@millwright/db';
import type { ClaimedRun, StoredCaller } from './run.js';

export const storedCaller = ({ project, actor, scopes, mcpTools, delegation }: Caller): StoredCaller => ({
  project,
  actor,
  scopes: scopes ? [...scopes] : null,
  mcpTools: mcpTools ? [...mcpTools] : null,
  ...(delegation && { delegation }),
});

const callerOf = ({ caller, credential_kind: kind, credential_id: id }: ClaimedRow): Caller => {
  const { project, actor, scopes, mcpTools, delegation } = caller;
  return {
    project,
    actor,
    ...(scopes && { scopes: new Set(scopes) }),
    ...(mcpTools && { mcpTools }),
    ...(delegation && { delegation }),
    ...(kind !== null && id !== null && { credential: { kind, id } }),
  };
};

/** The columns of a run that the process that executes it needs. */
export interface ClaimedRow {
  id: string;
  attempt: number;
  caller: StoredCaller;
  credential_kind: NonNullable<Caller['credential']>['kind'] | null;
  credential_id: string | null;
  subject_kind: 'agent' | 'prompt' | 'model';
  subject_id: string;
  subject_name: string;
  subject_version: number | null;
  channel: ClaimedRun['channel'];
  depth: number;
  context_id: string | null;
  message_id: string | null;
  input: unknown;
  model: string | null;
  idempotency_key: string | null;
  started_at: Date;
  budget_id: string | null;
  trigger: string | null;
}

export const CLAIMED =
  Prisma.raw(`id, attempt, caller, credential_kind, credential_id, subject_kind, subject_id, subject_name, subject_version, channel, depth,
  context_id, message_id, input, model, idempotency_key, started_at, budget_id,
  CASE WHEN channel = 'trigger' THEN metadata ->> 'trigger' END AS trigger`);

export const claimedRun = (row: ClaimedRow): ClaimedRun => ({
  runId: row.id,
  attempt: row.attempt,
  caller: callerOf(row),
  subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name, version: row.subject_version },
  channel: row.channel,
  depth: row.depth,
  contextId: row.context_id,
  messageId: row.message_id,
  input: row.input,
  model: row.model,
  idempotencyKey: row.idempotency_key,
  startedAt: row.started_at,
  budgetId: row.budget_id,
  trigger: row.trigger,
  isTakenOver: row.attempt > 1,
});
