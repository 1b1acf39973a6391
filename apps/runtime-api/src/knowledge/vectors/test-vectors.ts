import { prepareVectors } from '@millwright/db/migrations';
import type { ModelAnswer } from '@millwright/testing';
import type { TestRuntime } from '../../test-runtime.js';

/** Answers of a fake embedding model: the vectors that `vectorOf` returns. Chats get the default answer of the fake model. */
export const embedding =
  (vectorOf: (text: string) => readonly number[]): ModelAnswer =>
  ({ path, body }) => {
    if (!path.startsWith('/v1/embeddings')) return {};
    const texts = body['input'] as string[];
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    return {
      body: { object: 'list', data, usage: { prompt_tokens: 10 * texts.length, total_tokens: 10 * texts.length } },
    };
  };

/** Creates the extension pgvector in a database. @throws Error that names what is missing */
export async function requirePgvector(url: string): Promise<void> {
  const { pgvector, reason } = await prepareVectors(url);
  if (pgvector === null) throw new Error(`These tests need pgvector: ${reason ?? ''}.`);
}

/** Stores a project's search setting in the same way as the platform API. */
export async function setEmbeddingModel({ db, owner }: TestRuntime, model: string | null, project = 'Core') {
  await db.prisma.$executeRaw`
    INSERT INTO knowledge_search AS s (project, model, updated_by) VALUES (${project}, ${model}, ${owner.id}::uuid)
    ON CONFLICT (project) DO UPDATE SET model = excluded.model, generation = s.generation + 1, length = NULL, state = 'listing', listing = 'items',
      listed_at = NULL, listed_id = NULL, failure = NULL, refused = 0, tries = 0, next_at = now()`;
}

export const settingOf = ({ db }: TestRuntime, project = 'Core') =>
  db.prisma.knowledgeSearch.findUniqueOrThrow({ where: { project } });
