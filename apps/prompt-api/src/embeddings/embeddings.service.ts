import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { Spending } from '@millwright/budgets';
import { newId, type Database } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { requireAllowed } from '@millwright/guards';
import type { ProjectModels } from '@millwright/models';
import type { OpenGuards } from '../guards/prompt-guards.js';
import { parseModelName } from '../models/model-name.js';
import { modelSubject } from '../runs/prompt-runs.js';
import { usageInsert } from '../runs/runs.store.js';
import type { EmbeddingList, EmbeddingRequest } from './embeddings.contract.js';

export interface EmbeddingServiceDeps {
  db: Pick<Database, 'transaction'>;
  models: ProjectModels;
  spending: Pick<Spending, 'reserve'>;
  openGuards: OpenGuards;
}

/** Makes vectors of texts by the models of a project. Texts and vectors are not stored. */
export function createEmbeddingService({ db, models, spending, openGuards }: EmbeddingServiceDeps) {
  return {
    /** @throws AppError validation_error for an unknown or unsuitable model; guard_blocked, budget_exceeded, unavailable */
    async embed(caller: Caller, body: EmbeddingRequest): Promise<EmbeddingList> {
      const { model, input, dimensions, encoding_format: format } = body;
      if (parseModelName(model).kind !== 'model') throw invalidField('model', 'must be a configured model');
      const present = await models.of(caller.project);
      present.contextWindow(model);
      const guards = await openGuards(caller, model);
      const texts = requireAllowed(await guards.value('input', [input].flat()));
      // An embedding has no answer, so no tokens are reserved for an answer.
      const messages = texts.map((content) => ({ role: 'user' as const, content }));
      const reserved = await spending.reserve({ caller }, { model, messages, maxTokens: 0 });
      try {
        const { vectors, ...use } = await present.embed({ model, texts, dimensions }, { priceOf: reserved.priceOf });
        await db.transaction(async (tx) => {
          await tx.$executeRaw(usageInsert(caller, modelSubject(model), newId(), use));
          const detail = { texts: texts.length, tokens: use.usage.prompt_tokens };
          await recordDecision(tx, { ...caller, action: 'model.embed', resource: model, detail });
          await reserved.settle(tx, use);
        });
        const { prompt_tokens } = use.usage;
        const encode = format === 'base64' ? toBase64 : (vector: readonly number[]) => [...vector];
        const data = vectors.map((vector, index) => ({
          ...{ object: 'embedding' as const, index },
          embedding: encode(vector),
        }));
        return { object: 'list', data, model, usage: { prompt_tokens, total_tokens: prompt_tokens } };
      } finally {
        await reserved.release();
      }
    },
  };
}
export type EmbeddingService = ReturnType<typeof createEmbeddingService>;

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((value, place) => bytes.writeFloatLE(value, place * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}
