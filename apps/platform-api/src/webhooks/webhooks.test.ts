import { encodeId, newId } from '@millwright/db';
import { openSecret, recordEvent } from '@millwright/events';
import { isWebhookSecret } from '@millwright/events/signatures';
import { createTestDatabase, listen, type HttpClient, type ListeningApp, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let receiver: ListeningApp;
let admin: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await listen((_request, response) => response.end());
  platform = await startPlatform(database.url);
  admin = await platform.clientOf('Core', { admin: true });
  stranger = await platform.clientOf('Commerce', { admin: true });
});
beforeEach(async () => {
  await platform.db.prisma.eventDelivery.deleteMany();
  await platform.db.prisma.webhook.deleteMany();
  await platform.db.prisma.recordCount.deleteMany({ where: { kind: 'webhooks' } });
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), receiver.close()]);
});

interface Body {
  id: string;
  secret?: string;
  [field: string]: unknown;
}
const create = async (changes: object = {}, headers: Record<string, string> = {}) => {
  const json = { name: 'Hook', url: receiver.url, ...changes };
  const answer = await admin('POST', '/api/v1/webhooks', { json, headers });
  return { ...answer, body: answer.body as Body };
};
const rowOf = (id: string) =>
  platform.db.prisma.webhook.findFirstOrThrow({ where: { name: 'Hook' } }).then((row) => {
    expect(encodeId('wh', row.id)).toBe(id);
    return row;
  });
const record = (subject = 'run_1', type: 'run.completed' | 'run.failed' = 'run.failed') =>
  platform.db.transaction((tx) => recordEvent(tx, { project: 'Core', type, subject, data: { why: 'error' } }));
interface Page {
  items: Body[];
  next_cursor: string | null;
}
const deliveriesOf = async (id: string, query = '') =>
  (await admin('GET', `/api/v1/webhooks/${id}/deliveries${query}`)).body as Page;

