// @ts-check
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, workingFolder } from '../process-state.mjs';

/**
 * Returns the server that already runs on a data folder, if any: a server continues to run when the command that started it was killed. A
 * `postmaster.pid` whose process id now belongs to another program is removed, because PostgreSQL would refuse to start. PostgreSQL itself recognises
 * other stale files.
 *
 * @param {string} dataFolder
 * @returns {{ pid: number, port: number } | undefined}
 */
export function runningPostmaster(dataFolder) {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number);
  if (!pid || !isAlive(pid)) return undefined;
  if (workingFolder(pid) === dataFolder) return { pid, port: port ?? 0 };
  rmSync(file);
  return undefined;
}
