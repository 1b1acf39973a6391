import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { orNull, text } from '../models/request-fields.js';

/** Maximum number of texts in one request, as in OpenAI's API. */
const MOST_TEXTS = 2_048;

const Text = text.min(1, 'must not be empty');

/** Body of OpenAI's `embeddings.create`. Fields that are unknown or not supported are refused, never silently dropped. */
export const EmbeddingRequest = z.strictObject({
  model: z.string().min(1).max(200).meta({ description: 'A configured model that makes embeddings' }),
  input: z
    .union(
      [Text, z.array(Text).min(1).max(MOST_TEXTS)],
      `must be a text or a list of 1 to ${MOST_TEXTS} texts, none empty`,
    )
    .meta({ description: 'Lists of tokens are not supported' }),
  dimensions: orNull(z.int().min(1).max(65_536)).meta({
    description: 'Length of the vectors, for models that can shorten them',
  }),
  encoding_format: orNull(z.enum(['float', 'base64'])).meta({
    description: 'base64: the 32-bit floats of a vector, little-endian; `float` by default',
  }),
  user: orNull(z.string().max(512)),
});
export type EmbeddingRequest = z.output<typeof EmbeddingRequest>;

/** OpenAI's list of embeddings. */
export const EmbeddingList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .meta({ description: 'Numbers, or their base64 where the request asked for it' }),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type EmbeddingList = z.output<typeof EmbeddingList>;

export const createEmbeddings = endpoint({
  operationId: 'createEmbeddings',
  method: 'POST',
  path: '/v1/embeddings',
  summary: "Make vectors of texts by OpenAI's embeddings",
  tag: 'Models',
  access: { scope: 'prompts:run' },
  limit: 'credential',
  body: EmbeddingRequest,
  long: true,
  unkeyed: true,
  success: { status: 200, description: 'A vector for each text, in their order', body: EmbeddingList },
  errors: ['budget_exceeded', 'guard_blocked'],
});
