import { createHash } from 'node:crypto';
import type { ClientAuth } from '@millwright/mcp';
import type { TokenClient } from '@millwright/mcp/token-endpoint';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import { openClientSecret } from '@millwright/mcp';
import type { Database } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import { z } from 'zod';
import { CannotConnect, type AuthorizationServer, type UserServer } from './discovery.js';

/**
 * The tag of an authorization server in our redirect URI for it. Each authorization server has a separate URI, so that its answer is never
 * taken for the answer of another server (RFC 9700 §4.4.2.2).
 */
export const issuerTag = (issuer: string): string =>
  createHash('sha256').update(issuer.replace(/\/$/, '')).digest('hex').slice(0, 32);

/** The address of our client document for an authorization server. */
const clientDocumentUrl = (runtimeUrl: string, tag: string) => `${runtimeUrl}/connections/clients/${tag}.json`;

/** The page to which authorization servers redirect browsers. */
const callbackUrlOf = (runtimeUrl: string, tag: string) => `${runtimeUrl}/connections/callback/${tag}`;

export const callbackUrl = (runtimeUrl: string, issuer: string) => callbackUrlOf(runtimeUrl, issuerTag(issuer));

export interface UpstreamClientDeps {
  db: Database;
  fetch: EgressFetch;
  secretBox: SecretBox;
  runtimeUrl: string;
}

const Text = z
  .string()
  .max(4_096)
  .regex(/^[\x20-\x7e]+$/);

/** Answer of a dynamic client registration (RFC 7591 §3.2.1). */
const Registered = z.object({
  client_id: Text,
  client_secret: Text.optional(),
  client_secret_expires_at: z.number().min(0).max(1e11).default(0),
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
});

type Who = Omit<TokenClient, 'token_endpoint'>;

interface Row {
  client_id: string;
  client_auth: ClientAuth;
  client_secret: string | null;
}

/**
 * Chooses this installation's client for an upstream's authorization server (2026-07-28, "Client registration"). It is the client in the server's
 * settings, the client document, or a registered client, in this order.
 */
