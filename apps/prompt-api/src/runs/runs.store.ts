import { apiKeyIdOf, type Caller } from '@millwright/auth';
import { recordDecisionWith } from '@millwright/audit';
import { encodeId, Prisma, type Database, type Tx } from '@millwright/db';
import type { ModelAnswer, ModelUse } from '@millwright/models';
import type { Fence, Subject } from '@millwright/runs';
import type { VersionUsage } from './usage.contract.js';

/** Where the answer of a run is stored. */
export interface AnswerPlace {
  conversationId?: string | undefined;
  messageId?: string | undefined;
}

/** The prompt or the model that a run executes. */
export type RunSubject = Subject & { kind: 'prompt' | 'model' };

/** A run of a prompt or a model that can be completed. */
export interface CompletableRun {
  fence: Fence;
  subject: RunSubject;
  /** Ends the run in the transaction that stores its answer, and inserts its audit row with the SQL `decision`. @throws RunLost */
  complete: (tx: Tx, answer: string, place: AnswerPlace | undefined, decision: Prisma.Sql) => Promise<void>;
}

interface UsageRow {
  model: string;
  runs: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Cost in US dollars; null when the price of a run was unknown. */
  cost_usd: number | null;
  unpriced_runs: number;
  estimated_runs: number;
  last_run: Date;
}

/** Returns SQL that records the usage of a run's model calls. A second record with the same id has no effect. */
export const usageInsert = (
  { project, actor, credential }: Caller,
  { kind, id: subject, version }: RunSubject,
  id: string,
  { model, usage, costUsd, estimated }: ModelUse,
): Prisma.Sql => Prisma.sql`
    INSERT INTO usage_events (id, project, user_id, kind, subject_id, subject_version, model, prompt_tokens, completion_tokens, cost_usd, estimated, key_id)
    VALUES (${id}::uuid, ${project}, ${actor.userId}::uuid, ${`${kind}_run`}, ${subject}::uuid, ${version}::int, ${model},
            ${usage.prompt_tokens}::int, ${usage.completion_tokens}::int, ${costUsd}::numeric, ${estimated}, ${apiKeyIdOf(credential) ?? null}::uuid)
    ON CONFLICT (id) DO NOTHING`;

/** Records the usage of a run's stored steps, unless the process that executed the run has recorded it. @returns the project of the run */
export async function recordUsageOfRun(tx: Tx, id: string): Promise<{ project: string } | undefined> {
  const [run] = await tx.$queryRaw<({ project: string } & Record<'kind' | 'id', string | null>)[]>`
    SELECT project, credential_kind AS kind, credential_id AS id FROM runs WHERE id = ${id}::uuid`;
  await tx.$executeRaw`
    INSERT INTO usage_events (id, project, user_id, kind, subject_id, subject_version, model, prompt_tokens, completion_tokens, cost_usd, key_id)
    SELECT id, project, user_id, subject_kind || '_run', subject_id, subject_version, model, prompt_tokens, completion_tokens, cost_usd,
           ${apiKeyIdOf(run) ?? null}::uuid
      FROM runs WHERE id = ${id}::uuid AND prompt_tokens + completion_tokens > 0
    ON CONFLICT (id) DO NOTHING`;
  return run && { project: run.project };
}

/** Completes a run of a prompt version or a model, and records it in the audit log, in the transaction that stores its answer. */
export async function recordRun(
  tx: Tx,
  caller: Caller,
  run: CompletableRun,
  { model, text, refusal, toolCalls }: ModelAnswer,
  place: AnswerPlace | undefined,
  also: Record<string, string> = {},
): Promise<void> {
  const { kind, id, name, version } = run.subject;
  const calls = toolCalls.length > 0 ? JSON.stringify(toolCalls) : '';
  const conversation = place?.conversationId === undefined ? {} : { conversation: place.conversationId };
  const detail = { version, model, run: encodeId('run', run.fence.runId), ...also, ...conversation };
  const entry = { ...caller, action: `${kind}.run`, resource: kind === 'model' ? name : id, detail };
  await recordDecisionWith(entry, (decision) => run.complete(tx, refusal || text || calls, place, decision));
}

const sum = (rows: readonly UsageRow[], of: (row: UsageRow) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

function costOf(rows: readonly UsageRow[]): number | null {
  return rows.some(({ cost_usd: cost }) => cost === null) ? null : sum(rows, ({ cost_usd: cost }) => cost ?? 0);
}

function usageOf(rows: readonly UsageRow[]): Omit<VersionUsage['models'][number], 'model'> {
  const [prompt_tokens, completion_tokens] = [
    sum(rows, (row) => row.prompt_tokens),
    sum(rows, (row) => row.completion_tokens),
  ];
  return {
    runs: sum(rows, ({ runs }) => runs),
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    cost_usd: costOf(rows),
    unpriced_runs: sum(rows, ({ unpriced_runs: unpriced }) => unpriced),
    estimated_runs: sum(rows, ({ estimated_runs: estimated }) => estimated),
  };
}

/** Reads the usage of runs. */
export function createUsageStore(db: Database) {
  return {
    /** Usage of one version. The caller has checked that the version belongs to its project. */
    async ofVersion(promptId: string, version: number): Promise<VersionUsage> {
      const rows = await db.prepared<UsageRow>(
        'usage-of-version',
        `SELECT model, count(*)::float8 AS runs, sum(prompt_tokens)::float8 AS prompt_tokens,
                sum(completion_tokens)::float8 AS completion_tokens, max(at) AS last_run,
                CASE WHEN count(*) = count(cost_usd) THEN sum(cost_usd)::float8 END AS cost_usd,
                (count(*) - count(cost_usd))::float8 AS unpriced_runs,
                count(*) FILTER (WHERE estimated)::float8 AS estimated_runs
           FROM usage_events WHERE subject_id = $1::uuid AND subject_version = $2::int AND kind = 'prompt_run'
          GROUP BY model ORDER BY model`,
        [promptId, version],
      );
      const last = Math.max(...rows.map(({ last_run: at }) => at.getTime()));
      return {
        prompt: promptId,
        version,
        ...usageOf(rows),
        last_run: rows.length > 0 ? new Date(last).toISOString() : null,
        models: rows.map((row) => ({ model: row.model, ...usageOf([row]) })),
      };
    },
  };
}
export type UsageStore = ReturnType<typeof createUsageStore>;
