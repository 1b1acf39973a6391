import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, newId, type Database } from '@millwright/db';
import { listenTo, type Listener } from '@millwright/db/notifications';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createRunNotifier } from './run-notifier.js';
import { createRunSignals, RUNS, toPayloads } from './run-signals.js';

let database: TestDatabase;
let db: Database;
let listener: Listener;
const payloads: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4, acquireTimeoutMs: 15_000 });
  await new Promise<void>((resolve, reject) => {
    listener = listenTo({
      url: database.url,
      channel: RUNS,
      onNotify: (payload) => payloads.push(payload),
      onConnected: () => {
        resolve();
        return Promise.resolve();
      },
      onError: reject,
    });
  });
});
afterAll(async () => {
  await listener.close();
  await db.close();
  await database.drop();
});
beforeEach(() => payloads.splice(0));

/** Makes a pause that lasts until the test ends it. */
function createGate() {
  const waiting: (() => void)[] = [];
  return {
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Waits until the pause has begun, and then ends the pause. */
    open: async () => {
      await until(() => waiting.length > 0);
      waiting.shift()?.();
    },
    reached: () => until(() => waiting.length > 0),
  };
}
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}
/** Returns the notifications that have been committed so far. */
async function received(): Promise<string[]> {
  await db.prisma.$executeRaw`SELECT pg_notify(${RUNS}, 'last')`;
  await until(() => payloads.includes('last'));
  return payloads.splice(0).filter((payload) => payload !== 'last');
}
const fail = (error: unknown) => {
  throw error;
};

describe('a notification', () => {
  it('that names more runs than fit into one payload is sent as several notifications by one statement', async () => {
    const ids = Array.from({ length: 500 }, () => newId());
    const { pause, open, reached } = createGate();
    const notifier = createRunNotifier({ db, onError: fail, pause });
    notifier.changed(ids.slice(0, 1));
    await reached();
    notifier.changed(ids);
    for (const id of ids) notifier.ended(id);
    await open();
    await reached();
    const [first, ...pages] = await received();
    expect([first, pages.length]).toEqual([ids[0], 3]);
    for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThan(8_000);
    const signals = createRunSignals();
    const ended: string[] = [];
    for (const id of ids) signals.watch(id, (isEnd) => isEnd && ended.push(id));
    for (const page of pages) signals.hear(page);
    expect(ended).toEqual(ids);
  });

  it('that cannot be sent is reported as an error, and is not sent again', async () => {
    const errors: unknown[] = [];
    const closed = createDatabase({ url: database.url, poolMax: 1 });
    await closed.close();
    const notifier = createRunNotifier({ db: closed, onError: (error) => errors.push(error) });
    notifier.ended(newId());
    await until(() => errors.length === 1);
  });

  it('names the runs that changed and the runs that ended', () => {
    const signals = createRunSignals();
    const changes: boolean[] = [];
    signals.watch('a', (ended) => changes.push(ended));
    signals.hear('a');
    signals.hear('a ended');
    signals.hear(toPayloads(new Map([['b', 'ended']])).join());
    expect(changes).toEqual([false, true]);
  });

  it('of queued runs calls the handlers for queued runs once per payload, and not for runs that have ended', async () => {
    const [first, second, ended] = [newId(), newId(), newId()];
    const { pause, open, reached } = createGate();
    const notifier = createRunNotifier({ db, onError: fail, pause });
    notifier.queued(first);
    await reached();
    notifier.changed([first, second, ended]);
    for (const id of [first, second, ended]) notifier.queued(id);
    notifier.ended(ended);
    notifier.queued(ended);
    await open();
    await reached();
    const payloads = await received();
    expect(payloads).toEqual([`${first} queued`, `${first} queued,${second} queued,${ended} ended`]);
    const signals = createRunSignals();
    let [taken, watched] = [0, 0];
    const unwatch = signals.watchQueue(() => (taken += 1));
    signals.watch(second, () => (watched += 1));
    for (const payload of payloads) signals.hear(payload);
    signals.hear(`${first},${ended} ended`);
    unwatch();
    signals.hear(`${first} queued`);
    expect([taken, watched]).toEqual([2, 1]);
  });
});
