import type { Egress } from '@millwright/egress';
import { isStorable } from '@millwright/db';
import { z } from 'zod';
import { SELF_GRANT_TYPES, type Client, type ClientStore } from './clients.store.js';
import { areRegistrableUris } from './redirect-uris.js';

/** draft-ietf-oauth-client-id-metadata-document §4.1: no secret can be in a public document. */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().trim().min(1).max(200).refine(isStorable),
  redirect_uris: z.array(z.string()).refine(areRegistrableUris),
  token_endpoint_auth_method: z.literal('none').default('none'),
  /** Those that are not supported are left out. */
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes('authorization_code'))
    .default([...SELF_GRANT_TYPES])
    .transform((types) => SELF_GRANT_TYPES.filter((type) => types.includes(type))),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

const MAX_BYTES = 5 * 1_024;
const MAX_ID_LENGTH = 512;
const SHORTEST_MS = 5 * 60_000;
const LONGEST_MS = 24 * 3_600_000;

/** An https URL with a path, in its normal form (§3). */
function isDocumentUrl(id: string): boolean {
  if (!id.startsWith('https://') || id.length > MAX_ID_LENGTH || id.includes('#') || !URL.canParse(id)) return false;
  const { pathname, username, password, href } = new URL(id);
  return href === id && pathname !== '/' && username === '' && password === '';
}

/** Finds clients by their ids. For an id that is a URL it reads the document there, again when the stored one has expired. */
export function createClientFinder(clients: ClientStore, egress: Pick<Egress, 'fetch'>, documents: boolean) {
  return async (id: string): Promise<Client | undefined> => {
    const known = await clients.find(id);
    if (known && (known.kind !== 'document' || !known.expired)) return known;
    if (!documents || !isDocumentUrl(id) || known?.revoked) return undefined;
    const read = await readDocument(egress, id);
    if (!read) return undefined;
    const isKept = await clients.keepDocument(id, read.described, new Date(Date.now() + read.believedMs));
    return isKept ? clients.find(id) : undefined;
  };
}

async function readDocument(egress: Pick<Egress, 'fetch'>, id: string) {
  try {
    const response = await egress.fetch(id, {
      headers: { accept: 'application/json' },
      kind: 'client_document',
      profile: { timeoutMs: 5_000, maxBytes: MAX_BYTES },
    });
    if (response.status !== 200) return undefined;
    const { data } = Document.safeParse(await response.json());
    if (data?.client_id !== id) return undefined;
    const { client_name: name, redirect_uris: redirectUris, grant_types: grantTypes } = data;
    const described = { name, redirectUris, scopes: ['*'], grantTypes };
    return { described, believedMs: believedMs(response.headers.get('cache-control')) };
  } catch {
    return undefined; // unreachable, refused, too large or not JSON: the client is unknown, and nothing is stored
  }
}

function believedMs(cacheControl: string | null): number {
  const seconds = Number(/(?:^|,)\s*max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1] ?? 0);
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * 1_000));
}
