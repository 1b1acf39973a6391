import { newId } from '@millwright/db';
import { RunLost, type Fence } from './run.js';
import { hasEnded, NEXT_STATES, RUN_STATES, type RunState } from './run-state.js';
import { openRuns, OTHER, WORKER, type TestRuns } from './test-runs.js';

let test: TestRuns;
beforeAll(async () => {
  test = await openRuns();
});
afterAll(() => test.close());

const eventsOf = async ({ runId }: Fence) => (await test.runs.events(runId, 0)).map(({ seq, type }) => [seq, type]);

/** Makes a run in the given state. */
async function runIn(state: RunState): Promise<Fence> {
  const fence = await test.start({ worker: state === 'queued' ? undefined : WORKER });
  if (state === 'queued' || state === 'running') return fence;
  await changeTo(fence, state);
  return fence;
}

/** Tries to change a run to a state with the operation for that state. @returns whether the operation has changed it */
async function changeTo(fence: Fence, state: RunState): Promise<boolean> {
  const { db, runs } = test;
  try {
    if (state === 'running') {
      await test.lapse(fence);
      return await db.transaction(async (tx) => {
        const claimed = [
          ...(await runs.takeLapsed(tx, OTHER, 100)),
          ...(await runs.takeQueued(tx, OTHER, [fence.runId])),
        ];
        return claimed.some(({ runId }) => runId === fence.runId);
      });
    }
    if (state === 'canceled') return (await db.transaction((tx) => runs.cancel(tx, fence.runId))).length > 0;
    if (state === 'queued') return await db.transaction((tx) => runs.resume(tx, fence.runId, 'outcome'));
    await db.transaction<unknown>((tx) =>
      state === 'waiting' ? runs.wait(tx, fence, 'outcome') : runs.end(tx, fence, state, {}),
    );
    return true;
  } catch (error) {
    if (error instanceof RunLost) return false;
    throw error;
  }
}

/** Whether a run must be claimed before this change. For example, only a worker can make a run fail. */
const needsWorker = (from: RunState, to: RunState) => to === 'failed' && from !== 'running';

describe('the state of a run', () => {
  it.each(RUN_STATES.flatMap((from) => RUN_STATES.map((to) => [from, to] as const)))(
    'changes from %s to %s only when the table of states allows it',
    async (from, to) => {
      const fence = await runIn(from);
      const wanted = NEXT_STATES[from].includes(to) && !needsWorker(from, to);
      const before = await eventsOf(fence);
      expect(await changeTo(fence, to)).toBe(wanted);
      const row = await test.rowOf(fence);
      expect(row.state).toBe(wanted ? to : from);
      expect(row.ended_at !== null).toBe(hasEnded(row.state as RunState));
      const added = wanted ? [[before.length + 1, `run.${to}`]] : [];
      expect(await eventsOf(fence)).toEqual([...before, ...added]);
      expect(row.event_count).toBe(before.length + added.length);
    },
  );
});

describe('the queued run of a conversation', () => {
  const contextOf = async (userId: string) => {
    const { id } = await test.db.prisma.context.create({ data: { id: newId(), project: 'Core', user_id: userId } });
    return id;
  };
  const takeNext = () => test.db.transaction((tx) => test.runs.takeNext(tx, OTHER, 1_000, 1_000));
  const isTaken = async ({ runId }: Fence) => (await takeNext()).some((taken) => taken.runId === runId);

  it.each(['running', 'waiting', 'resumed'])(
    'is not taken while another run of the conversation is %s, whichever run has the smaller id',
    async (state) => {
      const { db, runs } = test;
      const contextId = await contextOf(test.caller.actor.userId);
      // The run with the later id is stored first, because ids from processes whose clocks differ may not be in the
      // order of storing.
      const [earlier, later] = [newId(), newId()];
      const begun = await test.start({ id: later, contextId, worker: WORKER });
      const queued = await test.start({ id: earlier, contextId });
      if (state !== 'running') await db.transaction((tx) => runs.wait(tx, begun, 'outcome'));
      if (state === 'resumed') await db.transaction((tx) => runs.resume(tx, begun.runId, 'outcome'));
      const taken = (await takeNext()).map(({ runId }) => runId).filter((id) => [earlier, later].includes(id));
      expect(taken).toEqual(state === 'resumed' ? [later] : []);
      await db.transaction((tx) => runs.cancel(tx, begun.runId));
      expect(await isTaken(queued)).toBe(true);
    },
  );

  it('leaves the state of the conversation at `waiting` while another run of it waits', async () => {
    const { db, runs, caller } = test;
    const contextId = await contextOf(caller.actor.userId);
    const [earlier, later] = [newId(), newId()];
    const begun = await test.start({ id: later, contextId, worker: WORKER });
    await test.start({ id: earlier, contextId });
    await db.transaction((tx) => runs.wait(tx, begun, 'outcome'));
    const place = { project: 'Core', agentId: newId(), contextId };
    const { contextState, contextRuns } = await db.transaction((tx) => runs.occupancy(tx, place, 1_000));
    expect([contextState, contextRuns]).toEqual(['waiting', 2]);
  });
});

