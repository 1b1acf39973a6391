import { AppError } from '@millwright/errors';
import { ERROR_LENGTH, type RunError } from './run.js';

/** Patterns of credentials in an upstream's text. Each pattern takes linear time. */
const CREDENTIALS = [
  // Private keys, including truncated keys.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // Schemes of the Authorization header.
  /\b(?:bearer|basic|negotiate|digest)\s+[\w.~+/=-]{6,}/gi,
  // JSON Web Tokens.
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}/g,
  // Keys with the prefix of a provider or of this installation.
  /\b(?:sk|pk|rk|mw|key|tok|ghp|gho|ghs|ghu|glpat|npm|xox[a-z]|whsec|github_pat|hf)[-_][\w-]{8,}/gi,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{20,}/g,
  // The password in a URL, and values whose name is that of a secret: in headers, queries, JSON and forms.
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/g,
  /(?<=(?:api[-_ ]?key|token|secret|passw(?:or)?d|pwd|cookie|credential|signature|authorization)[\w-]{0,20}\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'&,;<>\\]{3,}/gi,
];
/** Maximum depth of followed causes. */
const MOST_CAUSES = 5;
/** Number of searched characters: more than are kept, so that no credential is split at the end of the kept text. */
const SEARCHED = 2 * ERROR_LENGTH;

/** Removes everything that looks like a credential from the text. */
export const withoutCredentials = (text: string): string =>
  CREDENTIALS.reduce((rest, pattern) => rest.replaceAll(pattern, '[removed]'), text.slice(0, SEARCHED)).slice(
    0,
    ERROR_LENGTH,
  );

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
