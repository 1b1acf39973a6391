import { insertContent, searchContent } from '@millwright/catalog';
import { SPENDING } from '@millwright/budgets';
import { encodeId, newId } from '@millwright/db';
import { prepareVectors } from '@millwright/db/migrations';
import { createFakeModel, createTestDatabase, listen, type FakeModel, type TestDatabase } from '@millwright/testing';
import { buildExtractWorker } from '@millwright/documents/build-worker';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import { pollUntil } from '../../triggers/test-triggers.js';
import { embedding, requirePgvector, setEmbeddingModel, settingOf } from './test-vectors.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;

/** Groups of words with the same meaning. A text's vector shows the groups of which it contains a word. */
const MEANINGS = [/\b(car|automobile|vehicle)/i, /\b(dog|puppy|hound)/i, /\b(soup|broth)/i];
const vectorOf = (text: string) => [...MEANINGS.map((meaning) => (meaning.test(text) ? 1 : 0)), 0.01];

beforeAll(async () => {
  await buildExtractWorker();
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel(embedding(vectorOf))]);
  await requirePgvector(database.url);
  runtime = await startRuntime(database.url, model.url);
  await runtime.newAgent({ name: 'Miller', content_tags: ['mills'] });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => model.answerWith(embedding(vectorOf)));

const caller = () => ({ project: 'Core', actor: runtime.owner.actor }) as const;

async function addItem(title: string, body: string, tags = ['mills']): Promise<string> {
  return (await runtime.db.transaction((tx) => insertContent(tx, caller(), { title, body, tags, source: 'docs' }))).id;
}

/** Sends a message to an agent. @returns what the model read */
async function ask(content: string): Promise<string> {
  const by = runtime.as(await runtime.newToken());
  model.requests.splice(0);
  const { status, text } = await by('POST', '/api/v1/agents/miller/messages', { json: { content } });
  if (status >= 300) throw new Error(text);
  return JSON.stringify(model.requests.find(({ path }) => path.includes('chat'))?.body.messages);
}
async function index(name: string | null = 'house') {
  await setEmbeddingModel(runtime, name);
  await pollUntil(async () => (await settingOf(runtime)).state === 'ready');
}
const isDone = () => pollUntil(async () => (await runtime.db.prisma.vectorWork.count()) === 0);

