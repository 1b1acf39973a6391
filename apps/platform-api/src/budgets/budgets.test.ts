import { issueOAuthClient } from '@millwright/accounts';
import { SPENDING } from '@millwright/budgets';
import { encodeId, newId } from '@millwright/db';
import { listenTo } from '@millwright/db/notifications';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { KNOWN_MODEL, startPlatform, type TestPlatform } from '../test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let admin: HttpClient;
let stranger: HttpClient;
let user: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  admin = await platform.clientOf('Core', { admin: true });
  stranger = await platform.clientOf('Commerce', { admin: true });
  user = await platform.clientOf('Core');
});
beforeEach(async () => {
  await platform.db.prisma.budget.deleteMany();
  await platform.db.prisma.modelPrice.deleteMany();
});
afterAll(async () => {
  await platform.close();
  await database.drop();
});

interface Body {
  id: string;
  [field: string]: unknown;
}
const BUDGET = { name: 'All', level: 'project', period: 'month', unit: 'usd', amount: 12.5 };
const create = async (changes: object = {}) => {
  const answer = await admin('POST', '/api/v1/budgets', { json: { ...BUDGET, ...changes } });
  return { ...answer, body: answer.body as Body };
};
const userId = () => encodeId('usr', platform.user.id);
const notified = async (work: () => Promise<unknown>) => {
  let count = 0;
  const connected = Promise.withResolvers<undefined>();
  const got = Promise.withResolvers<undefined>();
  const listener = listenTo({
    url: database.url,
    channel: SPENDING,
    onNotify: () => {
      count += 1;
      got.resolve(undefined);
    },
    onConnected: () => {
      connected.resolve(undefined);
      return Promise.resolve();
    },
    onError: () => undefined,
  });
  await connected.promise;
  await work();
  await got.promise;
  await listener.close();
  return count;
};

describe('POST /budgets', () => {
  it('creates and audits a budget with its current period, and notifies the services', async () => {
    let made: Awaited<ReturnType<typeof create>> | undefined;
    expect(await notified(async () => (made = await create()))).toBe(1);
    expect(made?.status).toBe(201);
    const month = new Date().toISOString().slice(0, 7);
    expect(made?.body).toMatchObject({
      ...BUDGET,
      ...{ subject: null, status: 'active', waiting_runs: 0 },
      window: { starts_on: `${month}-01`, spent: 0, reserved: 0 },
    });
    const { id = '' } = made?.body ?? {};
    expect((await admin('GET', made?.headers.get('location') ?? '')).body).toEqual(made?.body);
    expect(await platform.decisionsOn(id)).toMatchObject([
      { action: 'budget.create', project: 'Core', detail: { level: 'project', amount: 12.5, unit: 'usd' } },
    ]);
    expect(await platform.db.prisma.budget.findFirstOrThrow()).toMatchObject({ amount: 12_500_000n });
  });

  it('creates budgets of users, agents and API keys, and returns the names of these subjects', async () => {
    const agent = await admin('POST', '/api/v1/agents', {
      json: { name: 'Helper', description: '', instructions: 'x' },
    });
    const { id: agentId } = agent.body as Body;
    expect((await create({ level: 'agent', subject_id: agentId })).body).toMatchObject({
      subject: { id: agentId, name: 'Helper' },
    });
    expect((await create({ level: 'user', subject_id: userId(), unit: 'tokens', amount: 5 })).body).toMatchObject({
      subject: { id: userId(), name: 'Ada' },
    });
    const key = await platform.db.prisma.userApiKey.findFirstOrThrow({ where: { project: 'Core' } });
    expect((await create({ level: 'api_key', subject_id: encodeId('key', key.id) })).status).toBe(201);
    await admin('DELETE', `/api/v1/agents/${agentId}`);
    expect((await admin('GET', '/api/v1/budgets')).body).toMatchObject({ total: 2 });
  });

  it.each([
    [{ amount: -1 }, 'amount'],
    [{ amount: 0.0000001 }, 'amount'],
    [{ unit: 'tokens', amount: 1.5 }, 'amount'],
    [{ unit: 'EUR' }, 'unit'],
    [{ period: 'year' }, 'period'],
    [{ level: 'run' }, 'level'],
    [{ level: 'user' }, 'subject_id'],
    [{ subject_id: 'usr_1' }, 'subject_id'],
    [{ level: 'agent', subject_id: encodeId('ag', newId()) }, 'subject_id'],
    [{ level: 'client', subject_id: 'nobody' }, 'subject_id'],
    [{ name: ' ' }, 'name'],
  ])('answers 422 for %j, and the error names the field', async (changes, field) => {
    const { status, body } = await create(changes);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(field)]);
  });

  it('answers 422 for a user of another project', async () => {
    const carl = await platform.db.prisma.user.findFirstOrThrow({ where: { name: 'Carl' } });
    expect((await create({ level: 'user', subject_id: encodeId('usr', carl.id) })).status).toBe(422);
  });

  it('answers 409 for a second budget of the same level, subject, period and unit', async () => {
    await create();
    expect((await create({ name: 'Again' })).status).toBe(409);
    expect((await create({ period: 'day' })).status).toBe(201);
  });
});

