import type { Egress } from '@millwright/egress';
import { isStorable } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { ipKey, type RateLimiter } from '@millwright/rate-limit';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ClientKeys } from './client-keys.js';
import { DEFAULT_GRANT_TYPES, SELF_GRANT_TYPES, type Client, type ClientStore } from './clients.store.js';
import { areRegistrableUris, registrableUris } from './redirect-uris.js';

/** The document of a client. It must not contain a secret, because it is public (draft-ietf-oauth-client-id-metadata-document §4.1). */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().trim().min(1).max(200).refine(isStorable),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).default('none'),
  /** The supported grant types. Unsupported grant types are dropped. */
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes('authorization_code'))
    .default([...DEFAULT_GRANT_TYPES])
    .transform((types) => SELF_GRANT_TYPES.filter((type) => types.includes(type))),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

const MAX_BYTES = 5 * 1_024;
const MAX_ID_LENGTH = 512;
const SHORTEST_MS = 5 * 60_000;
const LONGEST_MS = 24 * 3_600_000;

/** Milliseconds before a document that could not be read is fetched again. */
const FAILED_MS = 60_000;
const FAILURES_KEPT = 10_000;

/** Limit of document fetches caused by one IP address. */
const BY_ADDRESS = { name: 'client-documents', limit: 10 } as const;
/**
 * Limit of fetches per host, for clients that are not stored yet. The document of a stored client does not count: it is fetched at most
 * every five minutes, or every minute while fetches fail.
 */
const OF_HOST = { name: 'client-documents-of-host', limit: 30 } as const;

/** An https URL with a path, in its normal form (§3). */
function isDocumentUrl(id: string): boolean {
  if (!id.startsWith('https://') || id.length > MAX_ID_LENGTH || id.includes('#') || !URL.canParse(id)) return false;
  const { pathname, username, password, href } = new URL(id);
  return href === id && pathname !== '/' && username === '' && password === '';
}

export interface ClientFinderOptions {
  clients: ClientStore;
  egress: Pick<Egress, 'fetch'>;
  limiter: Pick<RateLimiter, 'consumeAll'>;
  /** Whether a client's id may be the URL of its document. */
  documents: boolean;
  /** Schemes of applications that may be in redirect URIs. */
  appSchemes: readonly string[];
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  now?: () => number;
}

/**
 * Finds a client by its id, for a request from the IP address `address`.
 *
 * @throws AppError rate_limited after too many fetches for this address or from the host of the document
 */
export type FindClient = (id: string, address: string) => Promise<Client | undefined>;

/**
 * Reads the document of a client whose id is a URL. The document is read again once the stored copy has expired. Callers need no
 * credential; therefore concurrent fetches of one document are shared, failures are cached, and all other fetches are rate-limited.
 */
export function createClientFinder({
  clients,
  egress,
  limiter,
  documents,
  appSchemes,
  now,
}: ClientFinderOptions): FindClient {
  const failed = new LRUCache<string, true>({
    max: FAILURES_KEPT,
    ttl: FAILED_MS,
    ...(now && { perf: { now }, ttlResolution: 0 }),
  });
  const underWay = new Map<string, Promise<Client | undefined>>();

  async function fetchClient(id: string, address: string, isKnown: boolean): Promise<Client | undefined> {
    const host = { budget: OF_HOST, key: new URL(id).host };
    const decisions = await limiter.consumeAll([
      { budget: BY_ADDRESS, key: ipKey(address) },
      ...(isKnown ? [] : [host]),
    ]);
    if (decisions.some(({ admitted }) => !admitted)) throw new AppError('rate_limited', { retryAfter: 60 });
    const read = await readDocument(egress, id, appSchemes);
    const isKept =
      read !== undefined && (await clients.keepDocument(id, read.described, new Date(Date.now() + read.believedMs)));
    if (isKept) return clients.find(id);
    failed.set(id, true);
    return undefined;
  }

  return async (id, address) => {
    const known = await clients.find(id);
    if (known && (known.kind !== 'document' || !known.expired)) return known;
    if (!documents || !isDocumentUrl(id) || known?.revoked || failed.has(id)) return undefined;
    const shared = underWay.get(id);
    if (shared) return shared;
    const own = fetchClient(id, address, known !== undefined).finally(() => underWay.delete(id));
    underWay.set(id, own);
    return own;
  };
}

/**
 * Reads a document. Drops redirect URIs that no client may register here, because a document may also list redirect URIs for other
 * authorization servers.
 */
async function readDocument(egress: Pick<Egress, 'fetch'>, id: string, appSchemes: readonly string[]) {
  try {
    const response = await egress.fetch(id, {
      headers: { accept: 'application/json' },
      kind: 'client_document',
      profile: { timeoutMs: 5_000, maxBytes: MAX_BYTES },
    });
    if (response.status !== 200) return undefined;
    const body: unknown = await response.json();
    const { data } = Document.safeParse(body);
    if (data?.client_id !== id) return undefined;
    const redirectUris = registrableUris(data.redirect_uris, appSchemes);
    if (!areRegistrableUris(redirectUris, appSchemes)) return undefined;
    const { client_name: name, grant_types: grantTypes, token_endpoint_auth_method: authMethod } = data;
    const keys = authMethod === 'private_key_jwt' ? ClientKeys.parse(body) : undefined;
    const described = { name, redirectUris, scopes: ['*'], grantTypes, authMethod, keys };
    return { described, believedMs: believedMs(response.headers.get('cache-control')) };
  } catch {
    return undefined; // the document is unreachable, refused, too large or not JSON: the client is unknown, and nothing is stored
  }
}

function believedMs(cacheControl: string | null): number {
  const seconds = Number(/(?:^|,)\s*max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1] ?? 0);
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * 1_000));
}
