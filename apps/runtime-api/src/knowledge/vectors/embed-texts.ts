import { apiKeyIdOf, type Caller } from '@millwright/auth';
import { BudgetExceeded, type Spending } from '@millwright/budgets';
import { MOST_DIMENSIONS } from '@millwright/catalog/knowledge-search';
import { idFor, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelUse, ProjectModels } from '@millwright/models';

/** Why a model made no vectors. */
export type VectorFailure = 'budget' | 'length' | 'model' | 'refused' | 'unavailable';

export class NoVectors extends Error {
  readonly failure: VectorFailure;

  constructor(failure: VectorFailure, cause?: unknown) {
    super(`No vectors were made: ${failure}.`, { cause });
    this.name = 'NoVectors';
    this.failure = failure;
  }
}

/** The embedding model of a project. */
export interface EmbeddingModel {
  model: string;
  /** Length of the vectors that the model is requested to make; null for the model's default. */
  dimensions: number | null;
  /** Length of the vectors that the project already has; null while it has none. */
  length: number | null;
}

export interface EmbedTextsDeps {
  db: Pick<Database, 'transaction'>;
  models: ProjectModels;
  spending: Pick<Spending, 'reserve'>;
}

/** Records the usage of an embedding model, in the form of a run of that model. */
async function recordUsage(tx: Tx, { project, actor, credential }: Caller, use: ModelUse): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_events (id, project, user_id, kind, subject_id, key_id, model, prompt_tokens, completion_tokens, cost_usd, estimated)
    VALUES (${newId()}::uuid, ${project}, ${actor.userId}::uuid, 'model_run', ${idFor(`model ${use.model}`)}::uuid, ${apiKeyIdOf(credential) ?? null}::uuid,
            ${use.model}, ${use.usage.prompt_tokens}::int, 0, ${use.costUsd}::numeric, ${use.estimated})`;
}

/** Makes vectors of texts, within the budgets of the caller. */
export function createEmbedTexts({ db, models, spending }: EmbedTextsDeps) {
  /** @throws NoVectors when the model makes no usable vectors; the signal's reason when the signal aborts */
  return async (
    caller: Caller,
    { model, dimensions, length }: EmbeddingModel,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]> => {
    const present = await models.of(caller.project);
    if (!present.names().includes(model)) throw new NoVectors('model');
    const messages = texts.map((content) => ({ role: 'user' as const, content }));
    try {
      const reserved = await spending.reserve({ caller }, { model, messages, maxTokens: 0 });
      try {
        const request = { model, texts, signal, ...(dimensions !== null && { dimensions }) };
        const { vectors, ...use } = await present.embed(request, { priceOf: reserved.priceOf });
        await db.transaction(async (tx) => {
          await recordUsage(tx, caller, use);
          await reserved.settle(tx, use);
        });
        const isUsable = (vector: readonly number[]) =>
          vector.length <= MOST_DIMENSIONS && (length === null || vector.length === length);
        if (!vectors.every(isUsable)) throw new NoVectors('length');
        return vectors;
      } finally {
        await reserved.release();
      }
    } catch (error) {
      if (error instanceof NoVectors) throw error;
      signal.throwIfAborted();
      if (error instanceof BudgetExceeded) throw new NoVectors('budget', error);
      const isRefused = error instanceof AppError && error.code === 'validation_error';
      throw new NoVectors(isRefused ? 'refused' : 'unavailable', error);
    }
  };
}
export type EmbedTexts = ReturnType<typeof createEmbedTexts>;
