import { headersOf, type EgressAnswer, type EgressFetch, type EgressRequest } from '@millwright/egress';
import { createAgentTokens, type AgentTokenIssuer } from './agent-tokens.js';
import type { UpstreamServer } from './server-auth.js';
import { challengeParameter } from './bearer-challenge.js';
import { createClientTokens } from './client-tokens.js';
import { openHeaders } from './server-headers.js';
import { createUserTokens, NotConnected, type UserTokenDeps } from './user-tokens.js';

/** Calls a server on behalf of a user, with the user's own token when the server requires such a token. */
export interface UpstreamFetch {
  /**
   * A fetch for this server only. It adds the server's headers and token to the headers of the caller.
   *
   * @throws SecretUnreadable when a header cannot be decrypted; the returned fetch throws NotConnected when the user has no token
   */
  (server: UpstreamServer, userId: string | undefined): EgressFetch;
  /** @throws NotConnected when the server requires the user's own token and the user has no token */
  requireConnected: (server: UpstreamServer, userId: string | undefined) => Promise<void>;
  /** Makes a function like this one that sends its requests with the given function of egress. */
  through: (request: EgressRequest) => (server: UpstreamServer, userId: string | undefined) => EgressRequest;
}

export interface UpstreamFetchDeps extends UserTokenDeps {
  /** Signs call tokens. Undefined for probes, which have no user: servers with `agent_token` then get no token. */
  agentTokens?: AgentTokenIssuer | undefined;
}

/**
 * The only access to registered MCP servers, each with its registered credential. A refused token is replaced once, and the request is
 * sent again.
 */
export function createUpstreamFetch(deps: UpstreamFetchDeps): UpstreamFetch {
  const { fetch, secrets } = deps;
  const agentTokens = deps.agentTokens && createAgentTokens({ db: deps.db, ...deps.agentTokens });
  const clientTokens = createClientTokens(deps);
  const userTokens = createUserTokens(deps);

  async function tokenFor(server: UpstreamServer, userId: string | undefined, stale?: string) {
    if (server.auth.type === 'none') return undefined;
    if (server.auth.type === 'agent_token') return server.hop && agentTokens?.(server.hop, server.url, server.auth);
    if (server.auth.type === 'client_credentials') return clientTokens(server, server.auth, stale);
    if (userId === undefined) throw new NotConnected(server.id);
    return userTokens.current({ server, userId }, stale);
  }

  /**
   * Returns the answer, unless it is a refusal because of a missing scope (RFC 6750 §3.1). In this case, stores the scope for the user's
   * next consent.
   *
   * @throws NotConnected for such a refusal
   */
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
            share: server.project,
            headers: {
              ...headersOf(init?.headers),
              ...headersOf(own),
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
            },
          });
        // A token is sent only to the server for which it was issued (RFC 8707 §2).
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

/** An error and its causes: the SDK wraps the errors of its fetch. */
export function* causesOf(error: unknown): Generator<unknown, undefined> {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    yield current;
    const { cause, data }: { cause?: unknown; data?: { cause?: unknown } | null } = current;
    current = cause ?? data?.cause;
  }
}

/** Returns the `NotConnected` that an error contains. */
export const notConnectedIn = (error: unknown): NotConnected | undefined =>
  [...causesOf(error)].find((cause) => cause instanceof NotConnected);