describe('a run taken after the end of another run', () => {
  it('has a start time at or after that end, even when the transaction that takes the run began before that end', async () => {
    const { db, runs } = test;
    const [first, second] = [await test.start({ worker: WORKER }), await test.start({})];
    const [begun, ended] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const taken = db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT now()`;
      begun.resolve(undefined);
      await ended.promise;
      return runs.takeQueued(tx, OTHER, [second.runId]);
    });
    await begun.promise;
    await db.transaction((tx) => runs.end(tx, first, 'completed'));
    ended.resolve(undefined);
    expect(await taken).toHaveLength(1);
    const [{ ended_at }, { started_at }] = [await test.rowOf(first), await test.rowOf(second)];
    expect(Number(started_at)).toBeGreaterThanOrEqual(Number(ended_at));
  });
});

describe('a run that another process has taken', () => {
  it('accepts no write of the first process', async () => {
    const { db, runs, steps } = test;
    const first = await test.start({ worker: WORKER });
    const seq = await db.transaction((tx) =>
      steps.startToolStep(tx, first, {
        ...{ askedBy: 1, callId: 'c', tool: 'pay', server: 'ms_x', arguments: '{}', idempotencyKey: 'k' },
      }),
    );
    await test.lapse(first);
    // On a slow machine, the leases of runs of other tests may have lapsed as well.
    const taken = await db.transaction((tx) => runs.takeLapsed(tx, OTHER, 1_000));
    expect(taken.find(({ runId }) => runId === first.runId)).toMatchObject({ attempt: 2, isTakenOver: true });

    const startedAt = new Date();
    const writes: Record<string, () => Promise<unknown>> = {
      end: () => db.transaction((tx) => runs.end(tx, first, 'completed')),
      wait: () => db.transaction((tx) => runs.wait(tx, first, 'input')),
      addModelStep: () => db.transaction((tx) => steps.addModelStep(tx, first, { model: 'house', startedAt })),
      startToolStep: () =>
        db.transaction((tx) =>
          steps.startToolStep(tx, first, {
            ...{ askedBy: 1, callId: 'd', tool: 'pay', server: 'ms_x', arguments: '{}', idempotencyKey: 'l' },
          }),
        ),
      endToolStep: () => steps.endToolStep(first, seq, { outcome: 'succeeded', result: 'paid', untrusted: true }),
    };
    for (const [name, write] of Object.entries(writes)) await expect(write().then(() => name)).rejects.toThrow(RunLost);
    const before = await eventsOf(first);
    await runs.addEvents([{ ...first, events: [{ type: 'message.delta', data: { delta: 'late' } }] }]);
    expect(await runs.renew(WORKER, [first])).toEqual([]);
    expect(await eventsOf(first)).toEqual(before);
    const [step, ...others] = await steps.list(first.runId);
    expect([step?.outcome, others]).toEqual(['started', []]);
    expect(await test.rowOf(first)).toMatchObject({ state: 'running', attempt: 2, step_count: 1 });
  });

  it('was taken by only one of many concurrent processes', async () => {
    const { db, runs } = test;
    const fence = await test.start({ worker: WORKER });
    await test.lapse(fence);
    const takers = Array.from({ length: 8 }, () => db.transaction((tx) => runs.takeLapsed(tx, newId(), 10)));
    const taken = (await Promise.all(takers)).flat().filter(({ runId }) => runId === fence.runId);
    expect(taken.map(({ attempt }) => attempt)).toEqual([2]);
  });

  it('has the caller, subject, input and idempotency key with which it was started', async () => {
    const { db, runs, caller } = test;
    const fence = await test.start({ worker: WORKER, idempotencyKey: 'key', input: { text: 'hello' } });
    await test.lapse(fence);
    const taken = await db.transaction((tx) => runs.takeLapsed(tx, OTHER, 10));
    expect(taken.find(({ runId }) => runId === fence.runId)).toMatchObject({
      caller,
      subject: { kind: 'agent', name: 'guide', version: 3 },
      input: { text: 'hello' },
      idempotencyKey: 'key',
    });
  });
});

describe('the lease of a run', () => {
  it('is renewed by one statement for all runs of a process, except for runs that have ended', async () => {
    const { db, runs } = test;
    const [one, two, ended] = [await test.start(), await test.start(), await test.start()];
    await db.transaction((tx) => runs.cancel(tx, ended.runId));
    const kept = await runs.renew(WORKER, [one, two, ended]);
    expect(kept.map(({ runId }) => runId).sort()).toEqual([one.runId, two.runId].sort());
  });

  it('ends when its process releases it, and then another process can take over the run', async () => {
    const { db, runs } = test;
    const worker = newId();
    const fence = await test.start({ worker });
    await runs.release(worker);
    const taken = await db.transaction((tx) => runs.takeLapsed(tx, OTHER, 100));
    expect(taken.map(({ runId }) => runId)).toContain(fence.runId);
  });
});

describe('the events of runs', () => {
  it('are numbered without gaps, for any number of concurrent writers', async () => {
    const { db, runs } = test;
    const fence = await test.start({ worker: WORKER });
    const text = (delta: string) => ({ type: 'message.delta', data: { delta } });
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => runs.addEvents([{ ...fence, events: [text(`${n}a`), text(`${n}b`)] }])),
    );
    await db.transaction((tx) => runs.end(tx, fence, 'completed'));
    const events = await runs.events(fence.runId, 0);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 42 }, (_, index) => index + 1));
    expect(await runs.events(fence.runId, 41)).toMatchObject([{ seq: 42, type: 'run.completed' }]);
  });

  it('are stored for several runs together, except for a run that another attempt has taken over', async () => {
    const { runs } = test;
    const [one, two] = [await test.start(), await test.start()];
    const delta = { type: 'message.delta', data: { delta: 'x' } };
    await runs.addEvents([
      { ...one, events: [delta, delta] },
      { ...two, attempt: 7, events: [delta] },
    ]);
    expect(await eventsOf(one)).toEqual([
      [1, 'run.running'],
      [2, 'message.delta'],
      [3, 'message.delta'],
    ]);
    expect(await eventsOf(two)).toEqual([[1, 'run.running']]);
  });
});

describe('the start of a run', () => {
  it('refuses metadata that is too large', async () => {
    await expect(test.start({ metadata: { text: 'x'.repeat(20_000) } })).rejects.toThrow('metadata');
  });
});
