import { createHash } from 'node:crypto';
import { createHttpClient, type HttpClient } from '@millwright/testing';
import type { SsoIssuer } from '../sso/sso-file.js';
import type { AppDeps } from '../app.js';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Returns the token of the test issuer with this name. */
export const scimToken = (name: string): string => `token-of-the-issuer-${name}-0123456789`;

/** Creates an issuer that provisions accounts of example.com. The admin owner@example.com is accountable for its changes. */
export const scimIssuer = (name: string, changes: Partial<SsoIssuer> = {}): SsoIssuer => ({
  ...{ name, label: name, url: `https://${name}.invalid`, clientId: 'mw', clientSecret: undefined, scopes: ['openid'] },
  ...{ domains: ['example.com'], linkByVerifiedEmail: false, createAccounts: false, ssoOnly: false, breakGlass: [] },
  groups: {
    claim: 'groups',
    map: [
      { group: 'Admins', role: 'admin', project: 'Core' },
      { group: 'Shop', role: 'user', project: 'Commerce' },
    ],
  },
  scim: { tokenHashes: [hashOf(scimToken(name))], owner: 'owner@example.com' },
  ...changes,
});

/** Creates the single sign-on of these issuers. No test calls them. */
export const scimOnly = (issuers: readonly SsoIssuer[]): NonNullable<AppDeps['sso']> => ({
  issuers,
  fetch: () => Promise.reject(new Error('no issuer is called')),
});

export const scimHeaders = (name: string) => ({ authorization: `Bearer ${scimToken(name)}` });

/** Creates a client whose paths are below `/scim/v2`. */
export function scimClient(url: string, headers: Record<string, string>): HttpClient {
  const client = createHttpClient(url, { 'content-type': 'application/scim+json', ...headers });
  return (method, path, request) => client(method, `/scim/v2${path}`, request);
}
