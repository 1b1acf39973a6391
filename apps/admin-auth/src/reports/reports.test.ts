import { newId } from '@millwright/db';
import { rollUpUsage } from '@millwright/models/usage';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { encodeId } from '@millwright/db';
import { issueApiKey } from '@millwright/accounts';
import { startConsole, type TestConsole } from '../test-console.js';
import type { MonthReport } from './reports.contract.js';

let database: TestDatabase;
let site: TestConsole;
let call: HttpClient;
let root: { id: string; name: string; project: string };
let bea: typeof root;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  root = await site.addUser({ email: 'root@example.com', name: '+Root', role: 'admin', platformAdmin: true });
  bea = await site.addUser({ email: 'bea@example.com', name: 'Bea', project: 'Commerce' });
  call = (await site.signIn(root)).client;
  await used('2026-02-28T23:59:59.999Z', {});
  await used('2026-03-01T00:00:00.000Z', { cost_usd: '0.100000001' });
  await used('2026-03-20T12:00:00.000Z', { cost_usd: '0.2' });
  await used('2026-03-31T23:59:59.999Z', { user_id: bea.id, project: 'Commerce', model: 'free', kind: 'prompt_run' });
  await used('2026-04-01T00:00:00.000Z', {});
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

async function used(at: string, over: object): Promise<void> {
  const event = {
    user_id: root.id,
    project: 'Core',
    kind: 'agent_message',
    model: 'house',
    prompt_tokens: 10,
    completion_tokens: 5,
  };
  await site.db.prisma.usageEvent.create({
    data: { ...event, id: newId(), subject_id: newId(), at: new Date(at), ...over },
  });
}

describe('GET /admin/api/reports/internal', () => {
  const march = async () => (await call('GET', '/admin/api/reports/internal?month=2026-03')).body;

  it('sums a month in UTC by project, user and model, before and after the rollup', async () => {
    const expected = {
      month: '2026-03',
      rows: [
        {
          project: 'Core',
          user: { id: encodeId('usr', root.id), name: '+Root', email: 'root@example.com' },
          model: 'house',
          requests: 2,
          tokens_in: 20,
          tokens_out: 10,
          cost_usd: 0.300000001,
          unpriced_events: 0,
        },
        {
          project: 'Commerce',
          user: { id: encodeId('usr', bea.id), name: 'Bea', email: 'bea@example.com' },
          model: 'free',
          requests: 1,
          tokens_in: 10,
          tokens_out: 5,
          cost_usd: null,
          unpriced_events: 1,
        },
      ],
      row_count: 2,
      totals: { requests: 3, tokens_in: 30, tokens_out: 15, cost_usd: null, unpriced_events: 1 },
      by_model: [
        { name: 'house', count: 1, tokens_in: 20, tokens_out: 10 },
        { name: 'free', count: 1, tokens_in: 10, tokens_out: 5 },
      ],
      by_user: [
        { name: '+Root', count: 1, tokens_in: 20, tokens_out: 10 },
        { name: 'Bea', count: 1, tokens_in: 10, tokens_out: 5 },
      ],
      by_project: [
        { name: 'Core', count: 1, tokens_in: 20, tokens_out: 10 },
        { name: 'Commerce', count: 1, tokens_in: 10, tokens_out: 5 },
      ],
      unpriced_models: ['free'],
    };
    expect(await march()).toEqual(expected);
    for (const now of ['2026-03-15T00:10:00Z', '2026-05-01T00:10:00Z']) {
      await rollUpUsage((work) => site.db.transaction(work), new Date(now));
      expect(await march()).toEqual(expected);
    }
  });

  it('covers the current month by default, and is empty for a month without usage', async () => {
    expect((await call('GET', '/admin/api/reports/internal')).body).toMatchObject({
      month: new Date().toISOString().slice(0, 7),
    });
    expect((await call('GET', '/admin/api/reports/internal?month=2025-01')).body).toEqual({
      month: '2025-01',
      rows: [],
      row_count: 0,
      by_model: [],
      by_user: [],
      by_project: [],
      unpriced_models: [],
      totals: { requests: 0, tokens_in: 0, tokens_out: 0, cost_usd: null, unpriced_events: 0 },
    });
  });

  it('limits the listed rows and models, but not the totals; the CSV contains all rows', async () => {
    const count = 5_100;
    await database.sql`
      INSERT INTO usage_days (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens, cost_usd)
      SELECT 'Core', '2024-02-29', ${root.id}::uuid, 'agent_message', 'model-' || lpad(n::text, 4, '0'), 1, n, 1, 0.5
        FROM generate_series(1, ${count}::int) n`;
    const { body } = await call('GET', '/admin/api/reports/internal?month=2024-02');
    const { rows, row_count, totals, by_model } = body as MonthReport;
    expect([rows.length, row_count, totals.requests]).toEqual([500, count, count]);
    expect([rows[0]?.model, rows.at(-1)?.model]).toEqual(['model-5100', 'model-4601']);
    expect(by_model).toHaveLength(12);
    expect(by_model[0]).toEqual({ name: 'model-5100', count: 1, tokens_in: 5_100, tokens_out: 1 });
    const others = count - 11;
    expect(by_model.at(-1)).toEqual({
      name: null,
      count: others,
      tokens_in: (others * (others + 1)) / 2,
      tokens_out: others,
    });
    const { text } = await call('GET', '/admin/api/reports/internal.csv?month=2024-02');
    const models = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[5]);
    expect([models.length, new Set(models).size, models[0], models.at(-1)]).toEqual([
      count,
      count,
      'model-0001',
      'model-5100',
    ]);
  });

  it.each(['2026-13', '2026-3', 'March', '2026-03-01', ''])('refuses the month %j with 422', async (month) => {
    for (const path of ['internal', 'internal.csv'])
      expect((await call('GET', `/admin/api/reports/${path}?month=${month}`)).status).toBe(422);
  });

  it('returns CSV when it is requested; a spreadsheet does not run the texts of this CSV as formulas', async () => {
    const { status, headers, text } = await call('GET', '/admin/api/reports/internal.csv?month=2026-03');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="usage-2026-03.csv"');
    expect(text.split('\r\n')).toEqual([
      'month,project,user_id,user_name,user_email,model,requests,tokens_in,tokens_out,cost_usd,unpriced_events',
      `2026-03,Commerce,${encodeId('usr', bea.id)},Bea,bea@example.com,free,1,10,5,,1`,
      `2026-03,Core,${encodeId('usr', root.id)},'+Root,root@example.com,house,2,20,10,0.300000001,0`,
      '',
    ]);
  });
});

