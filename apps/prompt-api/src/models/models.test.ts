import type { Database } from '@millwright/db';
import OpenAI from 'openai';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';
import { createNamedModelStore } from './named-models.store.js';

let app: TestApp;
let prompt: Prompt;
const client = async (scopes?: string[]) =>
  new OpenAI({ baseURL: `${app.url}/v1`, apiKey: await app.issueKey(scopes ? { scopes } : {}) });

beforeAll(async () => {
  app = await startTestApp();
  prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body: greeting })).body;
  await app.call('POST', '/v1/agent', {
    body: { content: 'You help.', prefix: 'guide', metadata: { title: 'Guide' } },
  });
  await app.call('POST', '/v1/prompt', {
    key: await app.issueKey({ project: 'Commerce' }),
    body: { ...greeting, metadata: { ...greeting.metadata, title: 'Foreign' } },
  });
});
afterAll(() => app.close());

const idsOf = async (openai: OpenAI) => (await openai.models.list()).data.map(({ id }) => id);

describe('GET /v1/models', () => {
  it('lists the configured models, the agents and the prompts of the project', async () => {
    const { data } = await (await client()).models.list();
    expect(data.map(({ id, owned_by: owner }) => [id, owner])).toEqual([
      ['fake-model', 'model'],
      ['agent/guide', 'agent'],
      [`prompt/${prompt.id}`, 'prompt'],
    ]);
  });

  it('lists agents and prompts only with a scope to read them', async () => {
    expect(await idsOf(await client(['prompts:run']))).toEqual(['fake-model']);
    expect(await idsOf(await client(['prompts:run', 'agents:message']))).toEqual(['fake-model', 'agent/guide']);
    expect(await idsOf(await client(['prompts:run', 'prompts:read']))).toEqual(['fake-model', `prompt/${prompt.id}`]);
  });
});

describe('GET /v1/models/{model}', () => {
  it('finds a model, an agent, and a prompt by its id or the slug of its title', async () => {
    const { models } = await client();
    expect(await models.retrieve('fake-model')).toMatchObject({ id: 'fake-model', object: 'model' });
    expect(await models.retrieve('agent/guide')).toMatchObject({ id: 'agent/guide', name: 'Guide' });
    for (const name of [`prompt/${prompt.id}`, 'prompt/greeting', 'prompt/greeting@production'])
      expect(await models.retrieve(name)).toMatchObject({ id: `prompt/${prompt.id}`, name: 'Greeting' });
  });

  it.each(['gpt-x', 'agent/none', 'prompt/none', 'prompt/foreign', 'prompt/', 'prompt/Greeting', 'agent/'])(
    'answers 404 for %s',
    async (name) => {
      await expect((await client()).models.retrieve(name)).rejects.toThrow(OpenAI.NotFoundError);
    },
  );

  it('finds a prompt by its slug without reading the titles of the project', async () => {
    const statements: string[] = [];
    const db = {
      ...app.db,
      prepared: (name: string, text: string, values: readonly unknown[]) => {
        statements.push(text);
        return app.db.prepared(name, text, values);
      },
    } as Database;
    await createNamedModelStore(db).requirePrompt('Core', 'greeting');
    const plan = await app.db.prisma.$transaction(async (tx) => {
      // PostgreSQL reads a small table sequentially, despite its indexes.
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      return tx.$queryRawUnsafe<object[]>(`EXPLAIN ${statements[0]}`, 'Core', 'greeting');
    });
    expect(JSON.stringify(plan)).toContain('prompts_project_slug_idx');
    expect(JSON.stringify(plan)).not.toContain('Filter');
  });

  it('finds a prompt whose title has accents, and answers 400 for a slug of several prompts', async () => {
    const { models } = await client();
    const create = (title: string) =>
      app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, metadata: { ...greeting.metadata, title } } });
    const { id } = (await create('Ça va — déjà vu?')).body;
    expect(await models.retrieve('prompt/ca-va-deja-vu')).toMatchObject({ id: `prompt/${id}` });
    await create('Ca va: deja vu');
    await expect(models.retrieve('prompt/ca-va-deja-vu')).rejects.toThrow(/is the name of several prompts/);
  });
});
