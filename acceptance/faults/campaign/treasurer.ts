import { setTimeout as delay } from 'node:timers/promises';
import type { Call, Answer } from '../../harness/calls.js';

interface Budget {
  id: string;
  window: { spent: number };
}
type PlatformCall = <Body>(path: string, options?: Call) => Promise<Answer<Body>>;

const LOOK_MS = 1_000;
/**
 * Numbers of tokens that are free after each increase of the budget, used in turn. The first two are enough for the calls of all runs. The last
 * number is enough for a few runs only, so that the other runs wait.
 */
const ROOMS = [400_000, 400_000, 12_000] as const;
const NO_LIMIT = 1_000_000_000;

/** Creates a budget of the project, and increases it every second. Between two increases the budget can run out, so that runs wait for it. */
export async function startTreasurer(call: PlatformCall) {
  const first = { name: 'Campaign', level: 'project', period: 'total', unit: 'tokens', amount: ROOMS[0] };
  const made = await call<Budget>('/budgets', { body: first });
  if (made.status !== 201) throw new Error(`the budget was answered ${made.status}: ${made.text}`);
  const path = `/budgets/${made.body.id}`;
  let isStopped = false;

  const setAmount = async (amount: number): Promise<boolean> => {
    const answer = await call(path, { method: 'PATCH', body: { amount } }).catch(() => undefined);
    return answer?.status === 200;
  };

  async function work(): Promise<void> {
    for (let round = 0; !isStopped; round += 1) {
      const found = await call<Budget>(path).catch(() => undefined);
      if (found?.status === 200) await setAmount(found.body.window.spent + (ROOMS[round % ROOMS.length] ?? 0));
      await delay(LOOK_MS);
    }
    // The request is repeated until it succeeds, because the campaign may just have cut the service's connections to the database.
    while (!(await setAmount(NO_LIMIT))) await delay(LOOK_MS);
  }

  const working = work();
  return {
    /** Removes the budget's limit, so that all runs can end. */
    async stop(): Promise<void> {
      isStopped = true;
      await working;
    },
  };
}
