import type { Versioned } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Makes the reply with a record. The version of the record becomes the `ETag`. */
export function reply<Body>({ record, version }: Versioned<Body>, headers: Record<string, string> = {}) {
  return { body: record, version, headers };
}

/** Returns the record. @throws AppError not_found when there is no record. */
export function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new AppError('not_found');
  return found;
}
