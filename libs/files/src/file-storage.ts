import type { Readable } from 'node:stream';
import { isUuid } from '@millwright/db';

/** A storage for bytes of files, each under a UUID. */
export interface FileStorage {
  /** Stores a file. The file is durable when the promise resolves. A failed write leaves nothing. */
  write(id: string, bytes: Readable): Promise<void>;
  /** Reads a file, or a range of its bytes. @throws NoSuchFile for an unknown id. */
  read(id: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes files. Ids that have no file are ignored. */
  remove(ids: readonly string[]): Promise<void>;
  /** Yields the ids of files that were completed before that time, in batches. */
  list(before: Date): AsyncIterable<string[]>;
  /** Removes unfinished writes from before that time, which killed processes leave behind. @returns their number */
  removeBegun(before: Date): Promise<number>;
  /** Checks that the storage works. @throws Error when the storage cannot be reached, or cannot be used with the configured credentials. */
  check(): Promise<void>;
  close(): void;
}

/** Error for an id without a file in the storage: it was never written, or it was removed. */
export class NoSuchFile extends Error {
  constructor(id: string, cause: unknown) {
    super(`there is no file ${id}`, { cause });
  }
}

/** Number of ids in a batch: the most that S3 removes in one request. */
export const BATCH = 1_000;

/** Whether a name is the id of a file. Other names in the storage belong to other programs. */
export const isFileId = isUuid;
