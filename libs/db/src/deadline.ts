/** Maximum number of milliseconds by which one turn of the event loop increases the elapsed time. */
const STEP_MS = 100;

/**
 * Calls `onOver` after `milliseconds` in which this process could have received an answer. Almost none of the time in which the event loop
 * is blocked is counted. Events that arrived in that time are handled before `onOver` is called.
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
