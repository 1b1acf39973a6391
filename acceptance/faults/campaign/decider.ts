import { setTimeout as delay } from 'node:timers/promises';
import { encodeId } from '@millwright/db';
import type { RunRecords } from './run-records.js';
import type { ReceivedCall } from './tool-servers.js';

const LOOK_MS = 300;

export interface Decision {
  run: string;
  seq: number;
  outcome: 'happened' | 'did_not_happen';
}

/** Simulates a person who looks up in the tools' records whether a call arrived, and decides about the runs that wait for this decision. */
export function startDecider(baseUrl: string, token: string, records: RunRecords, calls: readonly ReceivedCall[]) {
  const decisions: Decision[] = [];
  let isStopped = false;

  async function decide({ run, seq, key }: { run: string; seq: number; key: string }): Promise<void> {
    const outcome = calls.some((call) => call.key === key) ? 'happened' : 'did_not_happen';
    const response = await fetch(`${baseUrl}/api/v1/runs/${encodeId('run', run)}/outcome`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ step: seq, outcome }),
    }).catch(() => undefined);
    if (response?.ok) decisions.push({ run, seq, outcome });
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      for (const step of await records.undecided().catch(() => [])) await decide(step);
      await delay(LOOK_MS);
    }
  }

  const working = work();
  return {
    decisions,
    async stop(): Promise<void> {
      isStopped = true;
      await working;
    },
  };
}
