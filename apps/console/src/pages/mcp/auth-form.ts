import type { McpAuth } from '../../api/platform-records.js';

/** All inputs of the form for a server's authentication. */
export interface AuthValues {
  type: McpAuth['type'];
  token_url: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  client_auth: string;
  scope: string;
}

/** The fields that the chosen type of authentication uses. */
export type AuthFields = Pick<AuthValues, 'type'> & Partial<AuthValues>;

const EMPTY = { token_url: '', issuer: '', client_id: '', client_secret: '', client_auth: '', scope: '' };

export const authValuesOf = (auth: AuthFields): AuthValues => ({ ...EMPTY, ...auth });

/** Returns the fields that belong to the type and have a value. */
export function authOf({ type, token_url, issuer, scope, ...client }: AuthValues): AuthFields {
  if (type === 'none') return { type };
  if (type === 'agent_token') return { type, ...withValues({ client_id: client.client_id, scope }) };
  const place: Record<string, string> = type === 'user' ? { issuer } : { token_url };
  const given = { ...place, ...(client.client_id.trim() !== '' && client), scope };
  return { type, ...withValues(given) };
}

const withValues = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** Returns a message for each faulty field, by the name of the field. */
export function authFaultsOf(values: AuthValues): Partial<Record<keyof AuthValues, string>> {
  const { type, token_url, issuer, client_id, client_secret } = values;
  if (type === 'client_credentials') {
    return {
      ...(!URL.canParse(token_url.trim()) && { token_url: 'Enter a full URL.' }),
      ...(client_id.trim() === '' && { client_id: 'Enter the client ID.' }),
      ...(client_secret === '' && { client_secret: 'Enter the client secret.' }),
    };
  }
  if (type === 'none' || type === 'agent_token') return {};
  const isGiven = client_id.trim() !== '';
  return {
    ...(issuer.trim() !== '' && !URL.canParse(issuer.trim()) && { issuer: 'Enter a full URL.' }),
    ...(isGiven && issuer.trim() === '' && { issuer: 'Enter the authorization server of this client.' }),
    ...(!isGiven && client_secret !== '' && { client_id: 'Enter the client ID of this secret.' }),
  };
}

export const AUTH_TYPES: Readonly<Record<McpAuth['type'], string>> = {
  none: 'No auth, or a static header',
  client_credentials: 'Shared account (OAuth client credentials)',
  user: 'Per-user account (OAuth)',
  agent_token: 'Millwright token',
};
