import { isJsonObject } from '@millwright/json';
import { isDeepStrictEqual } from 'node:util';

/** One path at which two values differ. `approved` or `current` is absent when this value has nothing at the path. */
export interface Difference {
  path: string;
  approved?: unknown;
  current?: unknown;
}

/** Limit of the differences: more than a person reads, and few enough when a hostile schema differs everywhere. */
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
