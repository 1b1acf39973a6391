import { createHash } from 'node:crypto';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import type { Hop } from './agent-hops.store.js';
import type { SealedHeaders } from './server-headers.js';

/** Methods of client authentication at a token endpoint (RFC 6749 §2.3.1). */
export const CLIENT_AUTH = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type ClientAuth = (typeof CLIENT_AUTH)[number];

/** This installation is one OAuth client for all users (client credentials, RFC 6749 §4.4). */
export type ClientCredentialsAuth = {
  type: 'client_credentials';
  token_url: string;
  client_id: string;
  /** Sealed secret of the client. */
  client_secret: string;
  client_auth: Exclude<ClientAuth, 'none'>;
  scope?: string | undefined;
};

/** Each user connects an account at the server. When no OAuth client is stored, this installation registers one at the authorization server. */
export type UserAuth = {
  type: 'user';
  /** The authorization server at which the client is registered; no other server is used. */
  issuer?: string | undefined;
  client_id?: string | undefined;
  /** Sealed secret of the client. */
  client_secret?: string | undefined;
  client_auth?: ClientAuth | undefined;
  scope?: string | undefined;
};

/** A token of this installation for each call. It names the user and the agents that act for the user. */
export type AgentTokenAuth = {
  type: 'agent_token';
  /** The OAuth client of this installation with which the server may exchange its tokens for tokens of the next hop. */
  client_id?: string | undefined;
  /** Scopes that are requested for the tokens. */
  scope?: string | undefined;
};

/** The stored credential for an MCP server, without its headers. */
export type SealedAuth = { type: 'none' } | AgentTokenAuth | ClientCredentialsAuth | UserAuth;

/** The sealed secret of a credential that has a secret. */
export const sealedSecretOf = (auth: SealedAuth): string | undefined =>
  'client_secret' in auth ? auth.client_secret : undefined;

/** The fields of an MCP server that are needed to call the server. */
export interface UpstreamServer {
  /** UUID of the server. */
  id: string;
  project: string;
  url: string;
  headers: SealedHeaders;
  auth: SealedAuth;
  /** The caller of the server; undefined for a probe. */
  hop?: Hop | undefined;
}

export const sealClientSecret = (secrets: SecretBox, serverUuid: string, secret: string): string =>
  secrets.seal(secret, secretPlaces.mcpClientSecret(serverUuid));

/** @throws SecretUnreadable when a sealed value cannot be decrypted */
export const openClientSecret = (secrets: SecretBox, serverUuid: string, sealed: string): string =>
  secrets.open(sealed, secretPlaces.mcpClientSecret(serverUuid));

/**
 * Seals the credential under the current key. Returns undefined when the credential is already sealed under this key.
 * @throws SecretUnreadable when a sealed value cannot be decrypted
 */
export function resealAuth(secrets: SecretBox, serverUuid: string, auth: SealedAuth): SealedAuth | undefined {
  const sealed = sealedSecretOf(auth);
  if (sealed === undefined || secrets.isCurrent(sealed)) return undefined;
  return {
    ...auth,
    client_secret: sealClientSecret(secrets, serverUuid, openClientSecret(secrets, serverUuid, sealed)),
  } as SealedAuth;
}

/**
 * Returns the hash of a server's address and credential, which is stored with each user's connection to the server. When one of them
 * changes, the user must connect again.
 */
export function upstreamHash({ url, auth }: Pick<UpstreamServer, 'url' | 'auth'>): Buffer {
  const known = Object.entries(auth)
    .filter(([key]) => key !== 'client_secret')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([url, known]))
    .digest();
}
