import { isJsonObject } from '@millwright/json';
import { isDeepStrictEqual } from 'node:util';

/** One path at which two values differ. The field of a value that has nothing at this path is absent. */
export interface Difference {
  path: string;
  approved?: unknown;
  current?: unknown;
}

/** Maximum number of differences. A person reads fewer, and a hostile schema can differ in any number of places. */
const MOST = 100;

/** Returns the differences of two JSON values; compares objects member by member, and all other values as a whole. */
export function differencesOf(approved: unknown, current: unknown): Difference[] {
  const found: Difference[] = [];
  compare(approved, current, '', found);
  return found;
}

function compare(approved: unknown, current: unknown, path: string, found: Difference[]): void {
  if (found.length >= MOST || isDeepStrictEqual(approved, current)) return;
  if (!isJsonObject(approved) || !isJsonObject(current)) {
    found.push({ path, ...(approved !== undefined && { approved }), ...(current !== undefined && { current }) });
    return;
  }
  for (const key of new Set([...Object.keys(approved), ...Object.keys(current)])) {
    const of = (side: Record<string, unknown>) => (Object.hasOwn(side, key) ? side[key] : undefined);
    compare(of(approved), of(current), path === '' ? key : `${path}.${key}`, found);
  }
}