describe('POST /webhooks', () => {
  it('creates a webhook, whose secret is stored sealed and is in no later answer', async () => {
    const { status, body, headers } = await create({ event_types: ['run.failed'] });
    expect(status).toBe(201);
    const { secret = '', ...shown } = body;
    expect(isWebhookSecret(secret)).toBe(true);
    expect(shown).toMatchObject({ name: 'Hook', event_types: ['run.failed'], status: 'active', waiting: 0 });
    const row = await rowOf(body.id);
    expect(row.secret).not.toContain(secret);
    expect(openSecret(platform.secretBox, row.id, row.secret)).toBe(secret);
    const read = await admin('GET', headers.get('location') ?? '');
    expect([read.status, read.body]).toEqual([200, shown]);
    expect((await admin('GET', '/api/v1/webhooks')).body).toMatchObject({ items: [shown], total: 1 });
    const decisions = await platform.decisionsOn(body.id);
    expect(decisions).toMatchObject([{ action: 'webhook.create', project: 'Core', detail: { url: receiver.url } }]);
    expect(JSON.stringify(decisions)).not.toContain('whsec_');
  });

  it('returns the same secret for a retry with the same Idempotency-Key; the secret is stored encrypted', async () => {
    const key = { 'Idempotency-Key': newId() };
    const [first, retry] = [await create({}, key), await create({}, key)];
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(retry.body).toEqual(first.body);
    const stored = await platform.db.prisma.idempotencyKey.findMany();
    expect(JSON.stringify(stored)).not.toContain(first.body.secret);
  });

  it.each([
    [{ url: 'ftp://hooks.example' }, 'url'],
    [{ event_types: ['run.exploded'] }, 'event_types'],
    [{ event_types: ['webhook.test'] }, 'event_types'],
    [{ event_types: ['run.failed', 'run.failed'] }, 'event_types'],
    [{ name: '' }, 'name'],
    [{ secret: 'whsec_mine' }, 'secret'],
  ])('answers 422 for %j, and the error names the field', async (changes, field) => {
    const { status, body } = await create(changes);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(field)]);
  });

  it("answers 422 for an address in the installation's network", async () => {
    const key = await platform.issueKey({ admin: true });
    const answer = await fetch(`${platform.strictUrl}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Hook', url: receiver.url }),
    });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('public server')]);
  });

  it('answers 409 when the name is taken, and 403 for the 21st webhook', async () => {
    await create();
    expect((await create()).status).toBe(409);
    const more = await Promise.all(Array.from({ length: 24 }, (_, n) => create({ name: `Hook ${n}` })));
    const statuses = more.map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, new Set(statuses)]).toEqual([19, new Set([201, 403])]);
    expect(await platform.countOf('Core', 'webhooks')).toBe(20);
  });
});

describe('PATCH /webhooks/{webhook_id}', () => {
  it('changes fields; a request that sets the status also clears disabled_reason and failing_since', async () => {
    const { body } = await create();
    const { id } = await rowOf(body.id);
    const failing = { failing_since: new Date(), status: 'inactive', disabled_reason: 'failing' };
    await platform.db.prisma.webhook.update({ where: { id }, data: failing });
    const path = `/api/v1/webhooks/${body.id}`;
    expect((await admin('GET', path)).body).toMatchObject({ status: 'inactive', disabled_reason: 'failing' });
    const changed = await admin('PATCH', path, { json: { status: 'active', description: 'x' } });
    const cleared = { status: 'active', description: 'x', disabled_reason: null, failing_since: null };
    expect([changed.status, changed.body]).toMatchObject([200, cleared]);
  });

  it('answers 412 when If-Match names another version', async () => {
    const { body } = await create();
    const headers = { 'If-Match': '"7"' };
    expect((await admin('PATCH', `/api/v1/webhooks/${body.id}`, { json: { name: 'x' }, headers })).status).toBe(412);
  });
});

describe('POST /webhooks/{webhook_id}/rotate-secret', () => {
  it('returns a new secret and keeps the former secret valid for 24 hours', async () => {
    const { body } = await create();
    const answer = await admin('POST', `/api/v1/webhooks/${body.id}/rotate-secret`);
    const { secret = '', former_secret_until } = answer.body as Body;
    expect([answer.status, isWebhookSecret(secret)]).toEqual([200, true]);
    expect(secret).not.toBe(body.secret);
    const row = await rowOf(body.id);
    const open = (sealed: string | null) => openSecret(platform.secretBox, row.id, sealed ?? '');
    expect([open(row.secret), open(row.former_secret)]).toEqual([secret, body.secret]);
    const hours = (new Date(String(former_secret_until)).getTime() - Date.now()) / 3_600_000;
    expect([hours > 23, hours <= 24]).toEqual([true, true]);
  });
});

describe('POST /webhooks/{webhook_id}/test', () => {
  it('records a test event for this webhook only, whichever event types the webhook has', async () => {
    const { body } = await create({ event_types: ['run.failed'] });
    const other = await create({ name: 'Other' });
    const answer = await admin('POST', `/api/v1/webhooks/${body.id}/test`);
    expect([answer.status, answer.body]).toMatchObject([202, { state: 'pending', event: { type: 'webhook.test' } }]);
    expect([(await deliveriesOf(body.id)).items.length, (await deliveriesOf(other.body.id)).items.length]).toEqual([
      1, 0,
    ]);
  });

  it('answers 409 for an inactive webhook', async () => {
    const { body } = await create();
    await admin('PATCH', `/api/v1/webhooks/${body.id}`, { json: { status: 'inactive' } });
    expect((await admin('POST', `/api/v1/webhooks/${body.id}/test`)).status).toBe(409);
  });
});

describe('GET /webhooks/{webhook_id}/deliveries', () => {
  it('lists deliveries page by page, newest first, and filters them by state', async () => {
    const { body } = await create();
    for (let n = 0; n < 5; n += 1) await record(`run_${n}`);
    const subjects: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await deliveriesOf(body.id, `?limit=2${cursor && `&cursor=${cursor}`}`);
      subjects.push(...page.items.map(({ event }) => (event as { subject: string }).subject));
      cursor = page.next_cursor;
    }
    expect(subjects).toEqual(['run_4', 'run_3', 'run_2', 'run_1', 'run_0']);
    expect((await deliveriesOf(body.id, '?state=failed')).items).toEqual([]);
    expect((await deliveriesOf(body.id, '?state=pending')).items).toHaveLength(5);
    const answer = await admin('GET', `/api/v1/webhooks/${body.id}/deliveries?cursor=dlv_x`);
    expect(answer.status).toBe(422);
  });
});

describe('GET /webhooks/{webhook_id}/deliveries/{delivery_id}', () => {
  it('returns the data of the event, and answers 404 to another project', async () => {
    const { body } = await create();
    await record();
    const [delivery] = (await deliveriesOf(body.id)).items;
    const path = `/api/v1/webhooks/${body.id}/deliveries/${delivery?.id ?? ''}`;
    expect((await admin('GET', path)).body).toEqual({ ...delivery, data: { why: 'error' } });
    expect((await stranger('GET', path)).status).toBe(404);
  });
});

describe('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay', () => {
  it('schedules and audits another delivery of the same event', async () => {
    const { body } = await create();
    await record();
    await platform.db.prisma.eventDelivery.updateMany({ data: { state: 'delivered', attempts: 3 } });
    const [delivery] = (await deliveriesOf(body.id)).items;
    const answer = await admin('POST', `/api/v1/webhooks/${body.id}/deliveries/${delivery?.id ?? ''}/replay`);
    const expected = { id: delivery?.id, event: delivery?.['event'], state: 'pending', attempts: 0 };
    expect([answer.status, answer.body]).toMatchObject([202, expected]);
    const actions = (await platform.decisionsOn(body.id)).map(({ action }) => action);
    expect(actions).toEqual(['webhook.create', 'webhook.replay']);
  });
});

describe('POST /webhooks/{webhook_id}/replay', () => {
  it('replays the failed and skipped events of the period, and with delivered: true also the delivered events', async () => {
    const { body } = await create();
    for (const state of ['failed', 'skipped', 'delivered', 'pending']) {
      await record(state);
      await platform.db.prisma.eventDelivery.updateMany({ where: { subject: state }, data: { state } });
    }
    const replay = (json: object) => admin('POST', `/api/v1/webhooks/${body.id}/replay`, { json });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect((await replay({ since: since, until: since })).status).toBe(422);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect((await replay({ since: future })).body).toEqual({ replayed: 0, more: false });
    expect((await replay({ since, until: future })).body).toEqual({ replayed: 2, more: false });
    expect((await replay({ since, until: future, delivered: true })).body).toEqual({ replayed: 1, more: false });
    expect((await deliveriesOf(body.id, '?state=pending')).items).toHaveLength(4);
  });
});

describe('DELETE /webhooks/{webhook_id}', () => {
  it('hides the webhook and its deliveries, deletes its secrets, and makes its name free again', async () => {
    const { body } = await create();
    await record();
    const { items } = await deliveriesOf(body.id);
    const delivery = `/api/v1/webhooks/${body.id}/deliveries/${items[0]?.id}`;
    expect((await admin('GET', delivery)).status).toBe(200);
    expect((await admin('DELETE', `/api/v1/webhooks/${body.id}`)).status).toBe(204);
    const requests: [string, string, object?][] = [
      ['GET', `/api/v1/webhooks/${body.id}`],
      ['PATCH', `/api/v1/webhooks/${body.id}`, { name: 'Again' }],
      ['DELETE', `/api/v1/webhooks/${body.id}`],
      ['POST', `/api/v1/webhooks/${body.id}/rotate-secret`, {}],
      ['POST', `/api/v1/webhooks/${body.id}/test`, {}],
      ['POST', `/api/v1/webhooks/${body.id}/replay`, { since: '2026-01-01T00:00:00Z' }],
      ['GET', `/api/v1/webhooks/${body.id}/deliveries`],
      ['GET', delivery],
      ['POST', `${delivery}/replay`, {}],
    ];
    for (const [method, path, json] of requests)
      expect({ method, path, status: (await admin(method, path, { ...(json && { json }) })).status }).toEqual({
        ...{ method, path, status: 404 },
      });
    expect((await admin('GET', '/api/v1/webhooks')).body).toMatchObject({ items: [], total: 0 });
    expect(await platform.db.prisma.webhook.findMany()).toMatchObject([{ secret: '', url: '', status: 'inactive' }]);
    await record('run_2');
    expect(await platform.db.prisma.eventDelivery.count()).toBe(1);
    expect((await create()).status).toBe(201);
    expect(await platform.countOf('Core', 'webhooks')).toBe(1);
  });
});
