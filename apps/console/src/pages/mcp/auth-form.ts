import type { McpAuth } from '../../api/platform-records.js';

/** How we authenticate to a server, as a form has it. */
export interface AuthValues {
  type: McpAuth['type'];
  token_url: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  client_auth: string;
  scope: string;
}

const EMPTY = { token_url: '', issuer: '', client_id: '', client_secret: '', client_auth: '', scope: '' };

export const authValuesOf = (auth: McpAuth): AuthValues => ({ ...EMPTY, ...auth });

/** What belongs to the type, and has a value. */
export function authOf({ type, token_url, issuer, scope, ...client }: AuthValues): McpAuth {
  if (type === 'none') return { type };
  const place: Record<string, string> = type === 'user' ? { issuer } : { token_url };
  const given = { ...place, ...(client.client_id.trim() !== '' && client), scope };
  const filled = Object.entries(given)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '');
  return { type, ...Object.fromEntries(filled) } as McpAuth;
}

/** By the name of the field. */
export function authFaultsOf(values: AuthValues): Partial<Record<keyof AuthValues, string>> {
  const { type, token_url, issuer, client_id, client_secret } = values;
  if (type === 'client_credentials') {
    return {
      ...(!URL.canParse(token_url.trim()) && { token_url: 'Enter a full URL.' }),
      ...(client_id.trim() === '' && { client_id: 'Enter the client ID.' }),
      ...(client_secret === '' && { client_secret: 'Enter the client secret.' }),
    };
  }
  if (type === 'none') return {};
  const isGiven = client_id.trim() !== '';
  return {
    ...(issuer.trim() !== '' && !URL.canParse(issuer.trim()) && { issuer: 'Enter a full URL.' }),
    ...(isGiven && issuer.trim() === '' && { issuer: 'Enter the authorization server of this client.' }),
    ...(!isGiven && client_secret !== '' && { client_id: 'Enter the client ID of this secret.' }),
  };
}
