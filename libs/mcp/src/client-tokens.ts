import type { EgressFetch } from '@millwright/egress';
import type { SecretBox } from '@millwright/secrets';
import { LRUCache } from 'lru-cache';
import { openClientSecret, upstreamHash, type ClientCredentialsAuth, type UpstreamServer } from './server-auth.js';
import { askTokens } from './token-endpoint.js';

interface Kept {
  sealed: string;
  /** End of the token's validity on the clock of `performance`. */
  until: number;
  token: Promise<string>;
}

/** A token is renewed this long before it ends. */
const EARLY_MS = 30_000;
/** The assumed life of a token without `expires_in`. */
const LIFE_S = 3_600;
const MOST_KEPT = 1_000;

/** Tokens of servers that know this installation as one client. Calls at the same time share one token request. */
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
    // A placeholder that does not expire while its token request is running.
    const entry: Kept = { sealed: auth.client_secret, until: Infinity, token: Promise.resolve('') };
    entry.token = ask(server, auth, entry);
    kept.set(key, entry);
    entry.token.catch(() => kept.get(key) === entry && kept.delete(key));
    return entry.token;
  }

  /** Returns another token than `stale`, which the server refused. @throws TokenEndpointError, EgressError, SecretUnreadable */
  return async (server: UpstreamServer, auth: ClientCredentialsAuth, stale?: string): Promise<string> => {
    const key = `${server.id} ${upstreamHash(server).toString('hex')}`;
    const known = kept.get(key);
    const isGood = known !== undefined && known.sealed === auth.client_secret && known.until > performance.now();
    const token = isGood ? await known.token : undefined;
    if (token !== undefined && token !== stale) return token;
    // The first of the calls with the same refused token requests another one.
    const since = kept.get(key);
    return since !== undefined && since !== known ? since.token : renew(key, server, auth);
  };
}
