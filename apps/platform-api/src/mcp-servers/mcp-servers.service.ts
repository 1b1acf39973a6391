import { recordDenial } from '@millwright/audit';
import type { Caller, Principal } from '@millwright/auth';
import { addsScopes } from '@millwright/auth/agent-tokens';
import { sealClientSecret, sealedSecretOf, sealHeaders, type SealedAuth, type SealedHeaders } from '@millwright/mcp';
import type { SecretBox } from '@millwright/secrets';
import { newId, type Database, type Target, type Tx, type Versioned } from '@millwright/db';
import { EgressError, type Egress } from '@millwright/egress';
import { AppError, invalidField } from '@millwright/errors';
import {
  KEPT,
  type McpServer,
  type McpServerChanges,
  type NewAgentCard,
  type NewAuth,
  type NewMcpServer,
} from './mcp-servers.contract.js';
import type { LockedServer, McpServerStore } from './mcp-servers.store.js';

export interface McpServerServiceOptions {
  db: Database;
  servers: McpServerStore;
  egress: Pick<Egress, 'checkReachable' | 'checkUrl'>;
  secretBox: SecretBox;
}

/** The reason is the same for every refused address, so that the answer reveals nothing about our network. */
const NOT_REACHABLE = 'must be the address of a public server that answers without a redirect, by https';

const NO_ENDPOINT = 'must be the public https address of an authorization server, without a user or fragment';

const NO_KEYS = 'must be the public https address of a JWKS, without a user or fragment';

type Headers = Readonly<Record<string, string>>;

