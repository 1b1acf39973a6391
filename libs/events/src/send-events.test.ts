import { asRole, createDatabase, encodeId, type Database } from '@millwright/db';
import { createEgress, type Egress } from '@millwright/egress';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { recordEvent, sendEventsRepeatedly, type NewEvent } from './index.js';
import { retryDelayMs } from './failed-delivery.js';
import { MOST_DATA_BYTES, MOST_PENDING } from './record-event.js';
import {
  makeAdmin,
  makeWebhook,
  openEgress,
  pollUntil,
  rotate,
  secrets,
  startReceiver,
  verify,
  type TestReceiver,
} from './test-events.js';

let database: TestDatabase;
/** A database connection with all rights. */
let db: Database;
let runtimeDb: Database;
let senderDb: Database;
let receiver: TestReceiver;
let owner: string;
let egress: Egress;
const senders: { stop: () => Promise<void> }[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  const pool = { poolMax: 5, acquireTimeoutMs: 15_000 };
  db = createDatabase({ url: database.url, ...pool });
  runtimeDb = createDatabase({ url: asRole(database.url, 'runtime-api'), ...pool });
  senderDb = createDatabase({ url: asRole(database.url, 'admin-auth'), ...pool });
  receiver = await startReceiver();
  owner = await makeAdmin(db);
  egress = openEgress();
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
  await Promise.all([egress.close(), receiver.close()]);
  await Promise.all([db.close(), runtimeDb.close(), senderDb.close()]);
  await database.drop();
});

function startSender(outward = egress) {
  const sender = sendEventsRepeatedly({
    db: senderDb,
    request: outward.request,
    secrets,
    checkEvery: 50,
    onError: (error) => expect(error).toBeUndefined(),
  });
  senders.push(sender);
  return sender;
}
const record = (changes: Partial<NewEvent> = {}) =>
  runtimeDb.transaction((tx) =>
    recordEvent(tx, { project: 'Core', type: 'run.completed', subject: 'run_1', data: { cost: 1 }, ...changes }),
  );
const deliveries = () => db.prisma.eventDelivery.findMany({ orderBy: { seq: 'asc' } });
const ended = (count: number) =>
  pollUntil(async () => {
    const rows = await deliveries();
    return rows.filter(({ state }) => state !== 'pending').length === count ? rows : undefined;
  });
const failedOnce = () =>
  pollUntil(async () => (await deliveries()).find(({ last_error }) => last_error !== null) ?? undefined);
const webhookOf = (id: string) => db.prisma.webhook.findUniqueOrThrow({ where: { id } });
/** Makes the next attempt of failed deliveries due now, except for deliveries that are being sent. */
const makeDue = () => db.prisma.$executeRaw`
  UPDATE event_deliveries SET next_at = now(), last_error = NULL
   WHERE state = 'pending' AND last_error IS NOT NULL`;

describe('recordEvent', () => {
  it('writes nothing when no active webhook of the project receives the type', async () => {
    await makeWebhook(db, owner, receiver.url, { project: 'Commerce' });
    await makeWebhook(db, owner, receiver.url, { event_types: ['run.failed'] });
    await makeWebhook(db, owner, receiver.url, { status: 'inactive' });
    await record();
    expect([await db.prisma.event.count(), await deliveries()]).toEqual([0, []]);
  });

  it('writes nothing when the transaction is rolled back', async () => {
    await makeWebhook(db, owner, receiver.url);
    await expect(
      runtimeDb.transaction(async (tx) => {
        await recordEvent(tx, { project: 'Core', type: 'run.failed', subject: 'run_1', data: {} });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await db.prisma.event.count()).toBe(0);
  });

  it('replaces data that is too large instead of failing the transaction', async () => {
    await makeWebhook(db, owner, receiver.url);
    await record({ data: { text: 'x'.repeat(MOST_DATA_BYTES) } });
    expect(await db.prisma.event.findMany()).toMatchObject([{ data: { omitted: 'larger than 64 KiB' } }]);
  });

  it('queues the event for all webhooks except those with too many waiting deliveries', async () => {
    const full = await makeWebhook(db, owner, receiver.url);
    const other = await makeWebhook(db, owner, receiver.url, { event_types: ['run.failed'] });
    await database.run(
      `WITH event AS (
         INSERT INTO events (id, project, type, subject, data)
         SELECT gen_random_uuid(), 'Core', 'run.completed', n::text, '{}' FROM generate_series(1, $1::int) n RETURNING *)
       INSERT INTO event_deliveries (id, webhook_id, event_id, subject, seq, retry_until)
       SELECT gen_random_uuid(), $2::uuid, id, subject, seq, now() FROM event`,
      [MOST_PENDING, full.id],
    );
    await record({ type: 'run.failed', subject: 'the last' });
    const rows = await db.prisma.eventDelivery.findMany({ where: { subject: 'the last' } });
    const states = new Map(rows.map(({ webhook_id, state }) => [webhook_id, state]));
    expect([states.get(full.id), states.get(other.id)]).toEqual(['skipped', 'pending']);
  });

  it('orders events of one subject in the order in which their transactions commit', async () => {
    await makeWebhook(db, owner, receiver.url);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        runtimeDb
          .transaction(async (tx) => {
            await recordEvent(tx, { project: 'Core', type: 'run.waiting', subject: 'run_1', data: { n } });
            order.push(n);
          })
          .then(() => undefined),
      ),
    );
    const events = await db.prisma.event.findMany({ orderBy: { seq: 'asc' } });
    expect(events.map(({ data }) => (data as { n: number }).n)).toEqual(order);
  });
});

