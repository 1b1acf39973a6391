import { insertContent } from '@millwright/catalog';
import { newId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import { pollUntil } from '../../triggers/test-triggers.js';
import { setEmbeddingModel, settingOf } from './test-vectors.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

async function addItem(title: string, body: string): Promise<string> {
  const caller = { project: 'Core', actor: runtime.owner.actor } as const;
  const input = { title, body, tags: ['mills'], source: 'docs' };
  return (await runtime.db.transaction((tx) => insertContent(tx, caller, input))).id;
}

/** Sends a message to an agent. @returns what the model read */
async function ask(agent: string, content: string): Promise<string> {
  const by = runtime.as(await runtime.newToken());
  model.requests.splice(0);
  const { status, text } = await by('POST', `/api/v1/agents/${agent}/messages`, { json: { content } });
  if (status >= 300) throw new Error(text);
  return JSON.stringify(model.requests.find(({ path }) => path.includes('chat'))?.body.messages);
}
const embeddingRequests = () => model.requests.filter(({ path }) => path.includes('embeddings')).length;

describe('a project with an embedding model, on a database without pgvector', () => {
  it('finds knowledge by words, and sends no text to the embedding model', async () => {
    await addItem('Warranty', 'The zephyr mill has a warranty of seven years.');
    await runtime.newAgent({ name: 'Miller', content_tags: ['mills'] });
    await setEmbeddingModel(runtime, 'house');
    await runtime.db.prisma.$executeRaw`UPDATE knowledge_search SET state = 'ready', length = 3`;
    expect(await ask('miller', 'How long is the warranty of the zephyr mill?')).toContain('seven years');
    expect(embeddingRequests()).toBe(0);
    const { attempt } = await settingOf(runtime);
    expect(attempt).toBe(0);
  });
});

describe('the vectors of a project that has returned to full text', () => {
  it('are deleted together with the pending work on vectors, even without pgvector', async () => {
    const id = await addItem('Sails', 'Four sails turn.');
    await setEmbeddingModel(runtime, 'house');
    await runtime.db.prisma.contentVector.create({
      data: { id: newId(), project: 'Core', item_id: id, generation: 0, place: 1, length: 2, vector: [1, 0] },
    });
    await addItem('Stones', 'Two stones grind.');
    expect(await runtime.db.prisma.vectorWork.count()).toBe(2);
    await setEmbeddingModel(runtime, null);
    await pollUntil(async () => (await settingOf(runtime)).state === 'ready');
    expect([await runtime.db.prisma.contentVector.count(), await runtime.db.prisma.vectorWork.count()]).toEqual([0, 0]);
  });
});

describe('the vector of a content item', () => {
  it('is deleted with the item', async () => {
    const id = await addItem('Gone', 'It will be gone.');
    await runtime.db.prisma.contentVector.create({
      data: { id: newId(), project: 'Core', item_id: id, generation: 9, place: 1, length: 2, vector: [1, 0] },
    });
    await runtime.db.prisma.contentItem.delete({ where: { id } });
    expect(await runtime.db.prisma.contentVector.count({ where: { generation: 9 } })).toBe(0);
  });
});
