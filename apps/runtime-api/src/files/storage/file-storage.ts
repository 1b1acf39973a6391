import type { Readable } from 'node:stream';

/** Where bytes of files lie, each under a UUID and nothing else. */
export interface FileStorage {
  /** Durable when it resolves. What fails, or breaks off, leaves nothing. */
  write(id: string, bytes: Readable): Promise<void>;
  /** @throws Error when there is none. */
  read(id: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Those that are not there are no fault. */
  remove(ids: readonly string[]): Promise<void>;
  /** What was written whole before then, in batches. */
  list(before: Date): AsyncIterable<string[]>;
  /** Removes what was begun before then and never finished, as a process that is killed leaves it. @returns how many */
  removeBegun(before: Date): Promise<number>;
  close(): void;
}

/** How many ids a batch holds: what S3 removes at once. */
export const BATCH = 1_000;

/** Whatever else lies there is not ours. */
export const isFileId = (name: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