/** The rules of MCP servers: which addresses are allowed, which secrets are kept, and which changes require an admin. */
export function createMcpServerService({ db, servers, egress, secretBox }: McpServerServiceOptions) {
  /** Returns the headers to store, encrypted. The value `KEPT` leaves the stored value of a header unchanged. */
  function sealed(serverUuid: string, headers: Headers, current: SealedHeaders): SealedHeaders {
    const kept = Object.keys(headers).filter((name) => headers[name] === KEPT);
    const missing = kept.find((name) => current[name] === undefined);
    if (missing !== undefined) throw invalidField(`headers.${missing}`, 'has no value to keep');
    const fresh = Object.entries(headers).filter(([name]) => !kept.includes(name));
    const old = kept.map((name): [string, string] => [name, current[name] ?? '']);
    return {
      ...Object.fromEntries(old),
      ...sealHeaders(secretBox, serverUuid, Object.fromEntries(fresh)),
    };
  }

  /**
   * Returns the authentication to store, with an encrypted secret. The secret `KEPT` leaves the stored secret unchanged, if client and address are
   * the same.
   */
  function sealedAuth(serverUuid: string, auth: NewAuth, current: SealedAuth): SealedAuth {
    if (!('client_secret' in auth) || auth.client_secret === undefined) return auth;
    if (auth.client_secret !== KEPT)
      return { ...auth, client_secret: sealClientSecret(secretBox, serverUuid, auth.client_secret) };
    const client_secret = sealedSecretOf(current);
    if (client_secret === undefined || placeOf(auth) !== placeOf(current))
      throw invalidField('auth.client_secret', 'has no value to keep for this client at this place');
    return { ...auth, client_secret };
  }

  function requirePublic(field: string, address: string | null | undefined, fault: string): void {
    if (address === undefined || address === null) return;
    try {
      const { hash, username, password } = egress.checkUrl(address);
      if (hash || username || password || address.includes('#')) throw invalidField(field, fault);
    } catch (error) {
      throw error instanceof EgressError ? invalidField(field, fault) : error;
    }
  }

  function requireOneCredential(headers: Headers, { type }: SealedAuth) {
    if (type !== 'none' && Object.keys(headers).includes('authorization'))
      throw invalidField('headers.authorization', 'is what auth is for');
  }

  /** Returns the columns with the rules for the card. @throws AppError validation_error for `agent_card` when the transport is not `a2a` */
  function cardRules(transport: McpServer['transport'], card: NewAgentCard) {
    if (card && transport !== 'a2a') throw invalidField('agent_card', 'is for the transport a2a');
    return { require_signed_card: card?.require_signature ?? false, card_jwks_url: card?.jwks_url ?? null };
  }

  /**
   * Refuses to keep the client secret when the server's origin changes: the new origin must not receive tokens obtained with the
   * secret.
   */
  function requireOwnClient(current: LockedServer, { url, auth }: McpServerChanges) {
    if (url === undefined || new URL(url).origin === new URL(current.url).origin) return;
    const isKept = auth === undefined || (auth.type === 'client_credentials' && auth.client_secret === KEPT);
    if (current.auth.type === 'client_credentials' && isKept)
      throw invalidField('auth', 'must be sent with its client_secret when url leads to another origin');
  }

  /** Refuses to keep secret headers when the server's origin changes: the new origin could read them. */
  function requireOwnSecrets(current: LockedServer, { url, headers }: McpServerChanges) {
    if (url === undefined || new URL(url).origin === new URL(current.url).origin) return;
    const carriedOver = headers ? Object.values(headers).includes(KEPT) : Object.keys(current.headers).length > 0;
    if (carriedOver) throw invalidField('headers', 'must be sent with their values when url leads to another origin');
  }

  /** @throws AppError validation_error for `url` when the address is not allowed */
  async function requireReachable(url: string): Promise<void> {
    try {
      await egress.checkReachable(url);
    } catch (error) {
      // A host name may be created after the server is registered; each connection checks the address again.
      if (error instanceof EgressError && error.kind === 'unresolvable') return;
      throw error instanceof EgressError ? invalidField('url', NOT_REACHABLE) : error;
    }
  }

  /** Refuses addresses that must not be called, because they would receive our secret. @throws AppError validation_error for such a field */
  function requireUsable({ auth, agent_card }: Pick<McpServerChanges, 'auth' | 'agent_card'>): void {
    requirePublic('agent_card.jwks_url', agent_card?.jwks_url, NO_KEYS);
    if (auth?.type === 'client_credentials') requirePublic('auth.token_url', auth.token_url, NO_ENDPOINT);
    if (auth?.type === 'user') requirePublic('auth.issuer', auth.issuer, NO_ENDPOINT);
  }

  /** Requires an admin, and records the attempts of other users. @throws AppError forbidden */
  async function requireAdmin(
    principal: Principal,
    { project, actor }: Caller,
    action: string,
    resource: string,
  ): Promise<void> {
    if (mayApprove(principal)) return;
    const entry = { actor, project, action, resource };
    await recordDenial(db, entry, 'the scope admin is missing');
    throw new AppError('forbidden');
  }

  return {
    /**
     * Checks a new server. Must be called outside the transaction, because host names are resolved over the network and refusals are recorded.
     *
     * @throws AppError forbidden when only an admin may register such a server; validation_error for an address that is not allowed
     */
    async requireNew(principal: Principal, caller: Caller, input: NewMcpServer): Promise<void> {
      if (!input.pin_tools) await requireAdmin(principal, caller, 'mcp_server.unpin', 'mcp/servers');
      if (namesNewExchange(input.auth, { type: 'none' }))
        await requireAdmin(principal, caller, 'mcp_server.allow_exchange', 'mcp/servers');
      requireUsable(input);
      await requireReachable(input.url);
    },

    /**
     * Checks changes of a server. Must be called outside the transaction, which repeats the checks under the lock. `current` is undefined for a
     * server that the same transaction creates.
     * @throws AppError forbidden when only an admin may make the change; validation_error for an invalid field
     */
    async requireChange(
      principal: Principal,
      caller: Caller,
      { id, current }: { id: string; current: McpServer | undefined },
      changes: McpServerChanges,
    ): Promise<void> {
      if (changes.pin_tools === false && current?.pin_tools !== false)
        await requireAdmin(principal, caller, 'mcp_server.unpin', id);
      if (namesNewExchange(changes.auth, current?.auth ?? { type: 'none' }))
        await requireAdmin(principal, caller, 'mcp_server.allow_exchange', id);
      requireUsable(changes);
      if (changes.url !== undefined && changes.url !== current?.url) await requireReachable(changes.url);
    },

    create(tx: Tx, caller: Caller, { agent_card, ...input }: NewMcpServer): Promise<Versioned<McpServer>> {
      const id = newId();
      const rules = cardRules(input.transport, agent_card);
      const headers = sealed(id, input.headers, {});
      const auth = sealedAuth(id, input.auth, { type: 'none' });
      requireOneCredential(headers, auth);
      return servers.create(tx, caller, id, { ...input, ...rules, headers, auth });
    },

    async change(
      tx: Tx,
      caller: Caller,
      { isAdmin, ...target }: Target & { isAdmin: boolean },
      changes: McpServerChanges,
    ): Promise<Versioned<McpServer>> {
      const current = await servers.lock(tx, caller, target);
      if (changes.pin_tools === false && current.pin_tools && !isAdmin) throw new AppError('forbidden');
      if (namesNewExchange(changes.auth, current.auth) && !isAdmin) throw new AppError('forbidden');
      requireOwnSecrets(current, changes);
      requireOwnClient(current, changes);
      const { name, url, description, pin_tools, status, agent_card } = changes;
      const headers = changes.headers && sealed(current.id, changes.headers, current.headers);
      const auth = changes.auth && sealedAuth(current.id, changes.auth, current.auth);
      requireOneCredential(headers ?? current.headers, auth ?? current.auth);
      return servers.change(tx, caller, current, {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(pin_tools !== undefined && { pin_tools }),
        ...(headers && { headers }),
        ...(auth && { auth }),
        ...(agent_card !== undefined && cardRules(current.transport, agent_card)),
        ...(status !== undefined && status !== 'unreachable' && { status }),
      });
    },

    requireAdmin,
  };
}
/** Checks the scope, not the role: an admin's leaked key with only `mcp:write` cannot make tools available to agents and clients. */
export const mayApprove = ({ scopes }: Pick<Principal, 'scopes'>): boolean => scopes.has('admin');

/**
 * Whether a change allows a new client to exchange the server's tokens, or adds scopes of this installation's APIs to these tokens. Only an admin may
 * make such a change: the client can then call other servers of the project and this installation in the name of the tokens' users.
 */
export const namesNewExchange = (
  auth: NewAuth | undefined,
  current: { type: string; client_id?: string | undefined; scope?: string | undefined },
) =>
  auth?.type === 'agent_token' &&
  auth.client_id !== undefined &&
  !(current.type === 'agent_token' && current.client_id === auth.client_id && !addsScopes(auth.scope, current.scope));

/**
 * Returns a text that identifies the receiver of a client secret: the client and the address. Empty for an authentication without a client secret.
 */
const placeOf = (auth: NewAuth | SealedAuth) =>
  auth.type === 'none' || auth.type === 'agent_token'
    ? ''
    : JSON.stringify([auth.type, auth.client_id, auth.type === 'user' ? auth.issuer : auth.token_url]);

export type McpServerService = ReturnType<typeof createMcpServerService>;
