/** Maximum number of milliseconds by which one turn of the event loop increases the elapsed time. */
const STEP_MS = 100;

/**
 * Calls `onOver` after `milliseconds` in which this process could have received an answer. Time in which the event loop
 * of the process is blocked is almost not counted, and events that arrived in that time are handled first.
 *
 * @returns a function that cancels the deadline.
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
