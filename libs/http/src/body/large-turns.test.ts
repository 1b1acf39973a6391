import { blockEventLoop } from '@millwright/testing';
import { createLoopTurns } from './large-turns.js';

/** Counts the turns of the event loop until the work is done. */
async function countTurns(work: (turn: () => number) => Promise<void>): Promise<void> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work(() => turns);
  isOver = true;
}

describe('createLoopTurns', () => {
  it('continues each of several waiting callers in a separate turn of the event loop, in the order of the calls', async () => {
    const next = createLoopTurns();
    const begun: [caller: number, turn: number][] = [];
    await countTurns(async (turn) => {
      await Promise.all([0, 1, 2, 3].map((caller) => next().then(() => begun.push([caller, turn()]))));
    });
    expect(begun.map(([caller]) => caller)).toEqual([0, 1, 2, 3]);
    expect(new Set(begun.map(([, turn]) => turn)).size).toBe(4);
  });

  it('lets timers run between two callers that each block the event loop', async () => {
    const next = createLoopTurns();
    let longest = 0;
    let at = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - at);
      at = performance.now();
    }, 1);
    await Promise.all(Array.from({ length: 10 }, () => next().then(() => blockEventLoop(40))));
    await next();
    clearInterval(timer);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(200);
  });
});
