/** How much of the event loop a piece of work used. */
export interface LoopUse {
  /** Number of turns that the event loop made during the work. Other requests can be answered in each turn. */
  turns: number;
  /** Milliseconds of CPU time of this thread, in all and in the longest turn. They do not depend on the load of the machine. */
  cpuMs: number;
  longestTurnMs: number;
}

/**
 * Blocks the event loop for the given time. It reads no clock: when another test of the same process has replaced the
 * clock, a loop that compares times would never end.
 */
export function blockEventLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Does the work, and measures its use of the event loop. */
export async function measureLoopUse(work: () => Promise<unknown>): Promise<LoopUse> {
  const began = cpuMs();
  let [turns, longestTurnMs, turnBegan, isOver] = [0, 0, began, false];
  const countTurn = () => {
    const now = cpuMs();
    longestTurnMs = Math.max(longestTurnMs, now - turnBegan);
    turnBegan = now;
    turns += 1;
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  try {
    await work();
  } finally {
    isOver = true;
    countTurn();
  }
  return { turns, longestTurnMs, cpuMs: cpuMs() - began };
}
