import { AppError } from '@millwright/errors';
import { ERROR_LENGTH, type RunError } from './run.js';

/** What looks like a credential in the text of an upstream. Each pattern takes linear time. */
const CREDENTIALS = [
  // Private keys, also those that are cut off.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // Schemes of the Authorization header.
  /\b(?:bearer|basic|negotiate|digest)\s+[\w.~+/=-]{6,}/gi,
  // JSON Web Tokens.
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}/g,
  // Keys that providers begin with letters of their own, and ours.
  /\b(?:sk|pk|rk|mw|key|tok|ghp|gho|ghs|ghu|glpat|npm|xox[a-z]|whsec|github_pat|hf)[-_][\w-]{8,}/gi,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{20,}/g,
  // The password of an address, and what has the name of a secret: in headers, queries, JSON and forms.
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g,
  /(?<=(?:api[-_ ]?key|token|secret|passw(?:or)?d|pwd|cookie|credential|signature|authorization)[\w-]{0,20}\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'&,;<>\\]{3,}/gi,
];
/** How deep causes are followed. */
const MOST_CAUSES = 5;
/** Characters that are searched: more than are kept, so that none is cut apart. */
const SEARCHED = 2 * ERROR_LENGTH;

/** The text without what looks like a credential. */
export const withoutCredentials = (text: string): string =>
  CREDENTIALS.reduce((rest, pattern) => rest.replaceAll(pattern, '[removed]'), text.slice(0, SEARCHED)).slice(
    0,
    ERROR_LENGTH,
  );

/** The failure as its run keeps it: its code, and the status and words of the upstream that it came from, without credentials. */
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
