import { isJsonObject } from '@millwright/json';
import { isDeepStrictEqual } from 'node:util';

/** One path at which two values differ; a side without a value at the path has no key. */
export interface Difference {
  path: string;
  approved?: unknown;
  current?: unknown;
}

/** Limit of differences: more than a person reads, fewer than a hostile schema could cause. */
const MOST = 100;

/** The differences of two JSON values, down to the first values that are not both objects. */
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
