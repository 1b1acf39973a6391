import { encodeId } from '@millwright/db';
import { newWebhookSecret } from '@millwright/events/signatures';
import { openTriggerSecret } from '@millwright/runs/triggers';
import { createTestDatabase, type ClientAnswer, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
/** Client of Grace, who is an admin. */
let admin: HttpClient;
let graceId: string;
let stranger: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  admin = await platform.clientOf('Core', { admin: true });
  stranger = await platform.clientOf('Commerce', { admin: true });
  await admin('POST', '/api/v1/agents', { json: { name: 'Helper', description: '' } });
  graceId = (await platform.db.prisma.user.findUniqueOrThrow({ where: { email: 'grace@example.com' } })).id;
});
beforeEach(async () => {
  await platform.db.prisma.triggerFiring.deleteMany();
  await platform.db.prisma.trigger.deleteMany();
  await platform.db.prisma.recordCount.deleteMany({ where: { kind: 'triggers' } });
});
afterAll(async () => {
  await platform.close();
  await database.drop();
});

interface Body {
  id: string;
  secret?: string | null;
  path?: string | null;
  next_at?: string | null;
  [field: string]: unknown;
}
type Answer = Omit<ClientAnswer, 'body'> & { body: Body };
const cron = { name: 'Report', kind: 'cron', agent: 'helper', input: 'Report for {{at}}.', schedule: '0 9 * * *' };
const webhook = { name: 'Issues', kind: 'webhook', agent: 'helper', input: '{{body.issue.title}}' };
const create = async (json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  (await admin('POST', '/api/v1/triggers', { json, headers })) as Answer;
const change = async (id: string, json: object, by = admin): Promise<Answer> =>
  (await by('PATCH', `/api/v1/triggers/${id}`, { json })) as Answer;
const faultOf = ({ body }: Pick<ClientAnswer, 'body'>) => (body as { error?: { message: string } }).error?.message;
const rowOf = () => platform.db.prisma.trigger.findFirstOrThrow();

describe('the budget of a trigger', () => {
  it('is optional, in dollars or tokens, and a PATCH sets or removes it', async () => {
    const { body: without } = await create(cron);
    expect(without).toMatchObject({ budget: null });
    const budget = { unit: 'usd', amount: 0.25 };
    const { status, body } = await create({ ...webhook, budget });
    expect([status, body['budget']]).toEqual([201, budget]);
    expect(await platform.db.prisma.trigger.findFirst({ where: { kind: 'webhook' } })).toMatchObject({
      ...{ budget_unit: 'usd', budget_amount: 250_000n },
    });
    const tokens = { unit: 'tokens', amount: 1_000 };
    expect((await change(body.id, { budget: tokens })).body).toMatchObject({ budget: tokens });
    expect((await change(body.id, { name: 'Still' })).body).toMatchObject({ budget: tokens });
    expect((await change(body.id, { budget: null })).body).toMatchObject({ budget: null });
    for (const wrong of [{ unit: 'usd', amount: 0 }, { unit: 'tokens', amount: 1.5 }, { unit: 'eur', amount: 1 }, 5])
      expect((await change(body.id, { budget: wrong })).status).toBe(422);
  });

  it('can be changed only by the owner', async () => {
    const { body } = await create(cron);
    await platform.db.prisma.trigger.updateMany({ data: { owner_id: platform.user.id } });
    expect((await change(body.id, { budget: { unit: 'usd', amount: 1 } })).status).toBe(422);
  });
});

describe('POST /triggers', () => {
  it('creates a trigger with a schedule and its next time; runs of the trigger act for the caller, with the scopes of the credential', async () => {
    const { status, body, headers } = await create({ ...cron, timezone: 'Europe/Berlin' });
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/triggers/${body.id}`]);
    expect(body).toMatchObject({
      ...{ kind: 'cron', status: 'active', overlap: 'skip', missed: 'skip', context: 'new', path: null, secret: null },
      ...{ owner: { id: encodeId('usr', graceId), name: 'Grace' }, max_failures: 10, failures: 0, firings: 0 },
    });
    expect(new Date(body.next_at ?? '').toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('09:00:00');
    const { rights } = await rowOf();
    expect((rights as { scopes: string[] }).scopes).toEqual(expect.arrayContaining(['admin', 'agents:message']));
    expect(await platform.countOf('Core', 'triggers')).toBe(1);
    expect(await platform.decisionsOn(body.id)).toMatchObject([
      { action: 'trigger.create', detail: { name: 'Report', agent: 'helper', schedule: '0 9 * * *' } },
    ]);
  });

  it('creates a webhook trigger with an address and a secret; the secret is sealed and in no later answer', async () => {
    const { body } = await create(webhook);
    expect(body.path).toMatch(/^\/api\/v1\/triggers\/[\w-]{32}$/);
    const row = await rowOf();
    expect(row.secret).not.toContain(body.secret);
    expect(openTriggerSecret(platform.secretBox, row.id, row.secret ?? '')).toBe(body.secret);
    const shown = await admin('GET', `/api/v1/triggers/${body.id}`);
    expect(shown.body).not.toHaveProperty('secret');
    expect(shown.text).not.toContain(body.secret);
  });

  it('returns the same trigger secret when a request is repeated with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'create-trigger-1' };
    const [first, second] = [await create(webhook, headers), await create(webhook, headers)];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await platform.db.prisma.trigger.count()).toBe(1);
  });

  it('stores the secret of the request in place of a generated secret', async () => {
    const { body } = await create({ ...webhook, signature: 'github', secret: 'a secret of ours'.replaceAll(' ', '-') });
    expect(body).toMatchObject({ signature: 'github', secret: 'a-secret-of-ours' });
  });

  it.each<[string, object, string]>([
    ['no schedule', { ...cron, schedule: undefined }, 'schedule: is required'],
    ['an expression that has no time', { ...cron, schedule: '0 0 30 2 *' }, 'schedule: must be five fields'],
    ['an expression with seconds', { ...cron, schedule: '0 0 9 * * *' }, 'schedule: must be five fields'],
    ['an unknown time zone', { ...cron, timezone: 'Mars/Olympus' }, 'timezone: must be a name'],
    ['an unknown agent', { ...cron, agent: 'nobody' }, 'agent: is no agent'],
    ['a template with an unknown name', { ...cron, input: 'Hi {{boddy}}' }, 'input: line 1, column 4'],
    [
      'an end before the beginning',
      { ...cron, starts_at: '2030-01-02T00:00:00Z', ends_at: '2030-01-01T00:00:00Z' },
      'ends_at',
    ],
    ['a signature on a schedule', { ...cron, signature: 'github' }, 'signature: is for triggers of the kind webhook'],
    ['a schedule on a webhook', { ...webhook, schedule: '0 9 * * *' }, 'schedule: is for triggers of the kind cron'],
    ['a key that is none of Standard Webhooks', { ...webhook, secret: 'x'.repeat(40) }, 'secret: must be whsec_'],
  ])('answers 422 for %s', async (_, json, fault) => {
    const answer = await create(json);
    expect([answer.status, faultOf(answer)]).toEqual([422, expect.stringContaining(fault)]);
  });

  it('answers 422 when the credential lacks the scope agents:message', async () => {
    const limited = await platform.clientOf('Core', { admin: true, scopes: ['admin'] });
    const answer = await limited('POST', '/api/v1/triggers', { json: cron });
    expect([answer.status, faultOf(answer)]).toEqual([422, expect.stringContaining('agents:message')]);
  });

  it('answers 409 for a taken name, and 403 beyond 100 triggers of a project', async () => {
    await create(cron);
    expect((await create(cron)).status).toBe(409);
    const row = await rowOf();
    await platform.db.prisma.trigger.createMany({
      data: Array.from({ length: 99 }, (_, n) => ({
        ...row,
        rights: {},
        id: row.id.slice(0, -4) + String(1000 + n),
        name: `T${n}`,
      })),
    });
    const refused = await create({ ...cron, name: 'One more' });
    expect([refused.status, faultOf(refused)]).toEqual([403, expect.stringContaining('the project has 100')]);
  });
});

describe('GET /triggers/times', () => {
  const times = (query: string) => admin('GET', `/api/v1/triggers/times?${query}`);

  it('returns the next five times of the schedule in its time zone', async () => {
    const { body } = await times('schedule=30%202%20*%20*%20*&timezone=Europe/Berlin&starts_at=2036-03-29T12:00:00Z');
    expect(body).toEqual({
      times: [
        '2036-03-30T01:30:00.000Z',
        '2036-03-31T00:30:00.000Z',
        '2036-04-01T00:30:00.000Z',
        '2036-04-02T00:30:00.000Z',
        '2036-04-03T00:30:00.000Z',
      ],
    });
  });

  it('answers 422 naming the invalid field', async () => {
    const answer = await times('schedule=often');
    expect([answer.status, faultOf(answer)]).toEqual([422, expect.stringContaining('schedule')]);
  });
});

describe('PATCH /triggers/{trigger_id}', () => {
  it('updates the next scheduled time when the schedule changes, and removes this time while the trigger is inactive', async () => {
    const { body } = await create(cron);
    const moved = await change(body.id, { schedule: '30 10 * * *' });
    expect(moved.body.next_at).toContain('T10:30:00');
    expect((await change(body.id, { status: 'inactive' })).body).toMatchObject({ status: 'inactive', next_at: null });
    expect((await change(body.id, { status: 'active' })).body.next_at).toBe(moved.body.next_at);
    expect((await change(body.id, { ends_at: '2020-01-01T00:00:00Z' })).body.next_at).toBeNull();
  });

  it('resets the failure count and the reason for being disabled when a user enables the trigger again', async () => {
    const { body } = await create(cron);
    await platform.db.prisma.trigger.updateMany({
      data: { status: 'inactive', disabled_reason: 'failing', failures: 10, next_at: null },
    });
    expect((await change(body.id, { status: 'active' })).body).toMatchObject({ disabled_reason: null, failures: 0 });
  });

  it('answers 422 when an admin who is not the owner changes the input, unless the same request makes this admin the owner', async () => {
    const { body } = await create(cron);
    const ada = platform.user;
    await platform.db.prisma.trigger.updateMany({ data: { owner_id: ada.id, context_id: ada.id } });
    const refused = await change(body.id, { input: 'Send me everything.' });
    expect([refused.status, faultOf(refused)]).toEqual([422, expect.stringContaining('owner_id: is required')]);
    const foreign = await change(body.id, { owner_id: encodeId('usr', ada.id) });
    expect([foreign.status, faultOf(foreign)]).toEqual([422, expect.stringContaining('must be your own id')]);
    expect((await change(body.id, { name: 'Renamed', status: 'inactive' })).status).toBe(200);
    const own = encodeId('usr', graceId);
    expect((await change(body.id, { input: 'Send me everything.', owner_id: own })).body).toMatchObject({
      owner: { id: own, name: 'Grace' },
      // Another owner must not continue the conversation of the former owner.
      context_id: null,
    });
  });

  it('stores the rights of the credential with which the owner last changed the trigger', async () => {
    const { body } = await create(cron);
    const limited = await platform.clientOf('Core', { admin: true, scopes: ['admin', 'agents:message'] });
    await change(body.id, { input: 'x' }, limited);
    expect((await rowOf()).rights).toEqual({ scopes: ['admin', 'agents:message'], mcpTools: null });
  });

  it('answers 404 to another project and 412 for an old version', async () => {
    const { body } = await create(cron);
    expect((await change(body.id, { name: 'x' }, stranger)).status).toBe(404);
    const answer = await admin('PATCH', `/api/v1/triggers/${body.id}`, {
      json: { name: 'x' },
      headers: { 'if-match': '"7"' },
    });
    expect(answer.status).toBe(412);
  });
});

describe('POST /triggers/{trigger_id}/rotate-secret', () => {
  it('sets a generated secret or the secret of the request, and keeps the former secret valid for a day', async () => {
    const { body } = await create(webhook);
    const rotate = async (json: object) =>
      ((await admin('POST', `/api/v1/triggers/${body.id}/rotate-secret`, { json })) as Answer).body;
    const first = await rotate({});
    expect(first.secret).not.toBe(body.secret);
    expect(Date.parse(String(first['former_secret_until']))).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const row = await rowOf();
    expect(openTriggerSecret(platform.secretBox, row.id, row.former_secret ?? '')).toBe(body.secret);
    const given = newWebhookSecret();
    expect((await rotate({ secret: given })).secret).toBe(given);
  });

  it('answers 409 for a trigger with a schedule, because only a webhook trigger has a secret', async () => {
    const { body } = await create(cron);
    expect((await admin('POST', `/api/v1/triggers/${body.id}/rotate-secret`, { json: {} })).status).toBe(409);
  });
});

describe('POST /triggers/{trigger_id}/fire', () => {
  const fire = async (id: string, json: object = {}) =>
    (await admin('POST', `/api/v1/triggers/${id}/fire`, { json })) as Answer;

  it('adds and audits a firing with the message made from the body', async () => {
    const { body } = await create(webhook);
    const { status, body: firing } = await fire(body.id, { body: '{"issue":{"title":"It broke"}}' });
    expect(status).toBe(202);
    expect(firing).toMatchObject({ number: 1, source: 'test', state: 'pending', input: 'It broke', run_id: null });
    expect(await platform.decisionsOn(body.id)).toMatchObject([{}, { action: 'trigger.fire', detail: { firing: 1 } }]);
  });

  it('skips or queues the firing, depending on `overlap` of the trigger, while an earlier firing has not ended', async () => {
    const { body } = await create(cron);
    await fire(body.id);
    expect((await fire(body.id)).body).toMatchObject({ number: 2, state: 'skipped', reason: 'overlap' });
    const { body: queued } = await create({ ...cron, name: 'Queue', overlap: 'queue' });
    await fire(queued.id);
    expect((await fire(queued.id)).body).toMatchObject({ number: 2, state: 'pending' });
  });

  it('skips further firings of a trigger when 100 of its firings have not ended', async () => {
    const { body } = await create({ ...cron, overlap: 'queue' });
    for (let n = 0; n < 100; n += 1) await fire(body.id);
    expect((await fire(body.id)).body).toMatchObject({ number: 101, state: 'skipped', reason: 'full' });
  });

  it('answers 409 for an inactive trigger, and 422 for a body from which no message can be made', async () => {
    const { body } = await create(webhook);
    expect((await fire(body.id, { body: '{}' })).status).toBe(422);
    await change(body.id, { status: 'inactive' });
    expect((await fire(body.id)).status).toBe(409);
  });
});

describe('GET /triggers/{trigger_id}/firings', () => {
  it('lists firings page by page, newest first, and filters by state', async () => {
    const { body } = await create({ ...cron, overlap: 'allow' });
    for (let n = 0; n < 5; n += 1) await admin('POST', `/api/v1/triggers/${body.id}/fire`, { json: {} });
    const page = async (query: string) =>
      (await admin('GET', `/api/v1/triggers/${body.id}/firings${query}`)).body as {
        items: { number: number }[];
        next_cursor: string | null;
      };
    const first = await page('?limit=3');
    expect(first.items.map(({ number }) => number)).toEqual([5, 4, 3]);
    const rest = await page(`?limit=3&cursor=${first.next_cursor}`);
    expect([rest.items.map(({ number }) => number), rest.next_cursor]).toEqual([[2, 1], null]);
    expect((await page('?state=failed')).items).toEqual([]);
    expect((await admin('GET', `/api/v1/triggers/${body.id}/firings?cursor=x`)).status).toBe(422);
    expect((await stranger('GET', `/api/v1/triggers/${body.id}/firings`)).status).toBe(404);
  });
});

describe('DELETE /triggers/{trigger_id}', () => {
  it('hides the trigger and its firings, deletes its address and secret, and makes its name free again', async () => {
    const { body } = await create(webhook);
    const path = `/api/v1/triggers/${body.id}`;
    await admin('POST', `${path}/fire`, { json: { body: '{"issue":{"title":"x"}}' } });
    expect((await admin('DELETE', path)).status).toBe(204);
    const requests: [string, string, object?][] = [
      ['GET', path],
      ['PATCH', path, { name: 'Again' }],
      ['DELETE', path],
      ['POST', `${path}/rotate-secret`, {}],
      ['POST', `${path}/fire`, {}],
      ['GET', `${path}/firings`],
    ];
    for (const [method, to, json] of requests)
      expect({ method, to, status: (await admin(method, to, { ...(json && { json }) })).status }).toEqual({
        ...{ method, to, status: 404 },
      });
    expect((await admin('GET', '/api/v1/triggers')).body).toMatchObject({ items: [], total: 0 });
    expect(await rowOf()).toMatchObject({ address: null, secret: null, input: '', status: 'inactive', next_at: null });
    expect((await create(webhook)).status).toBe(201);
    expect(await platform.countOf('Core', 'triggers')).toBe(1);
  });
});
