import type { Readable } from 'node:stream';
import { isUuid } from '@millwright/db';

/** A storage for bytes of files, each under a UUID. */
export interface FileStorage {
  /** Stores a file, which is durable when the promise resolves. A failed write leaves nothing. */
  write(id: string, bytes: Readable): Promise<void>;
  /** @throws NoSuchFile for an unknown id. */
  read(id: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes files; ids without a file are ignored. */
  remove(ids: readonly string[]): Promise<void>;
  /** Ids of files completed before that time, in batches. */
  list(before: Date): AsyncIterable<string[]>;
  /** Removes unfinished writes from before that time, which killed processes leave. @returns their number */
  removeBegun(before: Date): Promise<number>;
  /** @throws Error when the storage cannot be reached or used with its credentials. */
  check(): Promise<void>;
  close(): void;
}

/** The storage has no file of that id: it was never written, or is removed. */
export class NoSuchFile extends Error {
  constructor(id: string, cause: unknown) {
    super(`there is no file ${id}`, { cause });
  }
}

/** Ids in a batch: the most that S3 removes in one request. */
export const BATCH = 1_000;

/** Whether a name is the id of a file; other names in the storage belong to other programs. */
export const isFileId = isUuid;
