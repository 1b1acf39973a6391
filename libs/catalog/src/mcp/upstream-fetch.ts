import { headersOf, type EgressAnswer, type EgressFetch, type EgressRequest } from '@millwright/egress';
import type { UpstreamServer } from './auth.js';
import { challengeParameter } from './challenge.js';
import { createClientTokens } from './client-tokens.js';
import { openHeaders } from './headers.js';
import { createUserTokens, NotConnected, type UserTokenDeps } from './user-tokens.js';

/** How a server is called on behalf of a user, whose own token it gets where it asks for one. */
export interface UpstreamFetch {
  /**
   * A fetch for this server alone. What it sends has the server's headers and token, and the caller's headers besides.
   *
   * @throws SecretUnreadable; NotConnected when it is used
   */
  (server: UpstreamServer, userId: string | undefined): EgressFetch;
  /** @throws NotConnected when the server asks for a token of the user's own and there is none */
  requireConnected: (server: UpstreamServer, userId: string | undefined) => Promise<void>;
  /** The same by another way out. */
  through: (request: EgressRequest) => (server: UpstreamServer, userId: string | undefined) => EgressRequest;
}

/**
 * The one way to registered MCP servers: each with the credential that it was registered with. A token that is refused is replaced
 * once, and the request sent again.
 */
export function createUpstreamFetch(deps: UserTokenDeps): UpstreamFetch {
  const { fetch, secrets } = deps;
  const clientTokens = createClientTokens(deps);
  const userTokens = createUserTokens(deps);

  async function tokenFor(server: UpstreamServer, userId: string | undefined, stale?: string) {
    if (server.auth.type === 'none') return undefined;
    if (server.auth.type === 'client_credentials') return clientTokens(server, server.auth, stale);
    if (userId === undefined) throw new NotConnected(server.id);
    return userTokens.current({ server, userId }, stale);
  }

  /** RFC 6750 §3.1: what more the server wants, only the user can give. */
  async function enough<Answer extends EgressAnswer>(
    server: UpstreamServer,
    userId: string | undefined,
    answer: Answer,
  ): Promise<Answer> {
    const challenge = answer.status === 403 ? answer.headers.get('www-authenticate') : null;
    const scope = challengeParameter(challenge, 'scope');
    const isShort = challengeParameter(challenge, 'error') === 'insufficient_scope' && scope !== undefined;
    if (!isShort || server.auth.type !== 'user' || userId === undefined) return answer;
    await answer.body?.cancel();
    await userTokens.want({ server, userId }, scope.slice(0, 1_000));
    throw new NotConnected(server.id);
  }

  type Ask<Answer> = (url: string | URL, init?: Parameters<EgressFetch>[1]) => Promise<Answer>;
  const through =
    <Answer extends EgressAnswer>(ask: Ask<Answer>) =>
    (server: UpstreamServer, userId: string | undefined): Ask<Answer> => {
      const own = openHeaders(secrets, server.id, server.headers);
      return async (url, init) => {
        const send = (token: string | undefined) =>
          ask(url, {
            ...init,
            headers: {
              ...headersOf(init?.headers),
              ...headersOf(own),
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
            },
          });
        // A token is for its server (RFC 8707 §2).
        if (url !== server.url && new URL(url).origin !== new URL(server.url).origin)
          throw new Error('This is not the address of the server.');
        const token = await tokenFor(server, userId);
        const answer = await send(token);
        if (answer.status !== 401 || token === undefined) return enough(server, userId, answer);
        await answer.body?.cancel();
        const second = await send(await tokenFor(server, userId, token));
        if (second.status !== 401 || server.auth.type !== 'user') return enough(server, userId, second);
        await second.body?.cancel();
        throw new NotConnected(server.id);
      };
    };

  const requireConnected: UpstreamFetch['requireConnected'] = async (server, userId) => {
    if (server.auth.type !== 'user') return;
    if (userId === undefined) throw new NotConnected(server.id);
    await userTokens.require({ server, userId });
  };
  return Object.assign(through(fetch), { requireConnected, through });
}

/** What is thrown through the SDK is wrapped by it. */
export function notConnectedIn(error: unknown): NotConnected | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    if (current instanceof NotConnected) return current;
    const { cause, data } = current as { cause?: unknown; data?: { cause?: unknown } | null };
    current = cause ?? data?.cause;
  }
  return undefined;
}
