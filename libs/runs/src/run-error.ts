import { AppError, removeCredentials } from '@millwright/errors';
import { ERROR_LENGTH, type RunError } from './run.js';

/** Maximum number of nested causes that are examined. */
const MOST_CAUSES = 5;
/** Removes everything that looks like a credential from the text. */
export const withoutCredentials = (text: string): string => removeCredentials(text, ERROR_LENGTH);

/** The stored form of a run's failure: its code, and the upstream's status and message without credentials. */
export function runError(error: unknown): RunError {
  const code = error instanceof AppError ? error.code : 'internal_error';
  let [status, text] = [undefined as number | undefined, 'The run failed.'];
  let current: unknown = error instanceof AppError ? error.cause : undefined;
  for (let depth = 0; depth < MOST_CAUSES && current instanceof Error; depth += 1) {
    text = current.message;
    if ('status' in current && typeof current.status === 'number') status = current.status;
    current = current.cause;
  }
  return { code, status, text: withoutCredentials(text) };
}
