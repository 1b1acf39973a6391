import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { readJson } from '../read-json.js';
import { addressesOf, DEFAULT_URL, safeUrl, type Addresses } from './logins.js';

const PATH = '/.well-known/millwright.json';
const MAX_BYTES = 65_536;
const TIMEOUT_MS = 10_000;

const Installation = z.object({ base_url: z.string(), runtime_url: z.string(), prompt_api_url: z.string() });

/**
 * Returns the addresses of an installation. Addresses that are not given are read from the installation at its base address. When it
 * publishes no addresses, those of `npm start` on this machine are used.
 * @throws CommandRefused when the installation publishes another base address, or an address has no TLS
 */
export async function findAddresses(given: Parameters<typeof addressesOf>[0]): Promise<Addresses> {
  if (given.runtime !== undefined && given.prompt !== undefined) return addressesOf(given);
  const base = safeUrl('--url', given.url ?? DEFAULT_URL).origin;
  const named = await readInstallation(base);
  if (named === undefined) return addressesOf(given);
  if (safeUrl('The base address that the installation names', named.base_url).origin !== base)
    throw new CommandRefused(
      `The installation at ${base} has the address ${named.base_url}. Log in with: --url ${named.base_url}`,
    );
  return addressesOf({
    url: base,
    runtime: given.runtime ?? named.runtime_url,
    prompt: given.prompt ?? named.prompt_api_url,
  });
}

/** Reads the addresses that an installation names; `undefined` for an earlier release or another server. */
async function readInstallation(base: string): Promise<z.output<typeof Installation> | undefined> {
  const answer = await fetch(base + PATH, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  if (!answer?.ok) {
    await answer?.body?.cancel();
    return undefined;
  }
  const parsed = Installation.safeParse(await readJson(answer, MAX_BYTES));
  return parsed.success ? parsed.data : undefined;
}
