/** Names of fields whose values are secrets: with such a value, another person could act as a user or finish a flow that the user started. */
const SECRET_NAME =
  /(token|secret|password|verifier|nonce|ticket|signature|challenge|cookie)$|^(code|key|pat|private_key|request|ceremony|setup_url|location|redirect_to|api-key|authorization)$/i;
/** Values of such fields are secrets only if they match this pattern. Shorter text, and text without a digit, is an ordinary word. */
const SECRET_VALUE = /^(?=.*\d)[\w.~+/=:-]{24,}$/;

const seen = new Set<string>();

/** Returns all secrets that the tests of this file have sent or received. */
export const secretsSeen = (): ReadonlySet<string> => seen;

/** Stores a secret of the installation itself. Of a PEM file, stores each line, because a log could contain a single line. */
export function noteSecret(text: string): void {
  for (const line of text.split('\n')) if (line.length >= 16 && !line.startsWith('-----')) seen.add(line);
}

/** Stores the secrets that a value contains in fields of objects, and in query parameters of fields that are addresses. */
export function noteSecretsOf(value: unknown, name = ''): void {
  if (Array.isArray(value)) for (const item of value) noteSecretsOf(item, name);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) noteSecretsOf(item, key);
  else if (typeof value === 'string' && SECRET_NAME.test(name)) noteText(value);
}

function noteText(value: string): void {
  if (value.includes('-----BEGIN')) noteSecret(value);
  else if (URL.canParse(value)) noteSecretsOf(Object.fromEntries(new URL(value).searchParams));
  else if (SECRET_VALUE.test(value)) seen.add(value);
}

/** Stores the secrets in headers: credentials, cookies, and parameters of a redirect. */
export function noteSecretsOfHeaders(headers: Headers): void {
  for (const [name, value] of headers) {
    if (name === 'cookie' || name === 'set-cookie')
      for (const [, text = ''] of value.matchAll(/(?:^|[;,] ?)[^=;,]+=([^;,]*)/g)) noteText(text);
    else noteSecretsOf(value.replace(/^Bearer /i, ''), name);
  }
}

/** The only log event that may contain a secret. */
const MAY_HOLD_ONE = '"event":"magic_link.issued"';

/** Returns the lines of a log that contain a stored secret, with the secret masked. */
export function linesWithSecrets(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    const allowed = line.includes(MAY_HOLD_ONE) ? /"magic_link_token":"(\w+)"/.exec(line)?.[1] : undefined;
    const found = [...seen].filter((secret) => secret !== allowed && line.includes(secret));
    return found.length === 0 ? [] : [found.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)];
  });
}
