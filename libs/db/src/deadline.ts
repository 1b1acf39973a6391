/** What one turn of the event loop counts at most. */
const STEP_MS = 100;

/**
 * Calls `onOver` after so many milliseconds in which this process could have heard an answer. While its own event loop stands still,
 * in code that runs for the first time or for want of a processor, hardly any pass, and what has arrived meanwhile is heard first.
 *
 * @returns what calls it off.
 */
export function startDeadline(milliseconds: number, onOver: () => void): () => void {
  let left = milliseconds;
  let last: NodeJS.Immediate | undefined;
  let timer = setTimeout(step, Math.min(STEP_MS, left));

  function step() {
    left -= STEP_MS;
    if (left > 0) timer = setTimeout(step, Math.min(STEP_MS, left));
    else last = setImmediate(onOver);
  }

  return () => {
    clearTimeout(timer);
    clearImmediate(last);
  };
}
