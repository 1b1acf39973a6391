import { decodeId } from '@millwright/db';
import type { Credential } from './principal.js';

/** Returns the credential id of an OAuth client's access token for a user. */
export const accessTokenId = (clientId: string, userId: string): string => `${clientId}:${userId}`;

/** Returns the id of the OAuth client, when the credential is an access token of an OAuth client for the user; otherwise `undefined`. */
export const clientIdOf = ({ kind, id }: Pick<Credential, 'kind' | 'id'>, userId: string): string | undefined =>
  kind === 'access_token' ? id.slice(0, -accessTokenId('', userId).length) : undefined;

/** Returns the row id of a credential that is an API key. */
export const apiKeyIdOf = (credential: { kind: string | null; id: string | null } | undefined): string | undefined =>
  credential?.kind === 'api_key' ? decodeId('key', credential.id ?? '') : undefined;