describe('the search of a project with an embedding model', () => {
  it('finds content without any word of the question as soon as all vectors are made, and records the usage of the embedding model', async () => {
    await addItem('Carriage', 'The automobile is red.');
    await addItem('Kennel', 'The hound is black.');
    expect(await ask('Which colour has my car?')).not.toContain('is red');
    await index();
    expect(await settingOf(runtime)).toMatchObject({ state: 'ready', length: 4, failure: null, refused: 0 });
    expect(await ask('Which colour has my car?')).toContain('is red');
    const usage = await runtime.db.prisma.usageEvent.findMany({ where: { kind: 'model_run' } });
    expect(usage.map(({ model: name, prompt_tokens: tokens, project }) => [name, tokens, project])).toEqual(
      expect.arrayContaining([
        ['house', 20, 'Core'],
        ['house', 10, 'Core'],
      ]),
    );
  });

  it("finds no inactive or deleted content, and no content without the agent's tags", async () => {
    await index();
    const [inactive, deleted] = [
      await addItem('Coupé', 'An automobile of 1931.'),
      await addItem('Van', 'An automobile of 1950.'),
    ];
    await addItem('Tank', 'An automobile of 1917.', ['other']);
    await isDone();
    expect(await ask('My vehicle?')).toContain('1931');
    await runtime.db.prisma.contentItem.update({ where: { id: inactive }, data: { status: 'inactive' } });
    await runtime.db.prisma.contentItem.delete({ where: { id: deleted } });
    const read = await ask('My vehicle?');
    for (const year of ['1931', '1950', '1917']) expect(read).not.toContain(year);
  });

  it('uses the vectors of the new text after a text was changed', async () => {
    await index();
    const id = await addItem('Note', 'About a puppy named Rex.');
    await isDone();
    await runtime.db.prisma.contentItem.update({ where: { id }, data: { body: 'About broth named Rex.' } });
    await isDone();
    const vectors = await runtime.db.prisma.contentVector.findMany({ where: { item_id: id } });
    expect(vectors.map(({ vector }) => vector.map(Math.round))).toEqual([[0, 0, 1, 0]]);
    expect(await ask('Any soup?')).toContain('broth named Rex');
  });

  it('sends the model only the part of a long text that is about the question', async () => {
    await index();
    const long = [...Array.from({ length: 400 }, (_, n) => `Sentence ${n} is filler.`), 'The vehicle needs oil.'].join(
      ' ',
    );
    const id = await addItem('Manual', `${long} ${'Nothing more here. '.repeat(300)}`);
    await isDone();
    expect(await runtime.db.prisma.contentVector.count({ where: { item_id: id } })).toBeGreaterThan(5);
    const read = await ask('What about my car?');
    expect([read.includes('needs oil'), read.includes('Sentence 0 is')]).toEqual([true, false]);
  });

  it('combines the ranks by words with the ranks of the nearest vectors, returns pages, and counts both kinds of matches in the total', async () => {
    await index();
    const near = { vector: vectorOf('car'), generation: (await settingOf(runtime)).generation, isIndexed: false };
    const search = (more: object) =>
      searchContent(runtime.db, { project: 'Core', text: 'hound', limit: 100, near, ...more });
    const { results, total } = await search({});
    expect(results).toHaveLength(total);
    expect(results.slice(0, 2).map(({ title }) => title)).toEqual(expect.arrayContaining(['Kennel']));
    const pages = [await search({ limit: 1 }), await search({ limit: 1, offset: 1 })].flatMap((page) => page.results);
    expect(pages.map(({ id }) => id)).toEqual(results.slice(0, 2).map(({ id }) => id));
    const { results: none } = await search({ source: 'nowhere' });
    expect(none).toEqual([]);
  });

  it('finds the same content when the vectors have an index', async () => {
    await index();
    const before = await ask('Which colour has my car?');
    expect(await prepareVectors(database.url, 1)).toMatchObject({ indexed: [4] });
    const near = { vector: vectorOf('car'), generation: (await settingOf(runtime)).generation, isIndexed: true };
    const { results } = await searchContent(runtime.db, { project: 'Core', text: 'zzz', limit: 100, near });
    expect(results.map(({ title }) => title)).toContain('Carriage');
    expect(before).toContain('is red');
  });
});

describe('passages of files', () => {
  it('get vectors when they become active; the vectors are deleted when the file is no longer used as knowledge', async () => {
    await index();
    const by = runtime.as(await runtime.newToken());
    const form = new FormData();
    form.set('path', 'pets.md');
    form.set('file', new Blob(['# Pets\n\nThe hound eats at noon.']));
    const { body } = await by('POST', '/api/v1/files', { body: form });
    const { id } = body as { id: string };
    await by('PUT', `/api/v1/files/${id}/knowledge`, { json: { tags: ['mills'] } });
    await pollUntil(
      async () => (await runtime.db.prisma.contentVector.count({ where: { passage_id: { not: null } } })) === 1,
    );
    expect(await ask('When does my dog get food?')).toContain('eats at noon');
    await by('DELETE', `/api/v1/files/${id}/knowledge`);
    expect(await ask('When does my dog get food?')).not.toContain('eats at noon');
    await pollUntil(
      async () => (await runtime.db.prisma.contentVector.count({ where: { passage_id: { not: null } } })) === 0,
    );
  });
});

