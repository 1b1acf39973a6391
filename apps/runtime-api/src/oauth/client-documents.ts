import type { Egress } from '@millwright/egress';
import { isStorable } from '@millwright/db';
import { z } from 'zod';
import type { Client, ClientStore } from './clients.store.js';
import { isRegistrableUri } from './redirect-uris.js';

/** draft-ietf-oauth-client-id-metadata-document §4.1: no secret can be in a public document. */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().trim().min(1).max(200).refine(isStorable),
  redirect_uris: z.array(z.string()).min(1).max(20),
  token_endpoint_auth_method: z.literal('none').default('none'),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

const MAX_BYTES = 5 * 1_024;
const SHORTEST_MS = 5 * 60_000;
const LONGEST_MS = 24 * 3_600_000;

/** An https URL with a path, in its one spelling (§3). */
function isDocumentUrl(id: string): boolean {
  if (!id.startsWith('https://') || id.includes('#') || !URL.canParse(id)) return false;
  const { pathname, username, password, href } = new URL(id);
  return href === id && pathname !== '/' && username === '' && password === '';
}

/** Finds clients by their ids; those whose id is an address by the document there, read again once it is no longer believed. */
export function createClientFinder(clients: ClientStore, egress: Pick<Egress, 'fetch'>, documents: boolean) {
  return async (id: string): Promise<Client | undefined> => {
    const known = await clients.find(id);
    if (known && (known.kind !== 'document' || !known.expired)) return known;
    if (!documents || !isDocumentUrl(id) || known?.revoked) return undefined;
    const read = await readDocument(egress, id);
    if (!read) return undefined;
    await clients.keepDocument(id, read.described, new Date(Date.now() + read.believedMs));
    return clients.find(id);
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
    if (data?.client_id !== id || !data.redirect_uris.every(isRegistrableUri)) return undefined;
    const described = { name: data.client_name, redirectUris: data.redirect_uris, scopes: ['*'] };
    return { described, believedMs: believedMs(response.headers.get('cache-control')) };
  } catch {
    return undefined; // unreachable, refused, too large or no JSON: the client is not known, and nothing of it is kept
  }
}

function believedMs(cacheControl: string | null): number {
  const seconds = Number(/(?:^|,)\s*max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1] ?? 0);
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, seconds * 1_000));
}
