import { encodeId, newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime, type TestUser } from '../test-runtime.js';
import { createTestRuns, type TestRun, type TestRuns } from './test-runs.js';

let database: TestDatabase;
let runtime: TestRuntime;
let other: Replica;
let runs: TestRuns;
let ann: TestUser;
let [token, foreignToken, adminToken] = ['', '', ''];

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  other = await runtime.start({ listens: false, takesRuns: false });
  runs = createTestRuns(runtime);
  ann = await runtime.newUser('ann@example.com');
  const ben = await runtime.newUser('ben@example.com');
  const admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  token = await runtime.newToken({ userId: ann.id });
  foreignToken = await runtime.newToken({ userId: ben.id });
  adminToken = await runtime.newToken({ userId: admin.id });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

interface Follower {
  /** Events in the order in which they arrived. */
  events: { id: number; event: string; data: unknown }[];
  status: number;
  contentType: string | null;
  /** Resolves when `count` events have arrived. */
  has: (count: number) => Promise<void>;
  /** Resolves at the end of the answer. */
  ended: Promise<void>;
  leave: () => void;
}

async function follow(
  id: string,
  { after, at = runtime, as = token }: { after?: number | string; at?: Replica; as?: string } = {},
): Promise<Follower> {
  const leaving = new AbortController();
  const response = await fetch(`${at.url}/api/v1/runs/${id}/events`, {
    headers: { authorization: `Bearer ${as}`, ...(after !== undefined && { 'last-event-id': String(after) }) },
    signal: leaving.signal,
  });
  const events: Follower['events'] = [];
  async function read(): Promise<void> {
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (text + part).split('\n\n');
      text = parts.pop() ?? '';
      for (const lines of parts) {
        const fields = new Map(lines.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
        if (!fields.has('data')) continue;
        const data: unknown = JSON.parse(fields.get('data') ?? '');
        events.push({ id: Number(fields.get('id')), event: fields.get('event') ?? '', data });
      }
    }
  }
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return {
    events,
    ended,
    status: response.status,
    contentType: response.headers.get('content-type'),
    async has(count) {
      while (events.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    leave: () => leaving.abort(),
  };
}

/** Stores events like the process that executes the run. */
const add = (run: TestRun, ...texts: string[]) =>
  runs.runs.addEvents([
    { ...run, events: texts.map((delta) => ({ type: 'message.delta', data: { step: 1, delta } })) },
  ]);

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const idsOf = ({ events }: Follower) => events.map(({ id }) => id);

describe('GET /api/v1/runs/{run_id}/events', () => {
  it('sends past events, then new events, and ends when the run ends', async () => {
    const run = await runs.start(ann);
    await add(run, 'Hel', 'lo');
    const follower = await follow(run.id);
    expect([follower.status, follower.contentType]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await follower.has(3);
    await add(run, '!');
    await follower.has(4);
    await runs.end(run, 'failed', { error: { code: 'unavailable', text: 'upstream words' } });
    await follower.ended;
    expect(follower.events).toEqual([
      { id: 1, event: 'run.running', data: {} },
      { id: 2, event: 'message.delta', data: { step: 1, delta: 'Hel' } },
      { id: 3, event: 'message.delta', data: { step: 1, delta: 'lo' } },
      { id: 4, event: 'message.delta', data: { step: 1, delta: '!' } },
      { id: 5, event: 'run.failed', data: { code: 'unavailable' } },
    ]);
  });

  it('continues after Last-Event-ID, even without notifications, and after the end of the run', async () => {
    const run = await runs.start(ann);
    await add(run, 'a', 'b', 'c');
    const first = await follow(run.id);
    await first.has(3);
    first.leave();
    const second = await follow(run.id, { after: 3, at: other });
    await second.has(1);
    await add(run, 'd');
    await second.has(2);
    second.leave();
    await runs.end(run, 'completed');
    const last = await follow(run.id, { after: 5 });
    await last.ended;
    expect([...idsOf(first).slice(0, 3), ...idsOf(second), ...idsOf(last)]).toEqual(numbers(1, 6));
    const again = await follow(run.id, { at: other });
    await again.ended;
    expect(idsOf(again)).toEqual(numbers(1, 6));
  });

  it('sends the reason when the system has canceled the run', async () => {
    const run = await runs.start(ann);
    await runs.callTool(run, 'ask_helper'); // only a run that calls tools can have child runs
    const child = await runs.start(ann, { parent: { id: run.runId, step: 2 }, depth: 1 });
    await runs.end(run, 'canceled', { reason: 'agent_stopped' });
    for (const [{ id }, reason] of [
      [run, 'agent_stopped'],
      [child, 'parent_ended'],
    ] as const) {
      const follower = await follow(id, { at: other });
      await follower.ended;
      expect(follower.events.at(-1)).toMatchObject({ event: 'run.canceled', data: { reason } });
    }
  });

  it('sends every change of state as an event with the stored data', async () => {
    const run = await runs.start(ann);
    await runtime.db.transaction((tx) =>
      runs.runs.wait(tx, run, 'outcome', { data: { steps: [{ step: 1, tool: 'pay' }] } }),
    );
    await runtime.db.transaction((tx) => runs.runs.resume(tx, run.runId, 'outcome'));
    const [taken] = await runtime.db.transaction((tx) => runs.runs.takeQueued(tx, newId(), [run.runId]));
    await runtime.db.prisma.run.update({ where: { id: run.runId }, data: { lease_until: new Date(0) } });
    const [again] = await runtime.db.transaction((tx) => runs.runs.takeLapsed(tx, newId(), 10));
    expect([taken?.attempt, again?.attempt]).toEqual([2, 3]);
    await runs.end({ runId: run.runId, attempt: 3 }, 'canceled', { reason: 'agent_stopped' });
    const stored = await runtime.db.prisma.runEvent.findMany({ where: { run_id: run.runId }, orderBy: { seq: 'asc' } });
    const follower = await follow(run.id);
    await follower.ended;
    expect(follower.events).toEqual(stored.map(({ seq, type, data }) => ({ id: seq, event: type, data })));
    expect(follower.events.map(({ event }) => event)).toEqual([
      ...['run.running', 'run.waiting', 'run.queued', 'run.running', 'run.running', 'run.canceled'],
    ]);
  });

  it('answers 204 when the run has ended without later events, so that clients do not reconnect', async () => {
    const run = await runs.start(ann);
    await runs.end(run, 'canceled');
    for (const after of [2, 3]) {
      const { status, contentType } = await follow(run.id, { after });
      expect([status, contentType]).toEqual([204, null]);
    }
  });

  it('loses and repeats no event for a client that reconnects 100 times during a take-over', async () => {
    const run = await runs.start(ann);
    const writer = { isWriting: true };
    const writing = (async () => {
      for (let n = 0; n < 150; n += 1) await add(run, String(n), '.');
      await runtime.db.prisma.run.update({ where: { id: run.runId }, data: { lease_until: new Date(0) } });
      const [taken] = await runtime.db.transaction((tx) => runs.runs.takeLapsed(tx, newId(), 10));
      await add(run, 'too late');
      const next = { ...run, attempt: taken?.attempt ?? 0 };
      for (let n = 0; n < 150; n += 1) await add(next, String(n), '.');
      await runs.end(next, 'completed');
      writer.isWriting = false;
    })();
    const seen: number[] = [];
    for (let time = 0; time < 100 || writer.isWriting; time += 1) {
      const follower = await follow(run.id, { after: seen.at(-1) ?? 0, at: time % 2 === 0 ? runtime : other });
      await Promise.race([follower.has(1 + (time % 7)), follower.ended]);
      follower.leave();
      await follower.ended;
      seen.push(...idsOf(follower));
    }
    await writing;
    const rest = await follow(run.id, { after: seen.at(-1) ?? 0 });
    await rest.ended;
    seen.push(...idsOf(rest));
    expect(seen).toEqual(numbers(1, 603));
  });

  it('sends 100,000 events in order', async () => {
    const run = await runs.start(ann);
    for (let last = 10_000; last <= 100_000; last += 10_000)
      await database.sql`
        INSERT INTO run_events (run_id, seq, type, data)
        SELECT ${run.runId}::uuid, n, 'message.delta', json_build_object('step', 1, 'delta', 'x')
          FROM generate_series(${Math.max(2, last - 9_999)}::int, ${last}::int) n`;
    await runtime.db.prisma.run.update({ where: { id: run.runId }, data: { event_count: 100_000 } });
    await runs.end(run, 'completed');
    const follower = await follow(run.id);
    await follower.ended;
    expect(follower.events).toHaveLength(100_001);
    expect(idsOf(follower)).toEqual(numbers(1, 100_001));
  });

  it("answers 404 for another user's run, as for an unknown run; admins can follow it", async () => {
    const run = await runs.start(ann);
    await runs.end(run, 'completed');
    expect((await follow(run.id, { as: foreignToken })).status).toBe(404);
    expect((await follow(encodeId('run', newId()))).status).toBe(404);
    const follower = await follow(run.id, { as: adminToken });
    await follower.ended;
    expect(idsOf(follower)).toEqual([1, 2]);
  });

  it.each(['x', '-1', '1.5', '99999999999'])('answers 400 for the Last-Event-ID %s', async (after) => {
    const run = await runs.start(ann);
    expect((await follow(run.id, { after })).status).toBe(400);
  });

  it('counts towards the limit of streams of one user, across all processes', async () => {
    const capacity = { MAX_STREAMS_PER_USER: 2 };
    const narrow = await runtime.start({ capacity });
    const run = await runs.start(ann);
    const followers = [await follow(run.id, { at: narrow }), await follow(run.id, { at: narrow })];
    expect((await follow(run.id, { at: narrow })).status).toBe(429);
    for (const follower of followers) follower.leave();
    await runs.end(run, 'completed');
  });
});
