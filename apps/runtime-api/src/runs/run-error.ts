import { AppError } from '@millwright/errors';
import type { RunError } from '@millwright/runs';

/** What looks like a credential, in the text of an upstream. */
const CREDENTIAL =
  /\b(?:bearer\s+\S+|(?:sk|mw|key|tok|ghp|xox\w)[-_][\w-]{8,})|(?:api[-_]?key|token|secret|password)["':=\s]+\S+/gi;
/** How deep causes are followed. */
const MOST_CAUSES = 5;

/** The failure as its run keeps it: its code, and the status and words of the upstream that it came from, without credentials. */
export function runError(error: unknown): RunError {
  const code = error instanceof AppError ? error.code : 'internal_error';
  let [status, text] = [undefined as number | undefined, 'The agent failed.'];
  let current: unknown = error instanceof AppError ? error.cause : undefined;
  for (let depth = 0; depth < MOST_CAUSES && current instanceof Error; depth += 1) {
    text = current.message;
    if ('status' in current && typeof current.status === 'number') status = current.status;
    current = current.cause;
  }
  return { code, status, text: text.replaceAll(CREDENTIAL, '[removed]') };
}
