// @ts-check
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { commandLine, isAlive, workingFolder } from '../process-state.mjs';
import { StartFailure } from './start-failure.mjs';

/**
 * Takes the lock of a checkout, which only one start can have at a time. A lock that a killed start has left is replaced.
 *
 * @param {string} file
 * @returns {() => void} releases the lock
 */
export function takeStartLock(file) {
  for (;;) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const holder = Number(readFileSync(file, 'utf8'));
    if (isStart(holder)) throw new StartFailure(`Millwright already runs from this folder (process ${holder}).`);
    rmSync(file, { force: true });
  }
}

/** Returns whether the process id in the lock belongs to a start in this folder, and not to another program. @param {number} pid */
function isStart(pid) {
  const script = process.argv[1]?.split('/').at(-1) ?? '';
  const sameScript = commandLine(pid).some((word) => word.endsWith(script));
  return pid > 0 && pid !== process.pid && isAlive(pid) && sameScript && workingFolder(pid) === process.cwd();
}
