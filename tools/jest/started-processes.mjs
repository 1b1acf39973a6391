// @ts-check
import { subscribe } from 'node:diagnostics_channel';

/** Returns the set of the running processes that this process starts from now on. @returns {Set<import('node:child_process').ChildProcess>} */
export function trackStartedProcesses() {
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const running = new Set();
  subscribe('child_process', (message) => {
    const { process: child } = /** @type {{ process: import('node:child_process').ChildProcess }} */ (message);
    running.add(child);
    child.once('exit', () => running.delete(child));
  });
  return running;
}
