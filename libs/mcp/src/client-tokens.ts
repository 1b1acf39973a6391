import type { EgressFetch } from '@millwright/egress';
import type { SecretBox } from '@millwright/secrets';
import { LRUCache } from 'lru-cache';
import { openClientSecret, upstreamHash, type ClientCredentialsAuth, type UpstreamServer } from './server-auth.js';
import { askTokens } from './token-endpoint.js';

interface Kept {
  sealed: string;
  /** End of the token's validity, in milliseconds of `performance.now()`. */
  until: number;
  token: Promise<string>;
}

/** Time before a token's expiry at which the token is renewed. */
const EARLY_MS = 30_000;
/** Assumed lifetime of a token when the answer states no `expires_in`. */
const LIFE_S = 3_600;
const MOST_KEPT = 1_000;

/**
 * Gets tokens for servers that see this installation as one client for all users. Concurrent calls share one token
 * request.
 */
export function createClientTokens({ fetch, secrets }: { fetch: EgressFetch; secrets: SecretBox }) {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });

  async function ask(server: UpstreamServer, auth: ClientCredentialsAuth, entry: Kept): Promise<string> {
    const { token_url: token_endpoint, client_id, client_auth, scope } = auth;
    const client_secret = openClientSecret(secrets, server.id, auth.client_secret);
    const { access_token, expires_in = LIFE_S } = await askTokens(
      fetch,
      { token_endpoint, client_id, client_auth, client_secret },
      { grant_type: 'client_credentials', resource: server.url, ...(scope !== undefined && { scope }) },
    );
    entry.until = performance.now() + expires_in * 1_000 - EARLY_MS;
    return access_token;
  }

  function renew(key: string, server: UpstreamServer, auth: ClientCredentialsAuth): Promise<string> {
    // The entry is a placeholder that does not expire while its token is being requested.
    const entry: Kept = { sealed: auth.client_secret, until: Infinity, token: Promise.resolve('') };
    entry.token = ask(server, auth, entry);
    kept.set(key, entry);
    entry.token.catch(() => kept.get(key) === entry && kept.delete(key));
    return entry.token;
  }

  /**
   * Returns a token. `stale` is a token that the server refused, so another token is returned.
   *
   * @throws TokenEndpointError or EgressError when the request for a token fails; SecretUnreadable when the secret of the client cannot be
   *   decrypted
   */
  return async (server: UpstreamServer, auth: ClientCredentialsAuth, stale?: string): Promise<string> => {
    const key = `${server.id} ${upstreamHash(server).toString('hex')}`;
    const known = kept.get(key);
    const isGood = known !== undefined && known.sealed === auth.client_secret && known.until > performance.now();
    const token = isGood ? await known.token : undefined;
    if (token !== undefined && token !== stale) return token;
    // When the server refused the same token of several calls, only the first of these calls requests a new token.
    const since = kept.get(key);
    return since !== undefined && since !== known ? since.token : renew(key, server, auth);
  };
}
