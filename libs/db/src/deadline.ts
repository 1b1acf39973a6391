/** Maximum milliseconds that one turn of the event loop adds to the elapsed time. */
const STEP_MS = 100;

/**
 * Calls `onOver` after `milliseconds` in which this process could have received an answer. Time in which its event loop is blocked is
 * almost ignored, and events that arrived in that time are handled first.
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
