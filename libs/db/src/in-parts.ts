import { isStatementTimeout } from './failures.js';

/** A period that is read in parts. `part` is the length of the first part, in milliseconds. */
export interface Period {
  from: Date;
  to: Date;
  part: number;
}

/**
 * Reads a period in parts, one statement each. A part whose statement exceeds its timeout is divided, and later parts
 * have the shorter length.
 *
 * @throws when a single millisecond takes too long, and any other error of `read`.
 */
export async function inParts(
  { from, to, part }: Period,
  read: (from: Date, to: Date) => Promise<void>,
): Promise<void> {
  let length = part;
  for (let start = from.getTime(); start < to.getTime();) {
    const end = Math.min(start + length, to.getTime());
    try {
      await read(new Date(start), new Date(end));
      start = end;
    } catch (error) {
      if (length === 1 || !isStatementTimeout(error)) throw error;
      length = Math.max(1, Math.floor(length / SHRINK));
    }
  }
}

const SHRINK = 10;
