import type { EgressFetch } from '@millwright/egress';
import type { SecretBox } from '../secret-box.js';
import { openClientSecret, upstreamHash, type ClientCredentialsAuth, type UpstreamServer } from './auth.js';
import { askTokens } from './token-endpoint.js';

interface Kept {
  sealed: string;
  /** On the clock of `performance`. */
  until: number;
  token: Promise<string>;
}

/** A token is not used in the last moments of its life. */
const EARLY_MS = 30_000;
/** Of a token whose end is not told. */
const LIFE_S = 3_600;
const MOST_KEPT = 1_000;

/** Tokens of servers that know us as one client. Each is asked for once, however many want it at the same time. */
export function createClientTokens({ fetch, secrets }: { fetch: EgressFetch; secrets: SecretBox }) {
  const kept = new Map<string, Kept>();

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
    // While it is asked for it does not expire.
    const entry: Kept = { sealed: auth.client_secret, until: Infinity, token: Promise.resolve('') };
    entry.token = ask(server, auth, entry);
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    entry.token.catch(() => kept.get(key) === entry && kept.delete(key));
    return entry.token;
  }

  /** A token other than `stale`, which the server refused. @throws TokenRefused, EgressError, SecretUnreadable */
  return async (server: UpstreamServer, auth: ClientCredentialsAuth, stale?: string): Promise<string> => {
    const key = `${server.id} ${upstreamHash(server).toString('hex')}`;
    const known = kept.get(key);
    const isGood = known !== undefined && known.sealed === auth.client_secret && known.until > performance.now();
    const token = isGood ? await known.token : undefined;
    if (token !== undefined && token !== stale) return token;
    // Of all who were refused the same token, the first asks.
    const since = kept.get(key);
    return since !== undefined && since !== known ? since.token : renew(key, server, auth);
  };
}
