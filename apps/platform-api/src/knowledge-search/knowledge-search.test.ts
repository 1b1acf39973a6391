import { encodeId } from '@millwright/db';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';
import type { KnowledgeSearch } from './knowledge-search.contract.js';

const PATH = '/api/v1/knowledge-search';
let database: TestDatabase;
let platform: TestPlatform;
let client: HttpClient;
let admin: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  client = await platform.clientOf('Core');
  admin = await platform.clientOf('Core', { admin: true });
  const { status, text } = await admin('POST', '/api/v1/models', {
    json: { name: 'embedder', preset: 'compatible', base_url: 'http://127.0.0.1:1/v1', context_window: 8_000 },
  });
  if (status !== 201) throw new Error(text);
});
afterAll(async () => {
  await platform.close();
  await database.drop();
});

const find = async (by = client) => (await by('GET', PATH)).body as KnowledgeSearch;
const set = (json: object, by = admin) => by('PUT', PATH, { json });

describe('GET /api/v1/knowledge-search', () => {
  it('returns the state full_text and the reason for it until an admin has set a model', async () => {
    expect(await find()).toEqual({
      ...{ embedding_model: null, dimensions: null, state: 'full_text', indexed: 0, pending: 0, refused: 0 },
      ...{ message: 'Full text only: no embedding model is set, and PostgreSQL has no pgvector.', updated_at: null },
    });
  });

  it('answers 403 without content:read', async () => {
    const other = await platform.clientOf('Core', { scopes: ['skills:read'] });
    expect((await other('GET', PATH)).status).toBe(403);
  });
});

describe('PUT /api/v1/knowledge-search', () => {
  it('stores and audits the model of this project only; the answer states that PostgreSQL has no pgvector', async () => {
    const { status, body } = await set({ embedding_model: 'embedder', dimensions: 256 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ embedding_model: 'embedder', dimensions: 256, state: 'no_pgvector' },
      message: 'Full text only: PostgreSQL has no pgvector. An operator can install it.',
    });
    expect(await find()).toMatchObject({ embedding_model: 'embedder', dimensions: 256 });
    expect(await find(await platform.clientOf('Commerce'))).toMatchObject({ embedding_model: null });
    const where = { action: 'knowledge_search.update', resource: 'knowledge-search', decision: 'allow' };
    expect(await platform.db.prisma.governanceDecision.findFirst({ where })).toMatchObject({
      detail: { embedding_model: 'embedder', dimensions: 256 },
    });
  });

  it('starts a new generation of vectors for each request, even when the model stays the same', async () => {
    const generation = async () =>
      (await platform.db.prisma.knowledgeSearch.findUniqueOrThrow({ where: { project: 'Core' } })).generation;
    await set({ embedding_model: 'embedder' });
    const before = await generation();
    await set({ embedding_model: 'embedder' });
    expect(await generation()).toBe(before + 1);
  });

  it('returns to full-text searches when a request sets no model', async () => {
    await set({ embedding_model: 'embedder' });
    const { body } = await set({ embedding_model: null });
    expect(body).toMatchObject({ embedding_model: null, state: 'full_text' });
  });

  it.each([
    [{ embedding_model: 'nobody' }, 'embedding_model'],
    [{ embedding_model: 'embedder', dimensions: 2_001 }, 'dimensions'],
    [{ dimensions: 3 }, 'embedding_model'],
  ])('answers 422 for %j, and the error names the field', async (json, field) => {
    const { status, text } = await set(json);
    expect([status, text.includes(field)]).toEqual([422, true]);
  });

  it('answers 403 to a caller who is no admin', async () => {
    expect((await set({ embedding_model: null }, client)).status).toBe(403);
  });
});

describe('new and changed content', () => {
  const workOf = async (id: string) => {
    const rows = await platform.db.prisma.vectorWork.findMany({ where: { project: 'Core' } });
    return rows.filter(({ text_id: owner }) => encodeId('ct', owner) === id).map(({ number }) => number);
  };
  const item = async () =>
    (
      (await client('POST', '/api/v1/content', { json: { title: 'Mill', body: 'It turns.', tags: ['a'] } })).body as {
        id: string;
      }
    ).id;

  it('is queued for the embedder when it is created and when its text changes, but not when only its tags change', async () => {
    await set({ embedding_model: 'embedder' });
    const id = await item();
    const [first] = await workOf(id);
    expect(first).toBeDefined();
    await client('PATCH', `/api/v1/content/${id}`, { json: { tags: ['b'] } });
    expect(await workOf(id)).toEqual([first]);
    await client('PATCH', `/api/v1/content/${id}`, { json: { body: 'It stands.' } });
    expect((await workOf(id))[0]).toBeGreaterThan(first ?? 0n);
  });

  it('is not queued for the embedder in a project without an embedding model', async () => {
    await set({ embedding_model: null });
    expect(await workOf(await item())).toEqual([]);
  });
});
