import { MOST_DIMENSIONS } from '@millwright/catalog/knowledge-search';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** The setting of the search in a project's knowledge, with the state of the vectors. */
export const KnowledgeSearch = z.object({
  embedding_model: z
    .string()
    .nullable()
    .meta({ description: 'Name of the model that makes vectors; null: full text only' }),
  dimensions: z.int().nullable().meta({ description: "Length of the vectors that is requested; null: the model's" }),
  state: z.enum(['full_text', 'no_pgvector', 'indexing', 'failing', 'ready']).meta({
    description:
      '`full_text`: no embedding model is set. `no_pgvector`: the database cannot compare vectors. `indexing`: vectors are made, until then searches are full text. `failing`: the model makes none, and is called again later. `ready`: searches use words and vectors.',
  }),
  message: z.string().meta({ description: 'The state in a sentence, for people' }),
  indexed: z.int().meta({ description: 'Content items and passages that have vectors' }),
  pending: z.int().meta({ description: 'Content items and passages whose vectors are still to be made' }),
  refused: z
    .int()
    .meta({ description: 'Content items and passages that the model refused; they are found by words alone' }),
  updated_at: z.string().nullable(),
});
export type KnowledgeSearch = z.output<typeof KnowledgeSearch>;

export const NewKnowledgeSearch = z.strictObject({
  embedding_model: z.string().trim().min(1).max(200).nullable().meta({
    description: 'Name of a model of the project that makes embeddings; null: full text only',
  }),
  dimensions: z.int().min(1).max(MOST_DIMENSIONS).nullable().default(null).meta({
    description: "Length of the vectors, for models that make shorter ones on request; null: the model's",
  }),
});
export type NewKnowledgeSearch = z.output<typeof NewKnowledgeSearch>;

const success = { status: 200, description: 'How knowledge is searched', body: KnowledgeSearch } as const;
const common = { tag: 'Content', limit: 'credential', path: '/api/v1/knowledge-search', success, errors: [] } as const;

export const getKnowledgeSearch = endpoint({
  ...common,
  operationId: 'getKnowledgeSearch',
  method: 'GET',
  summary: 'Retrieve how knowledge is searched, and how far its vectors are made',
  access: { scope: 'content:read' },
});

export const putKnowledgeSearch = endpoint({
  ...common,
  operationId: 'putKnowledgeSearch',
  method: 'PUT',
  summary: 'Set the embedding model of the search, and make all vectors again',
  description:
    'The text of all content and passages is sent to the model in the background, and searches are full text until all vectors are made. The model’s usage counts as usage of the account that sets it.',
  access: { scope: 'admin' },
  action: 'knowledge_search.update',
  body: NewKnowledgeSearch,
});
