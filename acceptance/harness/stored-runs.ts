import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId, newId, type Database } from '@millwright/db';
import { createRunStore, createStepStore, type Fence, type WaitReason } from '@millwright/runs';

export type End = 'completed' | 'failed' | 'canceled' | 'running' | 'waiting';

export interface StoredRun {
  /** Name of the run's agent. */
  name: string;
  end: End;
  /** Number of rounds: each is a call of the model and a call of a tool. If the run waits, its last tool call has an unknown outcome. */
  pairs: number;
  text: string;
  /** Number of tool calls in each answer of the model. Default: 1. */
  calls?: number;
  /** Why a waiting run waits, and the data of the wait. Default: the unknown outcome of its last call. */
  waits?: { reason: WaitReason; data: object };
  /** Kind of the run's subject. Default: an agent. */
  kind?: 'agent' | 'prompt';
}

/** Duration of each stored call of the model, in milliseconds. */
const MODEL_MS = 20;

type Actor = { userId: string; kind: 'user'; label: string };

/** Returns a function that stores a run as the runtime does, in the state that a test of a page needs. */
export function storedRuns(db: Database, actor: Actor) {
  const [runs, steps] = [createRunStore(db), createStepStore(db)];

  async function addSteps(fence: Fence, { end, pairs, text, calls: count = 1, waits }: StoredRun): Promise<void> {
    for (let n = 1; n <= pairs; n += 1) {
      const calls = Array.from({ length: count }, (_, index) => ({
        id: `call_${index + 1}`,
        name: index === 0 ? 'weigh' : `weigh_${index + 1}`,
        arguments: JSON.stringify({ text }),
      }));
      const startedAt = new Date();
      await sleep(MODEL_MS);
      const step = {
        model: 'fake',
        startedAt,
        answer: { text, calls, untrusted: false },
        usage: { promptTokens: 900, completionTokens: 40, costUsd: 0.0125 },
        added: [{ role: 'system', content: text }],
      };
      const askedBy = await db.transaction((tx) => steps.addModelStep(tx, fence, step));
      for (const call of calls) {
        const of = { askedBy, callId: call.id, tool: call.name, server: 'ms_1', rule: 'allow' } as const;
        const tool = { ...of, arguments: call.arguments };
        const seq = await db.transaction((tx) => steps.startToolStep(tx, fence, { ...tool, idempotencyKey: newId() }));
        if (end === 'waiting' && n === pairs && !waits) {
          const where = { run_id_seq: { run_id: fence.runId, seq } };
          await db.prisma.runStep.update({ where, data: { outcome: 'unknown' } });
          return;
        }
        const outcome = end === 'failed' && n === pairs ? 'failed' : 'succeeded';
        const error = { code: 'unavailable', status: 502, text };
        await steps.endToolStep(fence, seq, {
          outcome,
          result: text,
          untrusted: true,
          ...(outcome === 'failed' && { error }),
        });
      }
    }
  }

  /** Makes sure that the agent exists, because the runtime ends runs of agents that do not exist. */
  async function agentOf(name: string): Promise<string> {
    const slug = name.replaceAll(' ', '-');
    const agent = {
      id: newId(),
      project: 'Core',
      name,
      slug,
      description: 'Stored by a test.',
      created_by: actor.userId,
    };
    const { id } = await db.prisma.agent.upsert({
      where: { project_name: { project: 'Core', name } },
      create: agent,
      update: {},
      select: { id: true },
    });
    return id;
  }

  return async (run: StoredRun): Promise<string> => {
    const { name, end, text } = run;
    const caller = { project: 'Core', actor } as const;
    const { kind = 'agent', waits } = run;
    const subject = { kind, id: kind === 'agent' ? await agentOf(name) : newId(), name, version: 2 };
    const id = newId();
    const started = { id, caller, subject, channel: 'messages', model: 'fake', input: { text } } as const;
    const fence: Fence = await db.transaction((tx) => runs.start(tx, started, newId()));
    await addSteps(fence, run);
    if (end === 'running') {
      // A long lease, because a worker takes the run over when the lease ends.
      const lease_until = new Date(Date.now() + 3_600_000);
      await db.prisma.run.update({ where: { id }, data: { lease_until } });
    } else if (end === 'canceled') await db.transaction((tx) => runs.cancel(tx, id));
    else {
      await db.transaction(async (tx) => {
        if (end === 'waiting' && waits) return runs.wait(tx, fence, waits.reason, { data: waits.data });
        if (end === 'waiting') {
          const unknown = await tx.runStep.findMany({ where: { run_id: fence.runId, outcome: 'unknown' } });
          return runs.wait(tx, fence, 'outcome', {
            data: { steps: unknown.map(({ seq, tool }) => ({ step: seq, tool })) },
          });
        }
        const error = { code: 'unavailable', status: 502, text };
        await runs.end(tx, fence, end, end === 'failed' ? { error } : { output: text });
      });
    }
    return encodeId('run', id);
  };
}
