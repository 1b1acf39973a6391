import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CommandRefused } from '../command-refused.js';
import type { Entry } from './archive.js';

/** Lists the files below a folder, sorted, without hidden files and files that are being written. */
export async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && !/^\.|\.part$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Reads the key files of a folder. A file that is deleted meanwhile is left out. */
export async function* filesOf(folder: string, names: readonly string[]): AsyncGenerator<Entry> {
  for (const name of names) {
    const handle = await open(join(folder, name)).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (handle)
      yield {
        kind: 'key',
        name: name.split(sep).join('/'),
        parts: createReadStream('', { fd: handle, highWaterMark: 1_048_576 }),
      };
  }
}

/** Creates a writer for the key files of a backup. Only their owner can read the written files. */
export function createFolderWriter(folder: string) {
  let handle: FileHandle | undefined;
  return {
    async begin(name: string): Promise<void> {
      const path = resolve(folder, name);
      if (!path.startsWith(`${resolve(folder)}${sep}`))
        throw new CommandRefused(`The backup has a file outside its folder: ${name}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      handle = await open(path, 'wx', 0o600);
    },
    write: async (bytes: Buffer): Promise<void> => void (await handle?.write(bytes)),
    async end(): Promise<void> {
      await handle?.sync();
      await handle?.close();
      handle = undefined;
    },
  };
}