describe('sendEventsRepeatedly', () => {
  it('posts an event as Standard Webhooks describes, so that the official library verifies it', async () => {
    const { id, secret } = await makeWebhook(db, owner, `${receiver.url}/hooks?a=1`);
    await record({ data: { cost: 'ü' } });
    startSender();
    const [row] = await ended(1);
    expect(row).toMatchObject({ webhook_id: id, state: 'delivered', attempts: 1, last_status: 204, last_error: null });
    const [message] = receiver.received;
    if (!message) throw new Error('nothing received');
    expect(verify(secret, message)).toEqual(message.message);
    expect(message.id).toBe(encodeId('evt', row?.event_id ?? ''));
    const sequence = Number(row?.seq);
    expect(message.message).toMatchObject({ type: 'run.completed', project: 'Core', subject: 'run_1', sequence });
    expect(message.message.data).toEqual({ cost: 'ü' });
    expect(() => verify(secret, { ...message, body: message.body.replace('ü', 'u') })).toThrow();
  });

  it('signs with both secrets during the overlap of a rotation, and with the new secret alone after the overlap', async () => {
    const { id, secret: former } = await makeWebhook(db, owner, receiver.url);
    const secret = await rotate(db, id, 3_600_000);
    await record();
    startSender();
    await ended(1);
    const [both] = receiver.received;
    if (!both) throw new Error('nothing received');
    expect(verify(secret, both)).toEqual(verify(former, both));
    await db.prisma.webhook.update({ where: { id }, data: { former_until: new Date(0) } });
    await record();
    await ended(2);
    const one = receiver.received[1];
    if (!one) throw new Error('nothing received');
    expect(verify(secret, one)).toEqual(one.message);
    expect(() => verify(former, one)).toThrow();
  });

  it('sends an event again under the same id until it is accepted, then sends the next event of its subject', async () => {
    const { id } = await makeWebhook(db, owner, receiver.url);
    receiver.answer = ({ message }) =>
      message.subject === 'run_1' && receiver.received.length < 4 ? { status: 500, body: 'later' } : { status: 200 };
    await record({ data: { n: 1 } });
    await record({ data: { n: 2 } });
    startSender();
    const failed = await failedOnce();
    expect(failed).toMatchObject({ state: 'pending', last_status: 500, last_error: 'The receiver answered 500.' });
    expect(failed.answer).toBe('later');
    await pollUntil(async () => (await webhookOf(id)).failing_since ?? undefined);
    await record({ subject: 'run_2', data: { n: 3 } });
    await pollUntil(() => receiver.received.find(({ message }) => message.subject === 'run_2'));
    await pollUntil(async () => {
      await makeDue();
      return (await deliveries()).every(({ state }) => state !== 'pending') ? true : undefined;
    });
    const first = receiver.received.filter(({ message }) => message.subject === 'run_1');
    const numbers = first.map(({ message }) => (message.data as { n: number }).n);
    expect(numbers.toSorted()).toEqual(numbers);
    expect(numbers.filter((n) => n === 2)).toHaveLength(1);
    const repeated = first.filter(({ message }) => (message.data as { n: number }).n === 1);
    expect(repeated.length).toBeGreaterThan(1);
    expect(new Set(repeated.map(({ id: messageId, body }) => `${messageId} ${body}`)).size).toBe(1);
    await pollUntil(async () => ((await webhookOf(id)).failing_since === null ? true : undefined));
  });

  it('gives up an event at its deadline, and continues with the next event of its subject', async () => {
    await makeWebhook(db, owner, receiver.url);
    receiver.answer = ({ message }) => ({ status: (message.data as { n: number }).n === 1 ? 500 : 204 });
    await record({ data: { n: 1 } });
    await record({ data: { n: 2 } });
    await db.prisma.$executeRaw`
      UPDATE event_deliveries SET retry_until = now() WHERE seq = (SELECT min(seq) FROM event_deliveries)`;
    startSender();
    expect((await ended(2)).map(({ state }) => state)).toEqual(['failed', 'delivered']);
  });

  it('takes over the claimed deliveries of a process that died', async () => {
    await makeWebhook(db, owner, receiver.url);
    await record();
    await db.prisma.$executeRaw`UPDATE event_deliveries SET attempts = 1, next_at = now() + interval '1 second'`;
    startSender();
    expect(await ended(1)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('stores no result of a delivery that another process has taken over', async () => {
    await makeWebhook(db, owner, receiver.url);
    const gate = Promise.withResolvers<undefined>();
    receiver.answer = async () => {
      await gate.promise;
      throw new Error('cut');
    };
    await record();
    const sender = startSender();
    await pollUntil(() => receiver.received[0]);
    await db.prisma.$executeRaw`UPDATE event_deliveries SET attempts = 7`;
    receiver.dropConnections();
    await sender.stop();
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 7, last_error: null }]);
  });

  it('delivers each event once when several processes send', async () => {
    await makeWebhook(db, owner, receiver.url);
    for (let n = 0; n < 40; n += 1) await record({ subject: `run_${n % 7}`, data: { n } });
    for (let n = 0; n < 3; n += 1) startSender();
    await ended(40);
    expect(receiver.received).toHaveLength(40);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(40);
  });

  it('opens at most eight connections to one host at the same time', async () => {
    for (let n = 0; n < 3; n += 1) await makeWebhook(db, owner, receiver.url);
    const gate = Promise.withResolvers<undefined>();
    let most = 0;
    receiver.answer = (() => {
      let open = 0;
      return async () => {
        most = Math.max(most, (open += 1));
        await gate.promise;
        open -= 1;
        return { status: 204 } as never;
      };
    })();
    for (let n = 0; n < 10; n += 1) await record({ subject: `run_${n}` });
    startSender();
    await pollUntil(() => (receiver.received.length >= 8 ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 300));
    gate.resolve(undefined);
    await ended(30);
    expect(most).toBe(8);
  });

  it.each([
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /redirects/],
    ['an error with an endless text', { status: 500, body: 'x'.repeat(100_000) }, /answered 500/],
  ])('counts %s as a failure', async (_what, answer, reason) => {
    await makeWebhook(db, owner, receiver.url);
    receiver.answer = () => answer;
    await record();
    startSender();
    const row = await failedOnce();
    expect(row.last_error).toMatch(reason);
    expect((row.answer ?? '').length).toBeLessThanOrEqual(4_096);
    expect(receiver.received).toHaveLength(1);
  });

  it("posts no event to an address of the installation's network", async () => {
    await makeWebhook(db, owner, receiver.url);
    await record();
    const strict = createEgress({ allowLoopback: false, allowHttp: false, allow: [] });
    startSender(strict);
    expect((await failedOnce()).last_error).toMatch(/may not be called/);
    expect(receiver.received).toEqual([]);
    await strict.close();
  });
});

