import { join } from 'node:path';
import { z } from 'zod';
import { Credential } from '../bridge/credential.js';
import type { BuilderConfig } from '../builder-config.js';
import { CommandRefused } from '../command-refused.js';
import { homeFolder } from '../files/home-folder.js';
import { readPrivate, writePrivate } from '../files/private-file.js';

/** Base addresses of an installation. */
const Addresses = z.object({ base_url: z.string(), runtime_url: z.string(), prompt_url: z.string() });
export type Addresses = z.output<typeof Addresses>;

const Login = Addresses.extend({
  /** An API key. A login without a key uses the credential of the linked machine. */
  key: z.string().optional(),
  device: Credential.optional(),
  /** The last gateway token of the linked machine. */
  token: z.object({ value: z.string(), expires_at: z.number() }).optional(),
});
export type Login = z.output<typeof Login>;

const Logins = z.object({ current: z.string().nullable(), logins: z.record(z.string(), Login) });
export type Logins = z.output<typeof Logins>;

const fileOf = (config: BuilderConfig) => join(homeFolder(config), 'logins.json');

export const readLogins = (config: BuilderConfig): Logins =>
  readPrivate(fileOf(config), Logins) ?? { current: null, logins: {} };

export const writeLogins = (config: BuilderConfig, logins: Logins): void => writePrivate(fileOf(config), logins);

/** A login that was chosen for a command, and its name. The name is `environment` when the login consists of MILLWRIGHT_API_KEY. */
export interface ChosenLogin {
  name: string;
  login: Login;
  /** Whether the login is stored in the file of logins. A new gateway token is then also stored there. */
  isStored: boolean;
}

/** Name of the login that the environment describes. */
export const ENVIRONMENT = 'environment';

/**
 * Returns the login of a command, from the first of these that is given: `--profile`, MILLWRIGHT_API_KEY, MILLWRIGHT_PROFILE, the
 * last login.
 * @throws CommandRefused when no login is given
 */
export function chooseLogin(config: BuilderConfig, profile: string | undefined): ChosenLogin {
  if (profile === undefined && config.MILLWRIGHT_API_KEY !== undefined) {
    const addresses = addressesOf({ url: config.BASE_URL, runtime: config.RUNTIME_URL, prompt: config.PROMPT_API_URL });
    return { name: ENVIRONMENT, login: { ...addresses, key: config.MILLWRIGHT_API_KEY }, isStored: false };
  }
  const { current, logins } = readLogins(config);
  const name = profile ?? config.MILLWRIGHT_PROFILE ?? current;
  if (name === null)
    throw new CommandRefused('You are not logged in. Run: millwright login --url <address>', { kind: 'not_logged_in' });
  const login = logins[name];
  if (!login) {
    const names = Object.keys(logins).join(', ') || 'none';
    throw new CommandRefused(
      `There is no login "${name}" (there are: ${names}). Run: millwright login --profile ${name}`,
      {
        kind: 'not_logged_in',
      },
    );
  }
  return { name, login, isStored: true };
}

export const DEFAULT_URL = 'http://localhost:8080';
export const isLoopback = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/**
 * Returns the addresses of an installation. If it is on this machine, missing addresses are derived from the base address, because `npm
 * start` gives the services three consecutive ports.
 * @throws CommandRefused when an address is missing or not safe
 */
export function addressesOf(given: {
  url?: string | undefined;
  runtime?: string | undefined;
  prompt?: string | undefined;
}): Addresses {
  const base = safeUrl('--url', given.url ?? DEFAULT_URL);
  const beside = (option: string, text: string | undefined, steps: number): string => {
    if (text !== undefined) return safeUrl(option, text).origin;
    if (!isLoopback(base) || base.port === '')
      throw new CommandRefused(
        `Give the addresses of the other services too: --runtime-url and --prompt-url (or RUNTIME_URL and PROMPT_API_URL).`,
        { kind: 'usage' },
      );
    return `${base.protocol}//${base.hostname}:${Number(base.port) + steps}`;
  };
  return {
    base_url: base.origin,
    runtime_url: beside('--runtime-url', given.runtime, 1),
    prompt_url: beside('--prompt-url', given.prompt, 2),
  };
}

export function safeUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (!url || !isSafe) throw new CommandRefused(`${option} must be https, or http on this machine.`, { kind: 'usage' });
  return url;
}