describe('passages of knowledge sources', () => {
  it('get vectors when the embedding model changes after the passages were fetched', async () => {
    await index(null);
    const site = await listen((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>The hound sleeps at dusk.'),
    );
    const by = runtime.as(await runtime.newToken());
    const json = { name: 'Pets', url: site.url, tags: ['mills'] };
    const { body } = await by('POST', '/api/v1/knowledge-sources', { json });
    const path = `/api/v1/knowledge-sources/${(body as { id: string }).id}`;
    await pollUntil(async () => ((await by('GET', path)).body as { state: string }).state === 'ready');
    await site.close();
    expect(await runtime.db.prisma.vectorWork.count()).toBe(0);
    await index();
    expect(await ask('When does my dog rest?')).toContain('sleeps at dusk');
    await by('DELETE', path);
    expect(await ask('When does my dog rest?')).not.toContain('sleeps at dusk');
  });
});

describe('an embedding model that fails', () => {
  it('makes the search use only words; the reason is stored, and the model is called again later', async () => {
    model.answerWith(({ path }) => (path.includes('embeddings') ? { status: 500 } : {}));
    await setEmbeddingModel(runtime, 'house');
    await pollUntil(async () => (await settingOf(runtime)).failure !== null);
    expect(await settingOf(runtime)).toMatchObject({ state: 'indexing', failure: 'unavailable', tries: 1 });
    expect(await ask('The automobile is of which colour?')).toContain('is red');
    model.answerWith(embedding(vectorOf));
    await runtime.db.prisma.$executeRaw`UPDATE knowledge_search SET next_at = now()`;
    await pollUntil(async () => (await settingOf(runtime)).state === 'ready');
    expect(await settingOf(runtime)).toMatchObject({ failure: null, tries: 0 });
  });

  it('makes a search use only words when the vector of the question is not made in time', async () => {
    await index();
    model.answerWith(({ path }) => (path.includes('embeddings') ? { hang: true } : {}));
    expect(await ask('The automobile is of which colour?')).toContain('is red');
  });

  it.each([
    ['refused', () => ({ status: 400 })],
    ['length', () => embedding(() => Array.from({ length: 2_001 }, () => 1))],
  ] as const)('stores the failure %s in the search setting of the project', async (failure, answer) => {
    const made = answer();
    model.answerWith((request) =>
      typeof made === 'function' ? made(request) : request.path.includes('embeddings') ? made : {},
    );
    await setEmbeddingModel(runtime, 'house');
    await pollUntil(async () => (await settingOf(runtime)).failure === failure);
  });

  it('is not called again for the one text that it refuses; the other texts get vectors', async () => {
    const bad = await addItem('Bad', 'A forbidden text about an automobile.');
    model.answerWith((request) => {
      const texts = (request.body['input'] ?? []) as string[];
      if (request.path.includes('embeddings') && texts.some((text) => text.includes('forbidden')))
        return { status: 400 };
      return (embedding(vectorOf) as (r: typeof request) => object)(request);
    });
    await index();
    expect(await settingOf(runtime)).toMatchObject({ refused: 1, failure: null });
    expect(await runtime.db.prisma.contentVector.count({ where: { item_id: bad } })).toBe(0);
    expect(await ask('A forbidden word?')).toContain(encodeId('ct', bad));
  });

  it('stores the failure "model" in the search setting when the project does not have the model', async () => {
    await setEmbeddingModel(runtime, 'nobody');
    await pollUntil(async () => (await settingOf(runtime)).failure === 'model');
  });
});

describe('the remaining vectors of a process that has ended', () => {
  it('are made by another process', async () => {
    await setEmbeddingModel(runtime, 'house');
    await runtime.db.prisma.$executeRaw`
      UPDATE knowledge_search SET attempt = attempt + 1, next_at = now() + interval '3 seconds', listing = NULL, state = 'indexing'`;
    await runtime.db.prisma
      .$executeRaw`INSERT INTO vector_work (text_id, project) SELECT id, project FROM content_items ON CONFLICT DO NOTHING`;
    await pollUntil(async () => (await settingOf(runtime)).state === 'ready');
    expect(await runtime.db.prisma.vectorWork.count()).toBe(0);
  });
});

describe('a budget that is used up', () => {
  it('prevents the making of vectors; the search setting of the project then has the failure "budget"', async () => {
    const row = { id: newId(), project: 'Core', name: 'All', level: 'project', period: 'total', unit: 'tokens' };
    await runtime.db.prisma.budget.create({ data: { ...row, amount: 1, created_by: runtime.owner.id } });
    await runtime.db.prisma.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
    await setEmbeddingModel(runtime, 'house');
    await pollUntil(async () => (await settingOf(runtime)).failure === 'budget');
    await runtime.db.prisma.budgetWindow.deleteMany();
    await runtime.db.prisma.budget.deleteMany();
    await runtime.db.prisma.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
  });
});
