import { RunLost } from './run.js';
import { openRuns, OTHER, WORKER, type TestRuns } from './test-runs.js';

let test: TestRuns;
beforeAll(async () => {
  test = await openRuns();
});
afterAll(() => test.close());

const CALL = { callId: 'c1', tool: 'pay', server: 'ms_x', arguments: '{"a":1}', idempotencyKey: 'key-1' };
const CALLS = [{ id: 'c1', name: 'pay', arguments: '{"a":1}' }];

describe('the steps of a run', () => {
  it('are numbered in order; the run stores their number and the sums of their tokens and costs', async () => {
    const { db, steps } = test;
    const fence = await test.start({ worker: WORKER });
    const startedAt = new Date();
    const usage = { promptTokens: 10, completionTokens: 5, costUsd: 0.25 };
    const asked = await db.transaction((tx) =>
      steps.addModelStep(tx, fence, {
        model: 'm',
        startedAt,
        usage,
        answer: { text: 'so', calls: CALLS, untrusted: false },
      }),
    );
    const seq = await db.transaction((tx) => steps.startToolStep(tx, fence, { ...CALL, askedBy: asked }));
    await steps.endToolStep(fence, seq, { outcome: 'succeeded', result: 'paid', untrusted: true });
    const unpriced = { promptTokens: 1, completionTokens: 1, costUsd: null };
    await db.transaction((tx) =>
      steps.addModelStep(tx, fence, {
        ...{ model: 'm', startedAt, usage: unpriced },
        error: { code: 'unavailable', status: 429, text: 'too many\0' },
      }),
    );
    expect(await steps.list(fence.runId)).toMatchObject([
      { seq: 1, kind: 'model', outcome: 'succeeded', answer: 'so', calls: CALLS },
      { seq: 2, kind: 'tool', outcome: 'succeeded', askedBy: 1, result: 'paid', idempotencyKey: 'key-1' },
      { seq: 3, kind: 'model', outcome: 'failed', answer: null },
    ]);
    const row = await test.rowOf(fence);
    expect(row).toMatchObject({ step_count: 3, tool_call_count: 1, prompt_tokens: 11n, completion_tokens: 6n });
    expect(Number(row.cost_usd)).toBe(0.25);
    const [failed] = await db.prisma.runStep.findMany({ where: { run_id: fence.runId, outcome: 'failed' } });
    expect(failed).toMatchObject({ error_code: 'unavailable', error_status: 429, error_text: 'too many\uFFFD' });
  });

  it('that an earlier attempt started have an unknown outcome until the call is repeated', async () => {
    const { db, runs, steps } = test;
    const fence = await test.start({ worker: WORKER });
    const seq = await db.transaction((tx) => steps.startToolStep(tx, fence, { ...CALL, askedBy: 1 }));
    await test.lapse(fence);
    const [taken] = await db.transaction((tx) => runs.takeLapsed(tx, OTHER, 10));
    if (!taken) throw new Error('the run was not taken');
    expect(await db.transaction((tx) => steps.markUnknown(tx, fence))).toEqual([]);
    expect(await db.transaction((tx) => steps.markUnknown(tx, taken))).toEqual([seq]);
    expect(await steps.list(fence.runId)).toMatchObject([{ seq, outcome: 'unknown' }]);
    await expect(db.transaction((tx) => steps.restartToolStep(tx, fence, seq))).rejects.toThrow(RunLost);
    await db.transaction((tx) => steps.restartToolStep(tx, taken, seq));
    await steps.endToolStep(taken, seq, { outcome: 'succeeded', result: 'paid', untrusted: true });
    expect(await steps.list(fence.runId)).toMatchObject([{ seq, outcome: 'succeeded', attempt: 2, result: 'paid' }]);
  });

  it('can be ended only once', async () => {
    const { db, steps } = test;
    const fence = await test.start({ worker: WORKER });
    const seq = await db.transaction((tx) => steps.startToolStep(tx, fence, { ...CALL, askedBy: 1 }));
    const ended = { outcome: 'failed', result: '{"error":"no"}', untrusted: true } as const;
    await steps.endToolStep(fence, seq, ended);
    await expect(steps.endToolStep(fence, seq, ended)).rejects.toThrow(RunLost);
  });
});
