import { encodeId, newId } from '@millwright/db';
import { createRunStore, createStepStore, type Fence, type NewRun, type RunChange } from '@millwright/runs';
import type { TestRuntime, TestUser } from '../test-runtime.js';

export interface TestRun extends Fence {
  /** Id of the run in the form of the API. */
  id: string;
}

/** Stores runs and their events in the same way as a process that executes runs. */
export function createTestRuns({ db }: Pick<TestRuntime, 'db'>) {
  const runs = createRunStore(db);
  const steps = createStepStore(db);
  return {
    runs,
    steps,

    async start({ actor }: TestUser, over: Partial<NewRun> & { project?: string } = {}): Promise<TestRun> {
      const { project = 'Core', ...changes } = over;
      const subject = { kind: 'agent', id: newId(), name: 'guide', version: 3 } as const;
      const caller = { project, actor, scopes: new Set<string>() };
      const run: NewRun = { id: newId(), caller, subject, channel: 'messages', model: 'house', ...changes };
      const fence = await db.transaction((tx) => runs.start(tx, run, newId()));
      return { ...fence, id: encodeId('run', fence.runId) };
    },

    end: (fence: Fence, state: 'completed' | 'failed' | 'canceled', change: RunChange = {}) =>
      db.transaction((tx) => runs.end(tx, fence, state, change)),

    /** Stores a model call whose answer requests one tool call, and also stores that tool call. */
    async callTool(
      fence: Fence,
      tool: string,
      outcome: 'succeeded' | 'failed' | 'unknown' = 'succeeded',
    ): Promise<void> {
      const call = { id: 'call_1', name: tool, arguments: '{"a":1}' };
      const answer = { text: '', calls: [call], untrusted: false };
      const usage = { promptTokens: 10, completionTokens: 5, costUsd: 0.25 };
      const model = {
        model: 'house',
        startedAt: new Date(),
        answer,
        usage,
        added: [{ role: 'system', content: 'Be brief.' }],
      };
      const askedBy = await db.transaction((tx) => steps.addModelStep(tx, fence, model));
      const started = {
        askedBy,
        callId: call.id,
        tool,
        server: 'ms_1',
        arguments: call.arguments,
        idempotencyKey: newId(),
      };
      const seq = await db.transaction((tx) => steps.startToolStep(tx, fence, started));
      const error = { code: 'unavailable', status: 502, text: 'upstream words' };
      const failure = outcome === 'failed' ? { error } : {};
      await steps.endToolStep(fence, seq, { outcome, result: 'done', untrusted: true, ...failure });
    },
  };
}
export type TestRuns = ReturnType<typeof createTestRuns>;