export function createUpstreamClients({ db, fetch, secretBox, runtimeUrl }: UpstreamClientDeps) {
  async function find(server: UserServer, issuer: string): Promise<Who | undefined> {
    const [row] = await db.prepared<Row>(
      'find-mcp-upstream-client',
      `SELECT client_id, client_auth, client_secret FROM mcp_upstream_clients
        WHERE server_id = $1 AND issuer = $2 AND redirect_uri = $3
          AND (expires_at IS NULL OR expires_at > now() + interval '1 hour')`,
      [server.id, issuer, callbackUrl(runtimeUrl, issuer)],
    );
    if (!row) return undefined;
    const { client_secret: sealed, ...who } = row;
    return {
      ...who,
      ...(sealed !== null && {
        client_secret: secretBox.open(sealed, secretPlaces.mcpUpstreamClient(server.id, issuer)),
      }),
    };
  }

  /** Stores a registered client. Of two concurrent registrations, the first one is stored. @returns the stored client */
  async function keep(server: UserServer, issuer: string, who: Who, endsAt: number): Promise<Who> {
    const sealed =
      who.client_secret === undefined
        ? null
        : secretBox.seal(who.client_secret, secretPlaces.mcpUpstreamClient(server.id, issuer));
    await db.prepared(
      'keep-mcp-upstream-client',
      `INSERT INTO mcp_upstream_clients AS c (server_id, issuer, client_id, client_auth, client_secret, expires_at, redirect_uri)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (server_id, issuer) DO UPDATE
          SET client_id = excluded.client_id, client_auth = excluded.client_auth, client_secret = excluded.client_secret,
              expires_at = excluded.expires_at, redirect_uri = excluded.redirect_uri, created_at = now()
        WHERE c.expires_at <= now() + interval '1 hour' OR c.redirect_uri IS DISTINCT FROM excluded.redirect_uri`,
      [
        server.id,
        issuer,
        who.client_id,
        who.client_auth,
        sealed,
        endsAt === 0 ? null : new Date(endsAt * 1_000),
        callbackUrl(runtimeUrl, issuer),
      ],
    );
    return (await find(server, issuer)) ?? who;
  }

  /** Registers a client dynamically (RFC 7591 §3.1). */
  async function register(server: UserServer, as: AuthorizationServer, endpoint: string): Promise<Who> {
    const wanted = authFor(as);
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        ...describe(runtimeUrl, callbackUrl(runtimeUrl, as.issuer)),
        token_endpoint_auth_method: wanted,
        application_type: 'web',
      }),
      redirect: 'error',
      profile: { timeoutMs: 10_000, maxBytes: 64 * 1024 },
    });
    const answer: unknown = await response.json().catch(() => undefined);
    const { data } = Registered.safeParse(response.status === 201 || response.status === 200 ? answer : undefined);
    if (!data) throw new CannotConnect('The authorization server of the MCP server did not register this platform.');
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = data;
    const client_auth = client_secret === undefined ? 'none' : (token_endpoint_auth_method ?? wanted);
    const secret = client_auth === 'none' ? {} : { client_secret };
    return keep(server, as.issuer, { client_id, client_auth, ...secret }, client_secret_expires_at);
  }

  return {
    /**
     * Returns the client, and registers one if necessary. @throws CannotConnect when there is no client and none can be registered; EgressError when
     * the registration fails; SecretUnreadable when a stored secret cannot be decrypted
     */
    async for(server: UserServer, as: AuthorizationServer): Promise<Who> {
      const { client_id, client_secret: sealed, client_auth } = server.auth;
      if (client_id !== undefined) {
        if (sealed === undefined) return { client_id, client_auth: 'none' };
        const client_secret = openClientSecret(secretBox, server.id, sealed);
        return { client_id, client_auth: client_auth ?? 'client_secret_basic', client_secret };
      }
      // Authorization servers fetch the client document from the public internet, so it needs an https address.
      if (as.client_id_metadata_document_supported && runtimeUrl.startsWith('https:'))
        return { client_id: clientDocumentUrl(runtimeUrl, issuerTag(as.issuer)), client_auth: 'none' };
      const known = await find(server, as.issuer);
      if (known) return known;
      if (as.registration_endpoint !== undefined) return register(server, as, as.registration_endpoint);
      throw new CannotConnect(
        'The authorization server of the MCP server has to know this platform: an administrator gives its client id.',
      );
    },

    /** Deletes a client that the authorization server no longer recognises. The next connection registers another client. */
    async forget(serverId: string, issuer: string, clientId: string): Promise<void> {
      await db.prepared(
        'forget-mcp-upstream-client',
        'DELETE FROM mcp_upstream_clients WHERE server_id = $1 AND issuer = $2 AND client_id = $3',
        [serverId, issuer, clientId],
      );
    },
  };
}
export type UpstreamClients = ReturnType<typeof createUpstreamClients>;

/** Chooses the client's authentication method at the token endpoint; `client_secret_basic` is the default (RFC 8414 §2). */
function authFor({ token_endpoint_auth_methods_supported: supported }: AuthorizationServer): ClientAuth {
  const ours = ['client_secret_basic', 'client_secret_post', 'none'] as const;
  return ours.find((method) => supported?.includes(method)) ?? 'client_secret_basic';
}

/** The metadata of this installation as a client, for registration and for the client document. */
const describe = (runtimeUrl: string, redirectUri: string) => ({
  client_name: 'Millwright',
  client_uri: runtimeUrl,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
});

/** This installation's client document for an authorization server (draft-ietf-oauth-client-id-metadata-document §4). */
export const clientDocument = (runtimeUrl: string, tag: string) => ({
  ...describe(runtimeUrl, callbackUrlOf(runtimeUrl, tag)),
  client_id: clientDocumentUrl(runtimeUrl, tag),
  token_endpoint_auth_method: 'none',
});

/**
 * The former client document, which was the same for all authorization servers. Connections that were made with it still need it to refresh their
 * tokens.
 */
export const formerClientDocument = (runtimeUrl: string) => ({
  ...describe(runtimeUrl, `${runtimeUrl}/connections/callback`),
  client_id: `${runtimeUrl}/connections/client.json`,
  token_endpoint_auth_method: 'none',
});