describe('GET /budgets', () => {
  it('lists the budgets of the project with their spent amounts, but not the budgets of runs', async () => {
    const { body: made } = await create();
    await create({ level: 'user', subject_id: userId() });
    const row = await platform.db.prisma.budget.findFirstOrThrow({ where: { level: 'project' } });
    const starts_on = new Date(`${new Date().toISOString().slice(0, 7)}-01`);
    await platform.db.prisma.budgetWindow.create({
      data: { budget_id: row.id, starts_on, amount: row.amount, spent: 1_500_000, reserved: 250_000 },
    });
    const listed = (await admin('GET', '/api/v1/budgets?level=project')).body as { items: Body[]; total: number };
    expect(listed).toMatchObject({ total: 1, items: [{ id: made.id, window: { spent: 1.5, reserved: 0.25 } }] });
    expect((await admin('GET', '/api/v1/budgets')).body).toMatchObject({ total: 2 });
    expect((await stranger('GET', '/api/v1/budgets')).body).toMatchObject({ total: 0 });
  });
});

describe('GET /budgets/mine', () => {
  it("lists only the budgets of the user's account and API keys", async () => {
    await create();
    const { body: own } = await create({ level: 'user', subject_id: userId() });
    const key = await platform.db.prisma.userApiKey.findFirstOrThrow({ where: { user_id: platform.user.id } });
    const { body: ofKey } = await create({ level: 'api_key', subject_id: encodeId('key', key.id) });
    const listed = (await user('GET', '/api/v1/budgets/mine')).body as { items: Body[] };
    expect(listed.items.map(({ id }) => id).sort()).toEqual([own.id, ofKey.id].sort());
    expect((await admin('GET', '/api/v1/budgets/mine')).body).toEqual({ items: [] });
    expect((await user('GET', '/api/v1/budgets')).status).toBe(403);
  });
});

