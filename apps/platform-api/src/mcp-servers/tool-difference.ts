import { isDeepStrictEqual } from 'node:util';

/** One place where two values differ; a side that lacks it has no key. */
export interface Difference {
  path: string;
  approved?: unknown;
  current?: unknown;
}

/** More than a person reads, and less than a hostile schema could make of it. */
const MOST = 100;

/** Where two JSON values differ, down to what is no object on both sides. */
export function differencesOf(approved: unknown, current: unknown): Difference[] {
  const found: Difference[] = [];
  compare(approved, current, '', found);
  return found;
}

function compare(approved: unknown, current: unknown, path: string, found: Difference[]): void {
  if (found.length >= MOST || isDeepStrictEqual(approved, current)) return;
  if (!isObject(approved) || !isObject(current)) {
    found.push({ path, ...(approved !== undefined && { approved }), ...(current !== undefined && { current }) });
    return;
  }
  for (const key of new Set([...Object.keys(approved), ...Object.keys(current)])) {
    const of = (side: Record<string, unknown>) => (Object.hasOwn(side, key) ? side[key] : undefined);
    compare(of(approved), of(current), path === '' ? key : `${path}.${key}`, found);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
