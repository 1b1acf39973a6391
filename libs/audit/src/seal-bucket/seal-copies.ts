import type { SealNotice } from '../send-seals.js';

/** The prefix of all keys of the installation's seals. */
export const SEALS_PREFIX = 'audit-seals/';

/** Returns the key of an object. Keys that are sorted as texts have the order of the first seals of their objects. */
export function keyOfSeals(seals: readonly SealNotice[]): string {
  const [first = 0, last = first] = [seals[0]?.number, seals.at(-1)?.number];
  return `${SEALS_PREFIX}${padded(first)}-${padded(last)}.json`;
}

const padded = (number: number) => String(number).padStart(10, '0');

/** Returns the text of an object with the hashes of seals. */
export const bodyOfSeals = (seals: readonly SealNotice[]): string => `${JSON.stringify({ seals })}\n`;
