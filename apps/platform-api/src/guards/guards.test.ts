import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let admin: HttpClient;
let stranger: HttpClient;
let agent: string;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  admin = await platform.clientOf('Core', { admin: true });
  stranger = await platform.clientOf('Commerce', { admin: true });
  const { body } = await admin('POST', '/api/v1/agents', { json: { name: 'Helper', description: '', skill_ids: [] } });
  agent = (body as { id: string }).id;
});
beforeEach(() => platform.db.prisma.guardPolicy.deleteMany());
afterAll(async () => {
  await platform.close();
  await database.drop();
});

const put = (path: string, json: object, by = admin) => by('PUT', path, { json });
const RULES = { email: { input: 'redact', output: 'flag' }, secrets: { input: 'block' } };

describe('PUT /guards', () => {
  it('sets and audits the rules of this project only', async () => {
    expect((await admin('GET', '/api/v1/guards')).body).toEqual({ rules: {}, phone_countries: [], updated_at: null });
    const { status, body } = await put('/api/v1/guards', { rules: RULES, phone_countries: ['DE'] });
    expect([status, body]).toMatchObject([200, { rules: RULES, phone_countries: ['DE'] }]);
    expect((await admin('GET', '/api/v1/guards')).body).toEqual(body);
    expect((await stranger('GET', '/api/v1/guards')).body).toMatchObject({ rules: {} });
    expect((await platform.decisionsOn('guards')).at(-1)).toMatchObject({
      ...{ action: 'guards.update', project: 'Core' },
      detail: { rules: RULES, phone_countries: ['DE'] },
    });
    expect((await put('/api/v1/guards', { rules: {} })).body).toMatchObject({ rules: {}, phone_countries: [] });
    expect(await platform.db.prisma.guardPolicy.count()).toBe(1);
  });

  it.each([
    [{ rules: { email: { input: 'delete' } } }, 'rules.email.input'],
    [{ rules: { name: { input: 'redact' } } }, 'rules'],
    [{ rules: {}, phone_countries: ['Germany'] }, 'phone_countries.0'],
    [{}, 'rules'],
  ])('refuses %j and names %s', async (json, field) => {
    const { status, text } = await put('/api/v1/guards', json);
    expect(status).toBe(422);
    expect(text).toContain(field);
  });

  it('is for admins', async () => {
    const user = await platform.clientOf('Core');
    expect((await put('/api/v1/guards', { rules: {} }, user)).status).toBe(403);
    expect((await user('GET', '/api/v1/guards')).status).toBe(200);
  });
});

describe('PUT /agents/{agent_id}/guards', () => {
  const path = () => `/api/v1/agents/${agent}/guards`;

  it('makes the rules of the project stricter for the agent', async () => {
    await put('/api/v1/guards', { rules: RULES, phone_countries: ['DE'] });
    const own = { email: { input: 'block' }, card: { tools: 'redact' } };
    const { status, body } = await put(path(), { rules: own, phone_countries: ['FR'] });
    expect([status, body]).toMatchObject([
      200,
      {
        rules: own,
        effective: {
          rules: {
            email: { input: 'block', output: 'flag', tools: 'off' },
            secrets: { input: 'block' },
            card: { input: 'off', tools: 'redact' },
          },
        },
      },
    ]);
    expect((body as { effective: { phone_countries: string[] } }).effective.phone_countries.toSorted()).toEqual([
      'DE',
      'FR',
    ]);
    expect((await admin('GET', path())).body).toEqual(body);
    expect((await platform.decisionsOn(agent)).at(-1)).toMatchObject({ action: 'agent.set_guards' });
  });

  it('refuses rules that are less strict than those of the project', async () => {
    await put('/api/v1/guards', { rules: RULES });
    const { status, text } = await put(path(), { rules: { secrets: { input: 'redact' } } });
    expect(status).toBe(422);
    expect(text).toContain('rules.secrets.input: must not be less strict than the project');
  });

  it("stays at least as strict as the project when the project's rules become stricter later", async () => {
    await put(path(), { rules: { email: { input: 'flag' } } });
    await put('/api/v1/guards', { rules: { email: { input: 'redact' } } });
    expect((await admin('GET', path())).body).toMatchObject({ effective: { rules: { email: { input: 'redact' } } } });
  });

  it('answers 404 for an agent of another project', async () => {
    expect((await put(path(), { rules: {} }, stranger)).status).toBe(404);
    expect((await stranger('GET', path())).status).toBe(404);
  });
});
