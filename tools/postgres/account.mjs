// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';

/** @typedef {{ uid: number, gid: number } | undefined} Account account that PostgreSQL runs as; undefined means this process's own */

const isRoot = process.getuid?.() === 0;

/**
 * Returns the account for PostgreSQL, which refuses to run as root: for root, the user `postgres`, created when missing.
 *
 * @returns {Account}
 */
export function postgresAccount() {
  if (!isRoot) return undefined;
  if (spawnSync('id', ['postgres']).status !== 0) {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'pipe' });
  }
  /** @param {string} kind */
  const id = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Returns whether an account may enter a folder. The operating system decides this, because the modes of the folders are not enough to compute it.
 *
 * @param {string} folder
 * @param {Account} account
 */
export function canEnter(folder, account) {
  return spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;
}