describe('a webhook that fails for days', () => {
  const rows = () => db.prisma.governanceDecision.findMany({ where: { actor_kind: 'job' }, orderBy: { seq: 'asc' } });
  const notices = async () =>
    (await db.prisma.accountNotice.findMany({ orderBy: { id: 'asc' } })).map(({ kind }) => kind);
  const failingFor = (id: string, since: string, warned: string | null) => db.prisma.$executeRaw`
    UPDATE webhooks SET failing_since = now() - ${since}::interval, warned_at = now() - ${warned}::interval WHERE id = ${id}::uuid`;
  async function failOnce(id: string) {
    const before = receiver.received.length;
    await db.prisma
      .$executeRaw`UPDATE event_deliveries SET last_error = NULL, next_at = now() WHERE webhook_id = ${id}::uuid`;
    await pollUntil(() => (receiver.received.length > before ? true : undefined));
    await failedOnce();
  }
  beforeEach(() => {
    receiver.answer = () => ({ status: 503 });
  });

  it('is disabled only after its admins have received one warning', async () => {
    const { id } = await makeWebhook(db, owner, receiver.url);
    await failingFor(id, '6 days', null);
    await record();
    const sender = startSender();
    await failedOnce();
    await failOnce(id);
    await sender.stop();
    expect(await webhookOf(id)).toMatchObject({ status: 'active', warned_at: expect.any(Date) as Date });
    expect(await rows()).toMatchObject([
      { action: 'webhook.warn', user_id: owner, resource: encodeId('wh', id), project: 'Core' },
    ]);
    expect(await notices()).toEqual(['webhook_failing']);
  });

  it('is disabled after five days, with an audit row and a message to the admins of the project', async () => {
    const { id } = await makeWebhook(db, owner, receiver.url);
    await failingFor(id, '5 days 1 minute', '2 days');
    await record();
    const sender = startSender();
    await failedOnce();
    await sender.stop();
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', disabled_reason: 'failing', version: 2 });
    expect(await rows()).toMatchObject([{ action: 'webhook.disable', detail: { reason: 'failing' } }]);
    expect(await notices()).toEqual(['webhook_disabled']);
    expect(await deliveries()).toMatchObject([{ state: 'pending' }]);
  });

  it('is reported by e-mail to its owner, to the project admins of its project, and to no other user', async () => {
    const people = [
      ['lead@example.com', 'Core', 'project_admin'],
      ['other-lead@example.com', 'Commerce', 'project_admin'],
      ['auditor@example.com', 'Core', 'auditor'],
      ['user@example.com', 'Core', null],
    ] as const;
    for (const [email, project, delegated_role] of people) {
      const id = await makeAdmin(db, email);
      await db.prisma.user.update({ where: { id }, data: { role: 'user', project, delegated_role } });
    }
    const { id } = await makeWebhook(db, owner, receiver.url);
    await failingFor(id, '4 days', null);
    await record();
    const sender = startSender();
    await failedOnce();
    await sender.stop();
    const notified = await db.prisma.accountNotice.findMany({ select: { email: true }, orderBy: { email: 'asc' } });
    await db.prisma.user.updateMany({
      where: { email: { in: people.map(([email]) => email) } },
      data: { status: 'inactive' },
    });
    expect(notified).toEqual([{ email: 'ann@example.com' }, { email: 'lead@example.com' }]);
  });

  it('is disabled immediately when the receiver answers 410', async () => {
    const { id } = await makeWebhook(db, owner, receiver.url);
    receiver.answer = () => ({ status: 410 });
    await record();
    const sender = startSender();
    await failedOnce();
    await sender.stop();
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', disabled_reason: 'gone' });
  });
});

describe('retryDelayMs', () => {
  const minutes = (attempts: number, retryAfterMs?: number) => retryDelayMs(attempts, retryAfterMs, () => 0) / 60_000;

  it('grows from 5 s to 6 h, with about 20 attempts in 72 hours', () => {
    expect([1, 2, 3, 6].map((attempts) => minutes(attempts) * 60)).toEqual([5, 15, 45, 1_215]);
    expect([minutes(20), minutes(1_000)]).toEqual([360, 360]);
    let [hours, attempts] = [0, 0];
    while (hours < 72) hours += minutes((attempts += 1)) / 60;
    expect(attempts).toBe(20);
  });

  it('follows a Retry-After of up to six hours', () => {
    expect([minutes(1, 60_000), minutes(1, 86_400_000)]).toEqual([1, 360]);
  });
});
