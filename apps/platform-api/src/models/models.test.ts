import { encodeId } from '@millwright/db';
import { listenTo } from '@millwright/db/notifications';
import { MODELS } from '@millwright/models';
import { secretPlaces } from '@millwright/secrets';
import {
  createFakeModel,
  createTestDatabase,
  freePort,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { KNOWN_MODEL, startPlatform, type TestPlatform } from '../test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let fake: FakeModel;
let admin: HttpClient;
let builder: HttpClient;

const KEY = 'key-of-the-provider-0123456789';

interface Body {
  id: string;
  [field: string]: unknown;
}

beforeAll(async () => {
  database = await createTestDatabase();
  fake = await createFakeModel();
  platform = await startPlatform(database.url);
  admin = await platform.clientOf('Core', { admin: true });
  builder = await platform.clientOf('Core', { scopes: ['agents:read', 'agents:write'] });
});
beforeEach(async () => {
  fake.answerWith('OK');
  await platform.db.prisma.agent.deleteMany();
  await platform.db.prisma.model.deleteMany();
  await platform.db.prisma.modelHealth.deleteMany();
  await platform.db.prisma.modelPrice.deleteMany();
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), fake.close()]);
});

const create = async (changes: object = {}, client = admin) => {
  const json = { name: 'Large', preset: 'compatible', base_url: fake.url, api_key: KEY, ...changes };
  const answer = await client('POST', '/api/v1/models', { json });
  return { ...answer, body: answer.body as Body };
};
const list = async (client = admin) => ((await client('GET', '/api/v1/models')).body as { items: Body[] }).items;
const fault = (field: string, reason: string) => ({
  error: { message: expect.stringMatching(new RegExp(`${field}: .*${reason}`)) as string },
});

