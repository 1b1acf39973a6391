import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import {
  createConnectionTokens,
  REFRESH_LEASE_MS,
  type Connection,
  type ConnectionOwner,
} from './user-connections.store.js';
import { askTokens, TokenEndpointError, type Tokens } from './token-endpoint.js';

/** Error for a user who never connected an account to this server, or who no longer has an account there. */
export class NotConnected extends Error {
  override name = 'NotConnected';
  /** UUID of the MCP server. */
  readonly serverId: string;

  constructor(serverId: string) {
    super('The user has not connected an account to this MCP server.');
    this.serverId = serverId;
  }
}

/** Time before a token's expiry at which the token is renewed. */
const EARLY_MS = 30_000;
/** Polling interval while another process refreshes a token. */
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 16_000;
/** Interval at which storing new tokens is tried again after a failure, until shortly before the lease ends. */
const KEEP_EVERY_MS = 250;
const KEEP_FOR_MS = REFRESH_LEASE_MS - 1_000;

/** Errors after which a refresh token is useless (RFC 6749 §5.2). Other errors may be temporary. */
const OVER = new Set(['invalid_grant', 'unauthorized_client', 'invalid_client']);

export interface UserTokenDeps {
  db: Database;
  fetch: EgressFetch;
  secrets: SecretBox;
}

/**
 * The access tokens of users. They are read from the database at each call, so that a deleted token is never used.
 * Concurrent calls share one refresh.
 */
export function createUserTokens({ db, fetch, secrets }: UserTokenDeps) {
  const connections = createConnectionTokens(db, secrets);
  const refreshing = new Map<string, Promise<void>>();

  async function find(owner: ConnectionOwner): Promise<Connection> {
    const found = await connections.find(owner).catch((error: unknown) => {
      // The token cannot be decrypted, because its key no longer exists. The user must connect again.
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    });
    if (!found) throw new NotConnected(owner.server.id);
    return found;
  }

  /**
   * Stores new tokens. After a failure, tries again while this process has the claim to the refresh. The tokens must not be lost, because
   * the refresh token that they replace is no longer valid.
   */
  async function keep(owner: ConnectionOwner, known: Connection, tokens: Tokens, until: number): Promise<void> {
    for (;;) {
      try {
        await connections.renew(owner, known, tokens);
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
        await sleep(KEEP_EVERY_MS);
      }
    }
  }

  /** Refreshes a token (RFC 6749 §6), with rotation (RFC 9700 §4.14.2). */
  async function refresh(owner: ConnectionOwner, known: Connection, refreshToken: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await connections.claim(owner, known))) {
      // While another process refreshes the token, this process waits until the refresh or its lease ends.
      if (performance.now() > deadline) throw new Error('Another process did not end its refresh of a token.');
      await sleep(LOOK_EVERY_MS);
      if ((await find(owner)).version !== known.version) return;
    }
    const claimedAt = performance.now();
    const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken, resource: known.resource };
    try {
      const tokens = await askTokens(fetch, known.client, parameters);
      await keep(owner, known, tokens, claimedAt + KEEP_FOR_MS);
    } catch (error) {
      if (error instanceof TokenEndpointError && OVER.has(error.code)) await connections.end(owner, known, error.code);
      else await connections.release(owner, known);
      throw error instanceof TokenEndpointError && OVER.has(error.code) ? new NotConnected(owner.server.id) : error;
    }
  }

  async function renewed(owner: ConnectionOwner, known: Connection): Promise<Connection> {
    const { refreshToken } = known;
    if (refreshToken === undefined) throw new NotConnected(owner.server.id);
    const key = `${owner.server.id} ${owner.userId} ${known.version}`;
    const running = refreshing.get(key) ?? refresh(owner, known, refreshToken).finally(() => refreshing.delete(key));
    refreshing.set(key, running);
    await running;
    return find(owner);
  }

  return {
    /** @throws NotConnected when the user has not connected an account */
    require: async (owner: ConnectionOwner): Promise<void> => {
      await find(owner);
    },

    want: (owner: ConnectionOwner, scope: string): Promise<void> => connections.want(owner, scope),

    /**
     * Returns a token of the user other than `stale`, which the server refused.
     *
     * @throws NotConnected when the user has no connection, EgressError when the refresh fails
     */
    async current(owner: ConnectionOwner, stale?: string): Promise<string> {
      const known = await find(owner);
      const { accessToken, expiresAt, refreshToken } = known;
      const isOver = expiresAt !== null && expiresAt.getTime() < Date.now() + EARLY_MS;
      const isGood = accessToken !== stale && !(isOver && refreshToken !== undefined);
      return isGood ? accessToken : (await renewed(owner, known)).accessToken;
    },
  };
}
export type UserTokens = ReturnType<typeof createUserTokens>;
