import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import type { PageData } from '@millwright/pages';
import type { Router } from 'express';
import { backchannelLogoutEndpoint } from './backchannel-logout.endpoint.js';
import { createIdentityStore } from './identities.store.js';
import { createIssuerClient } from './issuer-client.js';
import { createLogoutStore } from './logout.store.js';
import { createSsoRequestStore } from './sso-requests.store.js';
import type { SsoIssuer } from './sso-file.js';
import { beginPath, ssoEndpoints, type SsoOptions } from './sso.endpoint.js';

export interface Sso {
  endpoints: readonly Router[];
  /** Issuers for which the sign-in page shows a button, next to the button for passkeys. */
  ways: PageData['authorize']['issuers'];
}

/** Issuers of single sign-on, and the fetch function to reach them. */
export interface SsoIssuers {
  issuers: readonly SsoIssuer[];
  fetch: EgressFetch;
}

interface Deps extends Omit<SsoOptions, 'issuers' | 'requests' | 'identities'> {
  config: { SECURITY_DEFAULT_PROJECT: Project; SESSION_MAX_PER_USER: number };
  db: Database;
  baseUrl: string;
  sso?: SsoIssuers | undefined;
}

/** Creates single sign-on by the issuers of `SSO_FILE`. Without issuers, every name is unknown. */
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
