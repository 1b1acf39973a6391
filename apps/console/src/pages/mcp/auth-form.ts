import type { McpAuth } from '../../api/platform-records.js';

/** How we prove ourselves to a server, as a form has it. */
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
      ...(!URL.canParse(token_url.trim()) && { token_url: 'That is not an address: it begins with https://.' }),
      ...(client_id.trim() === '' && { client_id: 'Which client are we there?' }),
      ...(client_secret === '' && { client_secret: 'The client needs its secret.' }),
    };
  }
  if (type === 'none') return {};
  const isGiven = client_id.trim() !== '';
  return {
    ...(issuer.trim() !== '' &&
      !URL.canParse(issuer.trim()) && { issuer: 'That is not an address: it begins with https://.' }),
    ...(isGiven && issuer.trim() === '' && { issuer: 'A client is known to one authorization server: which?' }),
    ...(!isGiven && client_secret !== '' && { client_id: 'Of which client is this the secret?' }),
  };
}
