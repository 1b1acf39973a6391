import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { NoSuchFile, type FileStorage } from '@millwright/files';
import type { Entry } from './archive.js';

/** Reads files from the storage. @returns the ids of files that the storage does not have */
export async function* storedFiles(storage: FileStorage, ids: readonly string[]): AsyncGenerator<Entry, string[]> {
  const missing: string[] = [];
  for (const id of ids) {
    const parts = await storage.read(id).catch((error: unknown) => {
      if (error instanceof NoSuchFile) return undefined;
      throw error;
    });
    if (parts) yield { kind: 'file', name: id, parts };
    else missing.push(id);
  }
  return missing;
}

/** Creates a writer that stores the files of a backup, one after the other. */
export function createFileWriter(storage: FileStorage) {
  let bytes = new PassThrough();
  let written: Promise<unknown> = Promise.resolve();
  return {
    begin(id: string): Promise<void> {
      bytes = new PassThrough();
      written = storage.write(id, bytes);
      written.catch(() => undefined); // `write` or `end` reports the failure
      return Promise.resolve();
    },
    async write(part: Buffer): Promise<void> {
      if (!bytes.write(part)) await Promise.race([once(bytes, 'drain'), written]);
    },
    async end(): Promise<void> {
      bytes.end();
      await written;
    },
  };
}
