import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '@millwright/accounts';
import { createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { listenTo, type Listener } from '@millwright/db/notifications';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Caller } from '@millwright/auth';
import { createRunNotifier, createRunStore, RUNS, type Fence } from '@millwright/runs';
import { createEventWriter, type EventBatch } from './event-writer.js';

const WORKER = newId();
const SUBJECT = { kind: 'agent', id: newId(), name: 'a', version: 1 } as const;

let database: TestDatabase;
let db: Database;
let listener: Listener;
let caller: Caller;
const payloads: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4, acquireTimeoutMs: 15_000 });
  const ann = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  const userId = decodeId('usr', (await db.transaction((tx) => createUser(tx, ann))).id) ?? '';
  const actor = { userId, kind: 'user', label: 'Ann' } as const;
  caller = { project: 'Core', actor };
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

/** Makes a pause that ends when the test calls `open`. */
function createGate() {
  const waiting: (() => void)[] = [];
  return {
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Waits until the pause has begun, and then ends it. */
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
/** Returns the notifications that were committed so far. */
async function received(): Promise<string[]> {
  await db.prisma.$executeRaw`SELECT pg_notify(${RUNS}, 'last')`;
  await until(() => payloads.includes('last'));
  return payloads.splice(0).filter((payload) => payload !== 'last');
}
const fail = (error: unknown) => {
  throw error;
};

describe('runs that stream at the same time', () => {
  it('have their events written by one statement and one notification per interval, with complete text in order', async () => {
    const [writing, notifying] = [createGate(), createGate()];
    const notifier = createRunNotifier({ db, onError: fail, pause: notifying.pause });
    const runs = createRunStore(db);
    const statements: number[] = [];
    const writer = createEventWriter({
      write: async (batch) => {
        statements.push(batch.length);
        await runs.addEvents(batch);
        notifier.changed(batch.map(({ runId }) => runId));
      },
      onError: fail,
      pause: writing.pause,
    });
    const fences: Fence[] = [];
    for (let n = 0; n < 150; n += 1) {
      const run = { id: newId(), caller, subject: SUBJECT, channel: 'messages', model: 'm' } as const;
      fences.push(await db.transaction((tx) => runs.start(tx, run, WORKER)));
    }
    const ids = fences.map(({ runId }) => runId);
    const recorders = fences.map((fence) => writer.open(fence));
    const write = (delta: string) =>
      recorders.forEach(({ report }) => report({ event: 'message.delta', data: { step: 1, delta } }));

    write('One ');
    await Promise.all([writing.reached(), notifying.reached()]);
    expect(statements).toEqual([1]);
    expect(await received()).toEqual([ids[0]]);

    write('two ');
    write('three');
    await writing.open();
    await writing.reached();
    expect(statements).toEqual([1, 150]);
    expect(await received()).toEqual([]);
    await notifying.open();
    await notifying.reached();
    const [payload, ...others] = await received();
    expect([new Set(payload?.split(',')), others]).toEqual([new Set(ids), []]);

    for (const id of ids) {
      const [, ...events] = await runs.events(id, 0);
      expect(events.map(({ data }) => (data as { delta: string }).delta)).toEqual(
        id === ids[0] ? ['One ', 'two three'] : ['One two three'],
      );
    }
  });
});

describe('an event writer', () => {
  it('merges texts of the same step only, returns unwritten events on close, and rejects later events', async () => {
    const { pause, open, reached } = createGate();
    const written: EventBatch[] = [];
    const writer = createEventWriter({
      write: (batch) => Promise.resolve(written.push(...batch)).then(() => undefined),
      onError: fail,
      pause,
    });
    const [first, second] = ['first', 'second'].map((runId) => writer.open({ runId, attempt: 1 }));
    const write = (step: number, delta: string) => first?.report({ event: 'message.delta', data: { step, delta } });
    const delta = (step: number, text: string) => ({ type: 'message.delta', data: { step, delta: text } });
    write(1, 'Let me see');
    await reached();
    write(1, ' further\0.');
    write(2, 'It is ');
    write(2, 'noon.');
    second?.report({ event: 'message.delta', data: { step: 1, delta: 'Rest.' } });
    expect(await second?.rest()).toEqual([delta(1, 'Rest.')]);
    await open();
    await reached();
    expect(written).toEqual([
      { runId: 'first', attempt: 1, events: [delta(1, 'Let me see')] },
      { runId: 'first', attempt: 1, events: [delta(1, ' further\uFFFD.'), delta(2, 'It is noon.')] },
    ]);
    expect(await first?.rest()).toEqual([]);
    write(2, 'Too late.');
    expect(await first?.rest()).toEqual([]);
  });
});
