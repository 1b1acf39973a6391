import type { PageData } from '@millwright/pages';
import type { Router } from 'express';
import type { AppDeps } from '../app.js';
import { backchannelLogoutEndpoint } from './backchannel-logout.endpoint.js';
import { createIdentityStore } from './identities.store.js';
import { createIssuerClient } from './issuer-client.js';
import { createLogoutStore } from './logout.store.js';
import { createSsoRequestStore } from './sso-requests.store.js';
import { beginPath, ssoEndpoints, type SsoOptions } from './sso.endpoint.js';

export interface Sso {
  endpoints: readonly Router[];
  /** What the sign-in page offers besides passkeys. */
  ways: PageData['authorize']['issuers'];
}

type Deps = Pick<AppDeps, 'config' | 'db' | 'sso'> &
  Omit<SsoOptions, 'issuers' | 'requests' | 'identities'> & { baseUrl: string };

/** Single sign-on by the issuers of `SSO_FILE`. Without any, every name is unknown. */
export function createSso({ sso, config, ...deps }: Deps): Sso {
  const { db, gate, baseUrl } = deps;
  const issuers = sso ? sso.issuers.map((issuer) => createIssuerClient(issuer, { baseUrl, fetch: sso.fetch })) : [];
  const identities = createIdentityStore(db, config.SECURITY_DEFAULT_PROJECT, config.SESSION_MAX_PER_USER);
  const endpoints = [
    ssoEndpoints({ ...deps, issuers, identities, requests: createSsoRequestStore(db) }),
    backchannelLogoutEndpoint({ gate, issuers, logouts: createLogoutStore(db) }),
  ];
  return { endpoints, ways: issuers.map(({ issuer: { name, label } }) => ({ label, href: beginPath(name) })) };
}
