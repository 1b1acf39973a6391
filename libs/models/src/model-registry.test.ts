import { createUser } from '@millwright/accounts';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createSecretBox, secretPlaces } from '@millwright/secrets';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { createModelRegistry, type ModelDefinition } from './index.js';

const secretBox = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
const house: ModelDefinition = {
  ...{ name: 'house', endpoint: null, contextWindow: 1_000, fallbacks: [], timeoutMs: 5_000 },
};
const messages = [{ role: 'user' as const, content: 'Hello' }];

let database: TestDatabase;
let fake: FakeModel;
let db: Database;
let userId: string;
let clock = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  fake = await createFakeModel();
  db = createDatabase({ url: database.url, poolMax: 5, acquireTimeoutMs: 15_000 });
  const person = {
    email: 'ann@example.com',
    name: 'Ann',
    role: 'admin',
    platformAdmin: false,
    project: 'Core',
  } as const;
  await db.transaction((tx) => createUser(tx, person));
  userId = (await db.prisma.user.findUniqueOrThrow({ where: { email: person.email } })).id;
});
beforeEach(async () => {
  await db.prisma.model.deleteMany();
  await db.prisma.modelHealth.deleteMany();
});
afterAll(async () => {
  await db.close();
  await Promise.all([database.drop(), fake.close()]);
});

/** Creates the model registry of one process. */
const open = () =>
  createModelRegistry({
    ...{ db, environment: [house], trusted: fetch, fetch, secretBox, timeoutMs: 5_000 },
    now: () => clock,
  });

async function add(name: string, changes: object = {}): Promise<string> {
  const id = newId();
  const fields = { preset: 'compatible', base_url: fake.url, upstream_model: `vendor/${name}`, context_window: 2_000 };
  const api_key = secretBox.seal('the-key', secretPlaces.model(id));
  await db.prisma.model.create({
    data: { id, project: 'Core', name, ...fields, api_key, created_by: userId, ...changes },
  });
  return id;
}

describe('createModelRegistry', () => {
  it('uses changed models in every process: immediately after a notification, or else within 3 seconds', async () => {
    const [notified, other] = [open(), open()];
    const names = async (registry: typeof other) => (await registry.of('Core')).names();
    expect([await names(notified), await names(other)]).toEqual([['house'], ['house']]);
    await add('large');
    notified.refresh();
    expect([await names(notified), await names(other)]).toEqual([['large', 'house'], ['house']]);
    clock += 3_000;
    expect(await names(other)).toEqual(['large', 'house']);
    expect((await other.of('Commerce')).names()).toEqual(['house']);
    await Promise.all([notified.close(), other.close()]);
  });

  it('sends the key and the default parameters, which the parameters of the request override', async () => {
    await add('large', { parameters: { temperature: 0.2, top_p: 0.5, stop: ['END'], reasoning_effort: 'low' } });
    const registry = open();
    const models = await registry.of('Core');
    expect(models.defaultModel).toBe('large');
    await models.complete({ messages, temperature: 1 });
    const sent = fake.requests.at(-1);
    expect(sent?.headers['authorization']).toBe('Bearer the-key');
    expect(sent?.body).toMatchObject({
      ...{ model: 'vendor/large', temperature: 1, top_p: 0.5, stop: ['END'], reasoning_effort: 'low' },
    });
    await registry.close();
  });

  it('returns for each model whether it reads images', async () => {
    await add('blind', { image_urls: true });
    await add('seeing', { images: true });
    await add('fetching', { images: true, image_urls: true });
    const registry = open();
    const models = await registry.of('Core');
    expect(['blind', 'seeing', 'fetching', 'house'].map((name) => models.imageInput(name))).toEqual([
      ...['none', 'data', 'addresses', 'none'],
    ]);
    await registry.close();
  });

  it("stores the outcome of a model's calls, both before and after a change of the model", async () => {
    const id = await add('large');
    const registry = open();
    fake.answerWith({ status: 401, body: { error: { message: 'Incorrect API key the-key' } } });
    await expect((await registry.of('Core')).complete({ model: 'large', messages })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await registry.idle();
    expect(await db.prisma.modelHealth.findFirstOrThrow()).toMatchObject({
      ...{ project: 'Core', model: 'large', failure_kind: 'rejected', failure_status: 401 },
      failure_text: 'Incorrect API key [removed]',
    });
    fake.answerWith('Hi.');
    await db.prisma.model.update({ where: { id }, data: { version: { increment: 1 } } });
    registry.refresh();
    await (await registry.of('Core')).complete({ model: 'large', messages });
    await registry.idle();
    expect((await db.prisma.modelHealth.findFirstOrThrow()).last_success_at).not.toBeNull();
    await registry.close();
  });

  it('refuses an inactive model with an error that names the other models, even when the environment defines a model of the same name', async () => {
    await add('house', { status: 'inactive' });
    await add('small');
    const registry = open();
    const models = await registry.of('Core');
    await expect(models.complete({ model: 'house', messages })).rejects.toMatchObject({
      fields: [{ field: 'model', reason: '"house" is not a model of this project. Available: small' }],
    });
    await registry.close();
  });

  it('fails each call of a model whose key cannot be decrypted', async () => {
    await add('large', { api_key: 's1.gone.AAAA' });
    const registry = open();
    await expect((await registry.of('Core')).complete({ model: 'large', messages })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await registry.close();
  });
});
