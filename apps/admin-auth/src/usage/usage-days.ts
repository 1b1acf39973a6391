import { invalidField } from '@millwright/errors';
import { DEFAULT_DAYS } from './daily-usage.contract.js';

const MOST_DAYS = 92;
const DAY_MS = 86_400_000;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the first and the last day of a period in UTC. @throws AppError validation_error when the period is invalid or too long */
export function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const last = Date.parse(to ?? dayOf(now.getTime()));
  const first = from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(from);
  if (first > last) throw invalidField('from', 'must not be after to');
  if (last - first >= MOST_DAYS * DAY_MS) throw invalidField('from', `must be within ${MOST_DAYS} days of to`);
  return { from: dayOf(first), to: dayOf(last) };
}

/** Lists each day of a period. */
export function daysBetween({ from, to }: { from: string; to: string }): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: days }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
}

/** Returns the following day. */
export const dayAfter = (day: string): string => dayOf(Date.parse(day) + DAY_MS);
