import { AppError, invalidField } from '@millwright/errors';
import { APIError } from 'openai/core/error';
import { z } from 'zod';
import { MODEL_ANSWER_MAX_BYTES } from './checked-fetch.js';
import { costOf, parseUsage } from './completion.js';
import { countTokens } from './count-tokens.js';
import { isTooLarge } from './failures.js';
import type { EmbeddingRequest, Embeddings, ModelDefinition } from './model.js';
import { NotEmbeddings } from './not-embeddings.js';

const UpstreamList = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
  usage: z.unknown().optional(),
});

/** The answer of a server. `usage` is undefined when the server states no usage. */
export interface UpstreamEmbeddings {
  vectors: number[][];
  promptTokens: number | undefined;
}

/** Parses a server's list. @throws NotEmbeddings unless the list has one vector for each text and all vectors have the same length */
export function parseEmbeddings(body: unknown, { texts }: Pick<EmbeddingRequest, 'texts'>): UpstreamEmbeddings {
  const parsed = UpstreamList.safeParse(body);
  if (!parsed.success) throw new NotEmbeddings(parsed.error.issues[0]?.path.join('.') || 'no JSON object');
  const { data, usage } = parsed.data;
  const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  if (data.length !== texts.length || new Set(data.map(({ index }) => index)).size !== texts.length)
    throw new NotEmbeddings(`${data.length} vectors for ${texts.length} texts`);
  if (vectors.some(({ length }) => length !== vectors[0]?.length)) throw new NotEmbeddings('vectors of unlike lengths');
  return { vectors, promptTokens: parseUsage(usage)?.prompt_tokens };
}

/** Converts the answer of a server to the form of this library. When the server states no usage, the tokens of the texts are counted. */
export async function toEmbeddings(
  definition: Pick<ModelDefinition, 'name' | 'prices'>,
  { texts }: Pick<EmbeddingRequest, 'texts'>,
  { vectors, promptTokens }: UpstreamEmbeddings,
): Promise<Embeddings> {
  let tokens = promptTokens ?? 0;
  if (promptTokens === undefined) for (const text of texts) tokens += await countTokens(text);
  const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
  return {
    ...{ vectors, model: definition.name, usage, costUsd: costOf(definition.prices, usage) },
    estimated: promptTokens === undefined,
  };
}

/** The error for a request that the model's server refuses; undefined for any other failure. */
export function refusedEmbeddings(error: unknown): AppError | undefined {
  if (isTooLarge(error)) {
    const limit = `${MODEL_ANSWER_MAX_BYTES / 1_048_576} MiB`;
    return invalidField('input', `has vectors of more than ${limit} together: send fewer texts at once`);
  }
  if (!(error instanceof APIError) || ![400, 404, 405, 422].includes((error as APIError).status ?? 0)) return undefined;
  return new AppError('validation_error', {
    fields: [{ field: 'model', reason: 'makes no embeddings, or refuses these texts or this length of vectors' }],
    cause: error,
  });
}