describe('POST /models', () => {
  it('adds a model; its key is stored encrypted, and is in no answer and in no audit row', async () => {
    const { status, body, headers } = await create({ upstream_model: 'vendor/large', context_window: 200_000 });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1/models/${body.id}`);
    expect(body).toMatchObject({
      ...{ name: 'Large', source: 'project', preset: 'compatible', base_url: fake.url, upstream_model: 'vendor/large' },
      ...{ api_key: '********', context_window: 200_000, max_output: null, prices: null, status: 'active' },
      ...{ parameters: {}, fallbacks: [], is_default: false },
      health: { state: 'unknown', last_success_at: null, last_failure: null },
    });
    const row = await platform.db.prisma.model.findFirstOrThrow();
    expect(row.api_key).not.toContain(KEY);
    expect(platform.secretBox.open(row.api_key ?? '', secretPlaces.model(row.id))).toBe(KEY);
    const [entry] = await platform.decisionsOn(body.id);
    expect(entry).toMatchObject({ action: 'model.create', detail: { name: 'Large', has_key: true } });
    expect(JSON.stringify(entry)).not.toContain(KEY);
  });

  it('notifies all processes through PostgreSQL that the models have changed', async () => {
    const [connected, notified] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const listener = listenTo({
      ...{ url: database.url, channel: MODELS, onError: () => undefined },
      onNotify: () => notified.resolve(undefined),
      onConnected: () => {
        connected.resolve(undefined);
        return Promise.resolve();
      },
    });
    await connected.promise;
    await create();
    await notified.promise;
    await listener.close();
  });

  it('adds a model whose settings images and image_urls are false unless the request sets them', async () => {
    const { body } = await create();
    expect(body).toMatchObject({ images: false, image_urls: false });
    const seeing = await create({ name: 'Seeing', images: true, image_urls: true });
    expect(seeing.body).toMatchObject({ images: true, image_urls: true });
    const path = `/api/v1/models/${seeing.body.id}`;
    const changed = await admin('PATCH', path, { json: { image_urls: false } });
    expect(changed.body).toMatchObject({ images: true, image_urls: false });
    expect((await admin('GET', path)).body).toMatchObject({ images: true, image_urls: false });
  });

  it('uses the base address of the preset by default, and requires a base address when the preset has none', async () => {
    const { body } = await create({ name: 'GPT', preset: 'openai', base_url: undefined });
    expect(body['base_url']).toBe('https://api.openai.com/v1');
    for (const preset of ['azure', 'compatible']) {
      const { status, body: refused } = await create({ preset, base_url: undefined });
      expect(status).toBe(422);
      expect(refused).toMatchObject(fault('base_url', 'is required for the preset'));
    }
  });

  it('answers 409 for a name that is taken, and 403 for the 101st model', async () => {
    await create();
    expect((await create()).status).toBe(409);
    const row = await platform.db.prisma.model.findFirstOrThrow();
    const copied = { ...row, parameters: {} };
    await platform.db.prisma.model.createMany({
      data: Array.from({ length: 99 }, (_unused, n) => ({ ...copied, id: crypto.randomUUID(), name: `m${n}` })),
    });
    const { status, body } = await create({ name: 'One more' });
    expect(status).toBe(403);
    expect(body).toMatchObject(fault('models', 'the project has 100'));
  });

  it('refuses an address that the rules for outgoing calls forbid, and an address with a user name', async () => {
    const strict = { authorization: `Bearer ${await platform.issueKey({ admin: true, scopes: ['admin'] })}` };
    const answer = await fetch(`${platform.strictUrl}/api/v1/models`, {
      method: 'POST',
      headers: { ...strict, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Inside', preset: 'ollama', base_url: 'https://127.0.0.1:11434/v1' }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject(fault('base_url', 'this installation may call'));
    const { body } = await create({ base_url: fake.url.replace('//', '//user:pass@') });
    expect(body).toMatchObject(fault('base_url', 'must be'));
  });

  it("stores the prices of the model in the project's list of prices", async () => {
    const { body } = await create({ prices: { input: 0.15, output: 0.6 } });
    expect(body['prices']).toEqual({ input: 0.15, output: 0.6 });
    const prices = (await admin('GET', '/api/v1/model-prices')).body as { items: Body[]; models: string[] };
    expect(prices.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ model: 'Large', input: 0.15, is_current: true })]),
    );
    expect(prices.models).toEqual(['Large', KNOWN_MODEL]);
  });

  it('refuses a fallback that is no model of the project or is the model itself', async () => {
    expect((await create({ fallbacks: ['nobody'] })).body).toMatchObject(
      fault('fallbacks', '"nobody" is not a model of this project'),
    );
    expect((await create({ fallbacks: ['Large'] })).body).toMatchObject(fault('fallbacks', 'the model itself'));
    expect((await create({ fallbacks: [KNOWN_MODEL] })).status).toBe(201);
  });

  it('answers 403 to a key without the scope admin', async () => {
    expect((await create({}, builder)).status).toBe(403);
  });
});

describe('GET /models', () => {
  it("lists the project's models before the environment's models, and omits an environment model with the same name", async () => {
    const { body } = await create();
    expect((await list()).map(({ id, source }) => [id, source])).toEqual([
      [body.id, 'project'],
      [`environment:${KNOWN_MODEL}`, 'environment'],
    ]);
    await create({ name: KNOWN_MODEL });
    expect((await list()).map(({ source }) => source)).toEqual(['project', 'project']);
  });

  it('hides the base address from callers without the scope admin, and lists no model of another project', async () => {
    await create();
    fake.answerWith({ status: 401 });
    const [model] = await list();
    await admin('POST', `/api/v1/models/${model?.id ?? ''}/test`);
    const [shown] = await list(builder);
    expect(shown).toMatchObject({ name: 'Large', base_url: null });
    const other = await platform.clientOf('Commerce', { scopes: ['agents:read'] });
    expect((await list(other)).map(({ name }) => name)).toEqual([KNOWN_MODEL]);
    expect((await other('GET', `/api/v1/models/${model?.id ?? ''}`)).status).toBe(404);
  });

  it('marks one model as the default: the model that an admin marked, otherwise the first model of the environment', async () => {
    const { body } = await create();
    const standard = async () => (await list()).flatMap(({ name, is_default }) => (is_default ? [name] : []));
    expect(await standard()).toEqual([KNOWN_MODEL]);
    await admin('PATCH', `/api/v1/models/${body.id}`, { json: { is_default: true } });
    expect(await standard()).toEqual(['Large']);
    await create({ name: 'Other', is_default: true });
    expect(await standard()).toEqual(['Other']);
    expect(await platform.db.prisma.model.count({ where: { is_default: true } })).toBe(1);
  });

  it('lists a model that environment variables define; no request can change the model', async () => {
    const path = `/api/v1/models/environment:${KNOWN_MODEL}`;
    expect((await admin('GET', path)).body).toMatchObject({
      ...{ source: 'environment', api_key: '********', prices: { input: 1, output: 2 }, preset: null },
    });
    const answers = [await admin('PATCH', path, { json: { status: 'inactive' } }), await admin('DELETE', path)];
    for (const { status, body } of answers) {
      expect(status).toBe(409);
      expect(body).toMatchObject(fault('model', 'is of the environment'));
    }
  });
});

describe('GET /models/presets', () => {
  it('lists the providers with their base addresses', async () => {
    const { items } = (await builder('GET', '/api/v1/models/presets')).body as { items: Body[] };
    expect(items.map(({ id }) => id)).toEqual([
      ...['openai', 'anthropic', 'google', 'azure', 'mistral', 'groq', 'ollama', 'vllm', 'litellm', 'compatible'],
    ]);
    expect(items[6]).toMatchObject({ name: 'Ollama', base_url: 'http://localhost:11434/v1', needs_key: false });
  });
});

describe('PATCH /models/{model_id}', () => {
  it('changes the fields of the body, keeps the key, and refuses an outdated ETag', async () => {
    const { body, headers } = await create();
    const path = `/api/v1/models/${body.id}`;
    const etag = headers.get('etag') ?? '';
    const changed = await admin('PATCH', path, {
      json: { max_output: 4_096, parameters: { temperature: 0.2 }, api_key: '********' },
      headers: { 'if-match': etag },
    });
    expect(changed.body).toMatchObject({ max_output: 4_096, parameters: { temperature: 0.2 }, api_key: '********' });
    const again = await admin('PATCH', path, { json: { status: 'inactive' }, headers: { 'if-match': etag } });
    expect(again.status).toBe(412);
    const row = await platform.db.prisma.model.findFirstOrThrow();
    expect(platform.secretBox.open(row.api_key ?? '', secretPlaces.model(row.id))).toBe(KEY);
    const sentBack = await admin('PATCH', path, {
      json: {
        ...(changed.body as object),
        id: undefined,
        created_at: undefined,
        updated_at: undefined,
        prices: undefined,
      },
    });
    expect(sentBack.status).toBe(200);
  });

  it('removes the key when the key in the body is null', async () => {
    const { body } = await create();
    const { body: changed } = await admin('PATCH', `/api/v1/models/${body.id}`, { json: { api_key: null } });
    expect(changed).toMatchObject({ api_key: null });
  });

  it('does not send the stored key to another origin', async () => {
    const { body } = await create();
    const other = await createFakeModel();
    const path = `/api/v1/models/${body.id}`;
    for (const json of [{ base_url: other.url }, { base_url: other.url, api_key: '********' }]) {
      expect((await admin('PATCH', path, { json })).body).toMatchObject(fault('api_key', 'another origin'));
      expect((await admin('POST', `${path}/test`, { json })).body).toMatchObject(fault('api_key', 'another origin'));
    }
    expect(other.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect((await admin('PATCH', path, { json: { base_url: other.url, api_key: 'new' } })).status).toBe(200);
    await other.close();
  });

  it('refuses a change of the name', async () => {
    const { body } = await create();
    const { body: refused } = await admin('PATCH', `/api/v1/models/${body.id}`, { json: { name: 'Huge' } });
    expect(refused).toMatchObject(fault('name', 'never changes'));
  });
});

describe('DELETE /models/{model_id}', () => {
  it('deletes a model that no record names, together with its stored health', async () => {
    const before = await platform.countOf('Core', 'models');
    const { body } = await create();
    await admin('POST', `/api/v1/models/${body.id}/test`);
    expect((await admin('DELETE', `/api/v1/models/${body.id}`)).status).toBe(204);
    expect(await platform.db.prisma.modelHealth.count()).toBe(0);
    expect(await platform.countOf('Core', 'models')).toBe(before);
  });

  it('refuses to delete a model that an agent or another model names', async () => {
    const { body } = await create();
    await create({ name: 'Small', fallbacks: ['Large'] });
    const agent = { name: 'Helper', description: '', model: 'Large' };
    expect((await builder('POST', '/api/v1/agents', { json: agent })).status).toBe(201);
    const { status, body: refused } = await admin('DELETE', `/api/v1/models/${body.id}`);
    expect(status).toBe(409);
    expect(refused).toMatchObject(fault('model', 'is used by the agent "Helper", the model "Small"'));
  });
});

describe('agents', () => {
  it('may name only active models of their project', async () => {
    const agent = (model: string) =>
      builder('POST', '/api/v1/agents', { json: { name: `With ${model}`, description: '', model } });
    expect((await agent('Large')).body).toMatchObject(
      fault('model', `"Large" is not a model of this project. Available: ${KNOWN_MODEL}`),
    );
    const { body } = await create();
    expect((await agent('Large')).status).toBe(201);
    await admin('PATCH', `/api/v1/models/${body.id}`, { json: { status: 'inactive' } });
    expect(
      (await builder('POST', '/api/v1/agents', { json: { name: 'Third', description: '', model: 'Large' } })).status,
    ).toBe(422);
  });
});

describe('POST /models/{model_id}/test', () => {
  const test = async (id: string, json: object = {}) =>
    (await admin('POST', `/api/v1/models/${id}/test`, { json })).body as Body & { failure: Body | null };

  it('calls the model with its stored key, and records that the model answered', async () => {
    const { body } = await create({ upstream_model: 'vendor/large' });
    expect(await test(body.id)).toMatchObject({
      ok: true,
      answer: 'OK',
      upstream_model: 'vendor/large',
      failure: null,
    });
    const sent = fake.requests.at(-1);
    expect([sent?.headers['authorization'], sent?.body.model]).toEqual([`Bearer ${KEY}`, 'vendor/large']);
    await platform.healthWritten();
    expect((await list())[0]?.['health']).toMatchObject({ state: 'healthy', last_failure: null });
    expect((await platform.decisionsOn(body.id)).map(({ action }) => action)).toContain('model.test');
  });

  it.each([
    [401, 'rejected', 'Check it'],
    [404, 'rejected', 'no such model'],
    [429, 'rate_limited', 'limits how much'],
    [500, 'failed', 'fault of its own'],
  ])('reports status %s of the server as %s, with its message but without the key', async (status, kind, advice) => {
    const { body } = await create();
    const sentBefore = fake.requests.length;
    fake.answerWith({ status, body: { error: { message: `Incorrect key ${KEY}.\nGo to example.com.`, type: 'x' } } });
    const result = await test(body.id);
    expect(result).toMatchObject({ ok: false, answer: null, failure: { kind, status } });
    expect(result.failure?.['message']).toBe('Incorrect key [removed]. Go to example.com.');
    expect(result.failure?.['advice']).toContain(advice);
    expect(fake.requests.length - sentBefore).toBe(1);
    await platform.healthWritten();
    expect((await list())[0]?.['health']).toMatchObject({
      ...{ state: 'failing', last_success_at: null },
      last_failure: { kind, status, message: 'Incorrect key [removed]. Go to example.com.' },
    });
    expect((await list(builder))[0]?.['health']).toMatchObject({ last_failure: { kind, status, message: null } });
  });

  it('reports a server that is unreachable, and a server that serves no model', async () => {
    const port = await freePort();
    const { body } = await create({ base_url: `http://127.0.0.1:${port}/v1`, name: 'Dead' });
    expect(await test(body.id)).toMatchObject({ ok: false, failure: { kind: 'unreachable', status: null } });
    fake.answerWith({ garbage: true });
    const { body: page } = await create();
    expect(await test(page.id)).toMatchObject({ ok: false, failure: { kind: 'garbage' } });
  });

  it('tests changes without storing them', async () => {
    const { body } = await create();
    expect(await test(body.id, { upstream_model: 'other' })).toMatchObject({ ok: true, upstream_model: 'other' });
    expect(await platform.db.prisma.modelHealth.count()).toBe(0);
    expect((await list())[0]).toMatchObject({ upstream_model: 'Large' });
  });

  it('tests a model that environment variables define', async () => {
    expect(await test(`environment:${KNOWN_MODEL}`)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  });

  it('answers 404 for an unknown model', async () => {
    const id = encodeId('mdl', crypto.randomUUID());
    expect((await admin('POST', `/api/v1/models/${id}/test`)).status).toBe(404);
  });
});

describe('POST /models/test', () => {
  it('calls a model that is not added yet, and stores nothing', async () => {
    const json = {
      name: 'Draft',
      preset: 'compatible',
      base_url: fake.url,
      api_key: 'draft-key',
      parameters: { temperature: 0.5 },
    };
    const { status, body } = await admin('POST', '/api/v1/models/test', { json });
    expect([status, body]).toMatchObject([200, { ok: true, answer: 'OK' }]);
    expect(fake.requests.at(-1)?.body).toMatchObject({ model: 'Draft', temperature: 0.5 });
    expect(await platform.db.prisma.model.count()).toBe(0);
    expect((await builder('POST', '/api/v1/models/test', { json })).status).toBe(403);
  });
});
