// @ts-check
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, isAlive } from './process-state.mjs';

const LOOK_MS = 500;

/**
 * Waits until the command that has the lock of this checkout has ended, and then takes the lock. A lock that a killed command has left is
 * replaced.
 *
 * @param {string} file the lock, which contains the process id of the command that has it
 * @returns {Promise<() => void>} releases the lock
 */
export async function waitForLock(file) {
  for (;;) {
    if (take(file)) return () => rmSync(file, { force: true });
    const holder = holderOf(file);
    if (holder !== undefined && isNode(holder)) await sleep(LOOK_MS);
    else rmSync(file, { force: true });
  }
}

/**
 * Creates the lock file if there is none. The file appears together with its content, so that no other command reads an empty file.
 *
 * @param {string} file @returns {boolean} whether there was no lock before
 */
function take(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** @param {string} file @returns {number | undefined} undefined when the lock was released meanwhile */
function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the process with the id in the lock still runs and is Node. Another program may have got the id of an ended process.
 *
 * @param {number} pid
 */
const isNode = (pid) => pid !== process.pid && isAlive(pid) && /(^|\/)node$/.test(commandLine(pid)[0] ?? '');
