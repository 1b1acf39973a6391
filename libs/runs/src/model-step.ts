import { Prisma, storableText } from '@millwright/db';
import { ERROR_LENGTH, type RunError } from './run.js';
import type { ModelStep } from './step.js';

/** Length limit of a stored step's answer, in characters. */
const ANSWER_LENGTH = 1_000_000;

export const cut = (text: string | undefined, length: number): string | null =>
  text === undefined ? null : storableText(text.slice(0, length));

export const errorColumns = (error: RunError | undefined) =>
  Prisma.sql`${error?.code ?? null}, ${error?.status ?? null}::int, ${cut(error?.text, ERROR_LENGTH)}`;

const json = (value: object | undefined) =>
  Prisma.sql`${value === undefined ? null : storableText(JSON.stringify(value))}::json`;

/**
 * Builds the SQL that stores a finished call of the model. `sums` changes the sums in the row of the run. `insert` inserts the step for the
 * row of the CTE `changed (id, attempt, step_count)`, whose `step_count` must already include the step.
 */
export function modelStepSql(step: ModelStep): { sums: Prisma.Sql; insert: Prisma.Sql } {
  const { model, startedAt, firstTokenAt, parameters, added, readSeqs, answer, usage, error } = step;
  const { promptTokens = null, completionTokens = null, costUsd = null } = usage ?? {};
  return {
    sums: Prisma.sql`, model = ${model}, prompt_tokens = prompt_tokens + ${promptTokens ?? 0}::int,
        completion_tokens = completion_tokens + ${completionTokens ?? 0}::int,
        cost_usd = CASE WHEN ${costUsd}::numeric IS NULL THEN cost_usd ELSE coalesce(cost_usd, 0) + ${costUsd}::numeric END`,
    insert: Prisma.sql`
        INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, model, parameters, added, read_seqs, answer, calls, untrusted,
                               prompt_tokens, completion_tokens, cost_usd, started_at, first_token_at, ended_at,
                               error_code, error_status, error_text)
        SELECT c.id, c.step_count, c.attempt, 'model', ${error ? 'failed' : 'succeeded'}, ${model}, ${json(parameters)},
               ${json(added)}, ${readSeqs ? [...readSeqs] : null}::int[], ${cut(answer?.text, ANSWER_LENGTH)},
               ${json(answer && answer.calls.length > 0 ? [...answer.calls] : undefined)}, ${answer?.untrusted ?? null}::boolean,
               ${promptTokens}::int, ${completionTokens}::int, ${costUsd}::numeric, ${startedAt}::timestamptz,
               ${firstTokenAt ?? null}::timestamptz, now(), ${errorColumns(error)}
          FROM changed c`,
  };
}
