import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { newId, type Database, type Tx } from '@millwright/db';
import type { ModelAnswer, ModelUse } from '@millwright/models';
import { addEndedRun, runError, type EndedRun } from '@millwright/runs';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { VersionUsage } from './usage.contract.js';

interface UsageRow {
  model: string;
  runs: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** null when the price of a run was unknown. */
  cost_usd: number | null;
  unpriced_runs: number;
  estimated_runs: number;
  last_run: Date;
}

type PromptVersion = Pick<StoredPrompt, 'id' | 'version'>;

/** Records what the model calls of a run used. It was spent, whatever comes of the answer: its transaction is its own. */
export type RecordUsage = (
  caller: Caller,
  prompt: PromptVersion,
  use: ModelUse,
  /** Writes that belong into its transaction, at its end. */
  alongside: (tx: Tx) => Promise<void>,
) => Promise<void>;

export const createRecordUsage =
  (db: Database): RecordUsage =>
  async ({ project, actor }, { id, version }, { model, usage, costUsd, estimated }, alongside) => {
    await db.transaction(async (tx) => {
      await tx.usageEvent.create({
        data: {
          id: newId(),
          project,
          user_id: actor.userId,
          kind: 'prompt_run',
          subject_id: id,
          subject_version: version,
          model,
          prompt_tokens: usage.prompt_tokens,
          completion_tokens: usage.completion_tokens,
          cost_usd: costUsd,
          estimated,
        },
      });
      await alongside(tx);
    });
  };

/** A run of a prompt before its end is known. */
export interface PromptRun {
  prompt: Pick<StoredPrompt, 'id' | 'version' | 'metadata'>;
  channel: 'prompt' | 'responses';
  /** Whether messages and answers are kept. */
  keepsContent: boolean;
  input: object;
  startedAt: Date;
  steps: EndedRun['steps'];
}

async function storeRun(
  tx: Tx,
  caller: Caller,
  run: PromptRun,
  end: Omit<EndedRun, 'startedAt' | 'steps'>,
): Promise<void> {
  const { prompt, channel, keepsContent, input, startedAt, steps } = run;
  const subject = { kind: 'prompt', id: prompt.id, name: prompt.metadata.title, version: prompt.version } as const;
  const kept = keepsContent ? steps : steps.map((step) => ({ ...step, answer: undefined, added: undefined }));
  const started = { id: newId(), caller, subject, channel, model: undefined, ...(keepsContent && { input }) };
  await addEndedRun(tx, started, { ...end, output: keepsContent ? end.output : undefined, startedAt, steps: kept });
}

/** Keeps a run that failed. */
export type RecordFailedRun = (caller: Caller, run: PromptRun, error: unknown) => Promise<void>;

export const createRecordFailedRun =
  (db: Database): RecordFailedRun =>
  (caller, run, error) =>
    db.transaction((tx) => storeRun(tx, caller, run, { state: 'failed', error: runError(error) }));

/** Keeps a run of a prompt version, and records it in the audit log, in the transaction that stores its answer. */
export async function recordRun(
  tx: Tx,
  caller: Caller,
  run: PromptRun,
  { model, text, refusal }: ModelAnswer,
  detail: Record<string, string>,
): Promise<void> {
  const { id, version } = run.prompt;
  await storeRun(tx, caller, run, { state: 'completed', output: refusal || text });
  await recordDecision(tx, { ...caller, action: 'prompt.run', resource: id, detail: { version, model, ...detail } });
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
    /** Usage of one version. The caller has checked that the version is in its project. */
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
