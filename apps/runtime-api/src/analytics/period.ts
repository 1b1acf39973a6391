import { invalidField } from '@millwright/errors';
import type { MetricsQuery } from './analytics.contract.js';

/** Whole days in UTC, for example `2026-11-21`. The first and the last day belong to the period. */
export interface Period {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** The longest period that a request may name, in days. It is the length of a leap year. */
const MAX_DAYS = 366;

/**
 * Reads the period of a query. By default, it ends today and has 30 days. @throws AppError validation_error for the field `from` when the period ends
 * before it begins, or is longer than `MAX_DAYS`
 */
export function parsePeriod(query: Pick<MetricsQuery, 'from' | 'to'>, now: Date): Period {
  const to = query.to ?? dayOf(now.getTime());
  const from = query.from ?? dayOf(startOf(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) throw invalidField('from', `must not be after ${to}`);
  if (startOf(to) - startOf(from) >= MAX_DAYS * DAY_MS)
    throw invalidField('from', `must be at most ${MAX_DAYS} days before the end`);
  return { from, to };
}

export function daysOf({ from, to }: Period): string[] {
  const length = (startOf(to) - startOf(from)) / DAY_MS + 1;
  return Array.from({ length }, (_none, index) => dayOf(startOf(from) + index * DAY_MS));
}

export function dayAfter(day: string): string {
  return dayOf(startOf(day) + DAY_MS);
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
