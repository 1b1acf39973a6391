import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Names of backups in a folder, which sort by time. Files with other names are never deleted. */
const NAME = /^millwright-\d{8}T\d{6}Z\.backup$/;

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns the path of a backup that begins at this time. */
export const nameIn = (folder: string, at: Date): string =>
  join(folder, `millwright-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`);

/** Age in milliseconds from which an unfinished backup file counts as abandoned. */
const PART_MS = 24 * 3_600_000;

/**
 * Deletes all backups in a folder except the newest `keep`, and the unfinished files of dead processes.
 * @returns the paths of the deleted files
 */
export function removeOldest(folder: string, keep: number): string[] {
  const names = readdirSync(folder).sort().reverse();
  const isLeft = (name: string) => statSync(join(folder, name)).mtimeMs < Date.now() - PART_MS;
  const parts = names.filter((name) => name.endsWith('.part') && NAME.test(name.slice(0, -5)) && isLeft(name));
  const deleted = [...names.filter((name) => NAME.test(name)).slice(keep), ...parts].map((name) => join(folder, name));
  for (const path of deleted) rmSync(path);
  return deleted;
}
