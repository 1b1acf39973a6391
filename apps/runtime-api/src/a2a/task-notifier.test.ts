import { createUser } from '@millwright/accounts';
import { createDatabase, decodeId, listenTo, newId, type Database, type Listener } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { CONCIERGE } from '../concierge/concierge.js';
import { createChunkWriter } from './chunk-writer.js';
import { createTaskNotifier } from './task-notifier.js';
import { createTaskSignals, TASKS, toPayloads } from './task-signals.js';
import { createTaskStore, type TaskChunk, type TaskOwner } from './tasks.store.js';

let database: TestDatabase;
let db: Database;
let listener: Listener;
let owner: TaskOwner;
let contextId: string;
const payloads: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4, acquireTimeoutMs: 15_000 });
  const ann = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  const userId = decodeId('usr', (await db.transaction((tx) => createUser(tx, ann))).id) ?? '';
  const actor = { userId, kind: 'user', label: 'Ann' } as const;
  owner = { caller: { project: 'Core', actor }, agent: CONCIERGE };
  contextId = newId();
  await db.prisma.context.create({ data: { id: contextId, project: 'Core', user_id: userId } });
  await new Promise<void>((resolve, reject) => {
    listener = listenTo({
      url: database.url,
      channel: TASKS,
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

/** A pause that the test ends. */
function createGate() {
  const waiting: (() => void)[] = [];
  return {
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Waits until the pause has begun, and ends it. */
    open: async () => {
      await until(() => waiting.length > 0);
      waiting.shift()?.();
    },
    reached: () => until(() => waiting.length > 0),
  };
}
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}
/** The notifications that were committed until now. */
async function received(): Promise<string[]> {
  await db.prisma.$executeRaw`SELECT pg_notify(${TASKS}, 'last')`;
  await until(() => payloads.includes('last'));
  return payloads.splice(0).filter((payload) => payload !== 'last');
}
const fail = (error: unknown) => {
  throw error;
};

describe('tasks that stream at the same time', () => {
  it('are written with one statement and one notification in each interval, their text whole and in order', async () => {
    const [writing, notifying] = [createGate(), createGate()];
    const store = createTaskStore(db, createTaskNotifier({ db, onError: fail, pause: notifying.pause }));
    const statements: (readonly TaskChunk[])[] = [];
    const chunks = createChunkWriter({
      write: (some) => {
        statements.push(some);
        return store.addChunks(some);
      },
      onError: fail,
      pause: writing.pause,
    });
    const ids = await db.transaction((tx) =>
      Promise.all(Array.from({ length: 150 }, () => store.create(tx, owner, contextId, () => ({})))),
    );
    const writers = ids.map((id) => chunks.open(id));
    const say = (delta: string) =>
      writers.forEach(({ report }) => report({ event: 'message.delta', data: { step: 1, delta } }));

    say('One ');
    await Promise.all([writing.reached(), notifying.reached()]);
    expect(statements.map(({ length }) => length)).toEqual([1]);
    expect(await received()).toEqual([ids[0]]);

    say('two ');
    say('three');
    await writing.open();
    await writing.reached();
    expect(statements.map(({ length }) => length)).toEqual([1, 150]);
    expect(await received()).toEqual([]);
    await notifying.open();
    await notifying.reached();
    const [payload, ...others] = await received();
    expect([new Set(payload?.split(',')), others]).toEqual([new Set(ids), []]);

    for (const id of ids) {
      const task = await store.find(owner, id);
      expect(task?.chunks.map(({ text }) => text).join('')).toBe('One two three');
      expect(task?.chunks.map(({ seq, starts }) => [seq, starts])).toEqual(
        id === ids[0]
          ? [
              [1, true],
              [2, false],
            ]
          : [[1, true]],
      );
    }
    await Promise.all(ids.map((id) => store.fail(id, 'over')));
    await notifying.open();
    await notifying.reached();
    expect((await received()).join(',').split(',').toSorted()).toEqual(ids.map((id) => `${id} ended`).toSorted());
    expect(await db.prisma.taskChunk.count()).toBe(0);
  });

  it('get no chunk once they have ended', async () => {
    const { pause, reached } = createGate();
    const store = createTaskStore(db, createTaskNotifier({ db, onError: fail, pause }));
    const id = await db.transaction((tx) => store.create(tx, owner, contextId, () => ({})));
    await store.cancel(owner, id);
    await store.addChunks([{ taskId: id, seq: 1, starts: true, text: 'Too late.' }]);
    expect(await db.prisma.taskChunk.count()).toBe(0);
    await reached();
    expect(await received()).toEqual([`${id} ended`]);
  });
});

describe('a chunk writer', () => {
  it('starts over with the text of a later step, and writes nothing after it is closed', async () => {
    const { pause, open, reached } = createGate();
    const written: TaskChunk[] = [];
    const chunks = createChunkWriter({
      write: (some) => Promise.resolve(written.push(...some)).then(() => undefined),
      onError: fail,
      pause,
    });
    const [first, second] = [chunks.open('first'), chunks.open('second')];
    const say = (step: number, delta: string) => first.report({ event: 'message.delta', data: { step, delta } });
    say(1, 'Let me see');
    await reached();
    say(1, ' further.');
    say(2, 'It is ');
    say(2, 'noon.');
    second.report({ event: 'message.delta', data: { step: 1, delta: 'Never stored.' } });
    await second.close();
    await open();
    await reached();
    expect(written).toEqual([
      { taskId: 'first', seq: 1, starts: true, text: 'Let me see' },
      { taskId: 'first', seq: 2, starts: true, text: 'It is noon.' },
    ]);
  });
});

describe('a notification', () => {
  it('of more tasks than a payload holds is split, within one statement', async () => {
    const ids = Array.from({ length: 500 }, () => newId());
    const { pause, open, reached } = createGate();
    const notifier = createTaskNotifier({ db, onError: fail, pause });
    notifier.changed(ids.slice(0, 1));
    await reached();
    notifier.changed(ids);
    for (const id of ids) notifier.ended(id);
    await open();
    await reached();
    const [first, ...pages] = await received();
    expect([first, pages.length]).toEqual([ids[0], 3]);
    for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThan(8_000);
    const signals = createTaskSignals();
    const ended: string[] = [];
    for (const id of ids) signals.watch(id, (isEnd) => isEnd && ended.push(id));
    for (const page of pages) signals.hear(page);
    expect(ended).toEqual(ids);
  });

  it('that fails is reported and forgotten', async () => {
    const errors: unknown[] = [];
    const closed = createDatabase({ url: database.url, poolMax: 1 });
    await closed.close();
    const notifier = createTaskNotifier({ db: closed, onError: (error) => errors.push(error) });
    notifier.ended(newId());
    await until(() => errors.length === 1);
  });

  it('of an earlier release, which names one task, is understood', () => {
    const signals = createTaskSignals();
    const changes: boolean[] = [];
    signals.watch('a', (ended) => changes.push(ended));
    signals.hear('a');
    signals.hear('a ended');
    signals.hear(toPayloads(new Map([['b', true]])).join());
    expect(changes).toEqual([false, true]);
  });
});
