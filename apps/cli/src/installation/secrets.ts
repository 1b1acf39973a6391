import { isDeepStrictEqual } from 'node:util';
import { CommandRefused } from '../command-refused.js';
import type { Fields } from './kind.js';

/** Text that the API shows in place of a secret. */
const MASK = '********';
/** Matches a secret in a file, which is written as the name of an environment variable. */
const VARIABLE = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Replaces each secret of an MCP server by the name of an environment variable. */
export function placeholders(fields: Fields): Fields {
  const named = (...words: string[]) =>
    `\${env:${words
      .join('_')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .toUpperCase()}}`;
  const name = String(fields['name']);
  const headers = Object.keys(fields['headers'] as object).sort();
  const auth = fields['auth'] as Fields;
  return {
    ...fields,
    headers: Object.fromEntries(headers.map((header) => [header, named(name, header)])),
    auth: { ...auth, ...('client_secret' in auth && { client_secret: named(name, 'client_secret') }) },
  };
}

/** Whether two values are equal apart from their secrets. */
export const isSameBesideSecrets = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(
    mapSecrets(one, () => MASK),
    mapSecrets(other, () => MASK),
  );

/** Lists the names of the variables that a value refers to. */
export function variablesIn(value: unknown): string[] {
  const names: string[] = [];
  mapSecrets(value, (name) => {
    names.push(name);
    return MASK;
  });
  return names;
}

/**
 * Returns the names of a server's headers and client secrets whose value is not the name of a variable. Files must not contain such plain
 * secrets.
 */
export function plainSecretsIn({ headers = {}, auth = {} }: Fields): string[] {
  const entries = [
    ...Object.entries(headers as Record<string, string>).map(([name, value]) => [`headers.${name}`, value] as const),
    ...Object.entries(auth as Record<string, string>).filter(([name]) => name === 'client_secret'),
  ];
  return entries.filter(([, value]) => !VARIABLE.test(value)).map(([name]) => name);
}

/** Replaces names of environment variables by their values, which are secrets. @throws CommandRefused when a variable is not set */
export const resolveSecrets = (value: Fields, env: NodeJS.ProcessEnv): Fields =>
  mapSecrets(value, (name) => {
    const secret = env[name];
    if (secret === undefined || secret === '')
      throw new CommandRefused(`The variable ${name} is not set. It holds the secret of an MCP server.`);
    return secret;
  }) as Fields;

function mapSecrets(value: unknown, replace: (name: string) => string): unknown {
  if (typeof value === 'string') {
    const name = VARIABLE.exec(value)?.[1];
    return name === undefined ? value : replace(name);
  }
  if (Array.isArray(value)) return value.map((item) => mapSecrets(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapSecrets(item, replace)]));
}
