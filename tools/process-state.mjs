// @ts-check
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** @param {() => string} read @returns {string | undefined} undefined when the process has ended, or belongs to another user */
function orUndefined(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns whether a process is alive. A zombie process, which stays for example in a container without init, is not alive. @param {number} pid */
export function isAlive(pid) {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat !== undefined && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Returns the command line of a process; empty when the process has ended. @param {number} pid */
export function commandLine(pid) {
  return orUndefined(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.split('\0') ?? [];
}

/** @param {number} pid */
export function workingFolder(pid) {
  return orUndefined(() => readlinkSync(`/proc/${pid}/cwd`));
}

/** @param {number} pid @param {NodeJS.Signals} signal */
export function signal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended meanwhile.
  }
}

/**
 * @param {number} pid
 * @param {number} milliseconds
 * @returns {Promise<boolean>} whether it ended in time
 */
export async function hasEnded(pid, milliseconds) {
  for (const end = Date.now() + milliseconds; isAlive(pid); await sleep(25)) {
    if (Date.now() > end) return false;
  }
  return true;
}
