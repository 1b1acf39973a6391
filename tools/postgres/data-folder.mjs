// @ts-check
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canEnter } from './account.mjs';

/** Returns the file beside the wanted folder that contains the path of the data, when the data are in another folder. @param {string} wanted */
const recordOf = (wanted) => `${wanted}-folder`;

/**
 * Returns the folder with the data of `wanted`: `wanted` itself or, when the account cannot enter the folder around it, a folder under
 * `sharedFolder`, whose path is kept in `<wanted>-folder`. The folder belongs to the account.
 *
 * @param {string} wanted
 * @param {import('./account.mjs').Account} account
 * @param {string} sharedFolder
 */
export function dataFolderFor(wanted, account, sharedFolder) {
  const recorded = recordedFolder(wanted);
  if (recorded) return recorded;
  mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 });
  if (canEnter(dirname(wanted), account)) {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    return ownedBy(account, wanted);
  }
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  const elsewhere = mkdtempSync(join(sharedFolder, 'data-'));
  writeFileSync(recordOf(wanted), elsewhere, { mode: 0o600 });
  return ownedBy(account, elsewhere);
}

/** @param {string} wanted */
function recordedFolder(wanted) {
  if (!existsSync(recordOf(wanted))) return undefined;
  const folder = readFileSync(recordOf(wanted), 'utf8');
  return existsSync(folder) ? folder : undefined;
}

/** @param {import('./account.mjs').Account} account @param {string} folder */
function ownedBy(account, folder) {
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Returns the folder with the data of `wanted`, if there are any. @param {string} wanted */
export function existingDataFolder(wanted) {
  return recordedFolder(wanted) ?? wanted;
}

/** Removes the data of `wanted`, from `wanted` itself or from the other folder. @param {string} wanted */
export function removeDataFolder(wanted) {
  for (const folder of [recordedFolder(wanted), recordOf(wanted), wanted]) {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}