describe('GET /admin/api/enterprises', () => {
  it('returns the records and the usage of each project', async () => {
    await used(new Date(Date.now() - 29 * 86_400_000).toISOString(), { cost_usd: '1.5' });
    await used(new Date().toISOString(), { kind: 'prompt_run', cost_usd: '0.5' });
    const ofCommerce = { user_id: bea.id, project: 'Commerce', kind: 'prompt_run' };
    await used(new Date().toISOString(), { ...ofCommerce, cost_usd: '0.5' });
    await used(new Date().toISOString(), { ...ofCommerce, model: 'free' });
    const before = new Date(Date.now() - 31 * 86_400_000);
    await used(before.toISOString(), {});
    const counted = { project: 'Core', metric: 'requests' };
    await site.db.prisma.metricCount.createMany({
      data: [
        { ...counted, day: new Date(), area: 'runtime', bucket_ms: 5, n: 7 },
        { ...counted, day: new Date(), area: 'platform', bucket_ms: 5, n: 5 },
        { ...counted, day: new Date(), area: 'runtime', metric: 'errors', n: 3 },
        { ...counted, day: before, area: 'runtime', bucket_ms: 5, n: 100 },
      ],
    });
    const actor = { userId: root.id, kind: 'user', label: 'Root' } as const;
    const key = { userId: root.id, name: 'k', scopes: ['*'], plan: 'standard', project: 'Core' } as const;
    await site.db.transaction((tx) => issueApiKey(tx, { ...key, scopes: ['*'] }, actor));
    const { items } = (await call('GET', '/admin/api/enterprises')).body as { items: object[] };
    expect(items).toEqual([
      {
        project: 'Core',
        members: 1,
        admins: 1,
        agents: 0,
        skills: 0,
        keys: 1,
        clients: 0,
        usage_30d: { requests: 12, agent_messages: 1, model_tokens: 30, model_cost_usd: 2, unpriced_events: 0 },
      },
      {
        project: 'Commerce',
        members: 1,
        admins: 0,
        agents: 0,
        skills: 0,
        keys: 0,
        clients: 0,
        usage_30d: { requests: 0, agent_messages: 0, model_tokens: 30, model_cost_usd: null, unpriced_events: 1 },
      },
    ]);
  });

  it('returns a single project with the list of its members', async () => {
    expect((await call('GET', '/admin/api/enterprises/Commerce')).body).toMatchObject({
      project: 'Commerce',
      members: 1,
      member_list: [
        { id: encodeId('usr', bea.id), name: 'Bea', email: 'bea@example.com', role: 'user', status: 'active' },
      ],
    });
    expect((await call('GET', '/admin/api/enterprises/commerce')).status).toBe(404);
  });

  it('answers 403 in JSON to everyone except platform admins, and records the attempt', async () => {
    const admin = await site.addUser({ email: 'admin@example.com', role: 'admin' });
    const { client } = await site.signIn(admin);
    for (const path of [
      'enterprises',
      'enterprises/Core',
      'reports/internal',
      'reports/internal.csv',
      'enterprises/none',
    ]) {
      expect(await client('GET', `/admin/api/${path}`)).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden', status: 403 } },
      });
    }
    const denied = await site.db.prisma.governanceDecision.count({ where: { user_id: admin.id, decision: 'deny' } });
    expect(denied).toBe(5);
  });
});

describe('GET /admin/api/signing-keys', () => {
  it('lists the keys without their private parts', async () => {
    const { body, text } = await call('GET', '/admin/api/signing-keys');
    expect(body).toMatchObject({
      items: [{ kid: site.signingKey().kid, issuer: 'admin-auth', current: true, retired_at: null }],
    });
    expect(text).not.toContain('"d"');
  });
});
