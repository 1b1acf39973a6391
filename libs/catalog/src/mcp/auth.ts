import { createHash } from 'node:crypto';
import type { SecretBox } from '../secret-box.js';
import type { SealedHeaders } from './headers.js';

/** How a client proves itself at a token endpoint (RFC 6749 §2.3.1). */
export const CLIENT_AUTH = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type ClientAuth = (typeof CLIENT_AUTH)[number];

/** We are one client for everybody (RFC 6749 §4.4). */
export type ClientCredentialsAuth = {
  type: 'client_credentials';
  token_url: string;
  client_id: string;
  /** Sealed. */
  client_secret: string;
  client_auth: Exclude<ClientAuth, 'none'>;
  scope?: string | undefined;
};

/** Every user lets us act on an account of their own. Without a client we introduce ourselves. */
export type UserAuth = {
  type: 'user';
  /** The only authorization server that the client is for. */
  issuer?: string | undefined;
  client_id?: string | undefined;
  /** Sealed. */
  client_secret?: string | undefined;
  client_auth?: ClientAuth | undefined;
  scope?: string | undefined;
};

/** How we prove ourselves to an MCP server besides its headers, as it is stored. */
export type SealedAuth = { type: 'none' } | ClientCredentialsAuth | UserAuth;

/** An MCP server as calls need it. */
export interface UpstreamServer {
  /** Its UUID. */
  id: string;
  url: string;
  headers: SealedHeaders;
  auth: SealedAuth;
}

const place = (serverUuid: string) => `mcp_servers/${serverUuid}/auth/client_secret`;

export const sealClientSecret = (secrets: SecretBox, serverUuid: string, secret: string): string =>
  secrets.seal(secret, place(serverUuid));

/** @throws SecretUnreadable */
export const openClientSecret = (secrets: SecretBox, serverUuid: string, sealed: string): string =>
  secrets.open(sealed, place(serverUuid));

/** The same under the key that seals now; undefined when it is. @throws SecretUnreadable */
export function resealAuth(secrets: SecretBox, serverUuid: string, auth: SealedAuth): SealedAuth | undefined {
  const sealed = auth.type === 'none' ? undefined : auth.client_secret;
  if (sealed === undefined || secrets.isCurrent(sealed)) return undefined;
  return {
    ...auth,
    client_secret: sealClientSecret(secrets, serverUuid, openClientSecret(secrets, serverUuid, sealed)),
  } as SealedAuth;
}

/** What a user's connection was made for: another address, or another way to it, needs another. */
export function upstreamHash({ url, auth }: Pick<UpstreamServer, 'url' | 'auth'>): Buffer {
  const known = Object.entries(auth)
    .filter(([key]) => key !== 'client_secret')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([url, known]))
    .digest();
}