describe('PATCH /budgets/{budget_id}', () => {
  it('raises the amount of the current period immediately; the warning and the exhaustion of the new amount are reported again', async () => {
    const { body } = await create({ amount: 10 });
    const row = await platform.db.prisma.budget.findFirstOrThrow();
    const starts_on = new Date(`${new Date().toISOString().slice(0, 7)}-01`);
    const reported = { warned_at: new Date(), exhausted_at: new Date() };
    const former = new Date('2020-01-01');
    for (const day of [starts_on, former])
      await platform.db.prisma.budgetWindow.create({
        data: { budget_id: row.id, starts_on: day, amount: row.amount, spent: 10_000_000, ...reported },
      });
    const path = `/api/v1/budgets/${body.id}`;
    const raised = await admin('PATCH', path, { json: { amount: 20 } });
    expect(raised.body).toMatchObject({ amount: 20, window: { spent: 10 } });
    const windows = await platform.db.prisma.budgetWindow.findMany({ orderBy: { starts_on: 'asc' } });
    expect(windows).toMatchObject([
      { amount: 10_000_000n, ...reported },
      { amount: 20_000_000n, warned_at: null, exhausted_at: null },
    ]);
    expect((await platform.decisionsOn(body.id)).at(-1)).toMatchObject({
      action: 'budget.update',
      detail: { fields: ['amount'], amount: { from: 10, to: 20 } },
    });
  });

  it('answers 503 with Retry-After and changes nothing while another process has locked the period', async () => {
    const { body } = await create({ amount: 10 });
    const { id, amount } = await platform.db.prisma.budget.findFirstOrThrow();
    await platform.db.prisma.budgetWindow.create({
      data: { budget_id: id, starts_on: new Date(`${new Date().toISOString().slice(0, 7)}-01`), amount },
    });
    const path = `/api/v1/budgets/${body.id}`;
    const refused = await platform.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM budget_windows WHERE budget_id = ${id}::uuid FOR UPDATE`;
      return admin('PATCH', path, { json: { amount: 20 } });
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect((await admin('GET', path)).body).toMatchObject({ amount: 10 });
    expect((await admin('PATCH', path, { json: { amount: 20 } })).body).toMatchObject({ amount: 20 });
  });

  it('answers 412 when If-Match names another version, 404 to another project, and 422 when the amount is a fraction of a token', async () => {
    const { body } = await create({ unit: 'tokens', amount: 10 });
    const path = `/api/v1/budgets/${body.id}`;
    const late = await admin('PATCH', path, { json: { name: 'New' }, headers: { 'If-Match': '"9"' } });
    expect(late.status).toBe(412);
    expect((await stranger('PATCH', path, { json: { name: 'New' } })).status).toBe(404);
    expect((await admin('PATCH', path, { json: { amount: 1.5 } })).status).toBe(422);
    expect((await admin('PATCH', path, { json: { unit: 'usd' } })).status).toBe(422);
  });
});

describe('DELETE /budgets/{budget_id}', () => {
  it('deletes a budget with its periods', async () => {
    const { body } = await create();
    expect((await stranger('DELETE', `/api/v1/budgets/${body.id}`)).status).toBe(404);
    expect((await admin('DELETE', `/api/v1/budgets/${body.id}`)).status).toBe(204);
    expect((await admin('GET', `/api/v1/budgets/${body.id}`)).status).toBe(404);
    expect((await platform.decisionsOn(body.id)).at(-1)).toMatchObject({ action: 'budget.delete' });
  });
});

describe('the prices of models', () => {
  const price = (changes: object = {}) =>
    admin('POST', '/api/v1/model-prices', { json: { model: KNOWN_MODEL, input: 0.15, output: 0.6, ...changes } });

  it("apply from their start time, only in their project, and override the installation's prices", async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const now = (await price()).body as Body;
    const planned = (await price({ valid_from: later, input: 9 })).body as Body;
    const listed = (await admin('GET', '/api/v1/model-prices')).body as { items: Body[]; models: string[] };
    expect(listed.models).toEqual([KNOWN_MODEL]);
    expect(listed.items.map(({ id, input, is_current }) => [id, input, is_current])).toEqual([
      [planned.id, 9, false],
      [now.id, 0.15, true],
      [null, 1, false],
    ]);
    expect((await stranger('GET', '/api/v1/model-prices')).body).toMatchObject({
      items: [{ id: null, input: 1, is_current: true }],
    });
    expect((await stranger('DELETE', `/api/v1/model-prices/${now.id}`)).status).toBe(404);
    expect((await admin('DELETE', `/api/v1/model-prices/${now.id}`)).status).toBe(204);
    expect((await platform.decisionsOn(now.id)).map(({ action }) => action)).toEqual([
      'model_price.create',
      'model_price.delete',
    ]);
  });

  it.each([
    [{ model: 'unknown' }, 'model'],
    [{ valid_from: '2020-01-01T00:00:00Z' }, 'valid_from'],
    [{ input: -1 }, 'input'],
    [{ output: 0.0000001 }, 'output'],
  ])('are refused with 422 when the request has %j, and the error names the field %s', async (changes, field) => {
    const { status, body } = await price(changes);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(field)]);
  });

  it('are refused with 409 when the model has a price with the same start time', async () => {
    const valid_from = new Date(Date.now() + 3_600_000).toISOString();
    expect((await price({ valid_from })).status).toBe(201);
    expect((await price({ valid_from })).status).toBe(409);
  });
});

describe('GET /api/v1/budgets/subjects', () => {
  const found = async (level: string, search: string, call = admin) => {
    const answer = await call('GET', `/api/v1/budgets/subjects?level=${level}&search=${encodeURIComponent(search)}`);
    expect(answer).toMatchObject({ status: 200 });
    return (answer.body as { items: { id: string; name: string; detail: string }[] }).items;
  };

  it('finds keys, clients, users, agents and triggers of the project by name, each with the subject id for a budget', async () => {
    const agent = await admin('POST', '/api/v1/agents', {
      json: { name: 'Miller of wheat', description: '', instructions: 'x' },
    });
    const trigger = {
      name: 'Mill at dawn',
      kind: 'cron',
      agent: 'miller-of-wheat',
      input: 'Go',
      schedule: '0 6 * * *',
    };
    expect((await admin('POST', '/api/v1/triggers', { json: trigger })).status).toBe(201);
    const app = { name: 'Mill app', redirectUris: [], scopes: ['agents:read'], project: 'Core' } as const;
    const actor = { userId: platform.user.id, kind: 'user', label: 'Ada' } as const;
    const { client_id } = await platform.db.transaction((tx) =>
      issueOAuthClient(tx, { ...app, userId: platform.user.id }, actor),
    );
    const [key] = await platform.db.prisma.userApiKey.findMany({ where: { project: 'Core', revoked_at: null } });
    const wanted = [
      ['agent', 'MILLER', { id: (agent.body as Body).id, name: 'Miller of wheat', detail: 'miller-of-wheat' }],
      ['trigger', 'dawn', { name: 'Mill at dawn', detail: 'miller-of-wheat' }],
      ['client', 'mill a', { id: client_id, name: 'Mill app', detail: client_id }],
      ['user', '', { id: userId() }],
      ['api_key', key?.name ?? '', { id: encodeId('key', key?.id ?? '') }],
    ] as const;
    for (const [level, search, subject] of wanted) {
      const items = await found(level, search);
      expect(items).toContainEqual(expect.objectContaining(subject));
      const { status } = await create({ name: level, level, subject_id: items[0]?.id, amount: 1 });
      expect([level, status]).toEqual([level, 201]);
    }
    expect(await found('agent', 'wheat', stranger)).toEqual([]);
    expect(await found('trigger', '', stranger)).toEqual([]);
    expect(await found('agent', '%')).toEqual([]);
  });

  it('answers 422 for any other level, such as project or run, and 403 to callers who are not admins', async () => {
    for (const level of ['project', 'run', 'x'])
      expect((await admin('GET', `/api/v1/budgets/subjects?level=${level}`)).status).toBe(422);
    expect((await user('GET', '/api/v1/budgets/subjects?level=agent')).status).toBe(403);
  });
});
