import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BATCH, isFileId, NoSuchFile, type FileStorage } from './file-storage.js';

const BEGUN = '.part';

/** Files in a folder that every process of the installation can read and write. */
export async function createFolderStorage(folder: string): Promise<FileStorage> {
  await mkdir(folder, { recursive: true });
  const pathOf = (id: string) => {
    if (!isFileId(id)) throw new Error('not the id of a file');
    return join(folder, id);
  };
  const removeBoth = async (path: string) => {
    await rm(path, { force: true });
    await rm(path + BEGUN, { force: true });
  };

  return {
    async write(id, bytes) {
      const path = pathOf(id);
      try {
        await pipeline(bytes, createWriteStream(path + BEGUN, { flags: 'wx', flush: true, mode: 0o600 }));
        await rename(path + BEGUN, path);
        await syncFolder(folder);
      } catch (error) {
        await removeBoth(path);
        throw error;
      }
    },

    check: () => access(folder, constants.R_OK | constants.W_OK),

    async read(id, range) {
      const file = await open(pathOf(id)).catch((error: unknown) => {
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new NoSuchFile(id, error) : error;
      });
      return file.createReadStream(range);
    },

    async remove(ids) {
      for (const id of ids) await removeBoth(pathOf(id));
    },

    async *list(before) {
      let batch: string[] = [];
      for await (const { name } of await opendir(folder)) {
        if (!isFileId(name) || !(await isOlder(join(folder, name), before))) continue;
        batch.push(name);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },

    async removeBegun(before) {
      let removed = 0;
      for await (const { name } of await opendir(folder)) {
        const isBegun = name.endsWith(BEGUN) && isFileId(name.slice(0, -BEGUN.length));
        if (!isBegun || !(await isOlder(join(folder, name), before))) continue;
        await rm(join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    },

    close: () => undefined,
  };
}

/** Flushes the folder to disk, so that a new name in the folder is durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // another process has removed the file meanwhile
  return found !== undefined && found.mtime < before;
}
