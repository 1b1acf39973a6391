import { createTokenVerifier, type NewToken } from '@millwright/auth';
import { createKeyFinder, type SigningKey } from '@millwright/auth/signing-keys';
import {
  callerLimits,
  createAddressLimit,
  createAreaRouter,
  createGate,
  createServiceApp,
  type AreaDeps,
} from '@millwright/http';
import { serviceVersion, type Capacity } from '@millwright/http/process';
import type { Scheduler } from '@millwright/jobs';
import { Router, type Express, type Request, type RequestHandler, type Response } from 'express';
import { areaEndpoints } from './areas/areas.endpoint.js';
import type { DeviceCa } from './bridge/device-ca.js';
import { deviceLinkPages } from './bridge/device-link.page.js';
import { createAuditStore } from './audit/audit.store.js';
import { exportEndpoint } from './audit/export.endpoint.js';
import type { Config } from './config.js';
import { createRoutes } from './endpoints.js';
import { endSessionPage } from './oauth/end-session.page.js';
import { consentPage } from './consent/consent.page.js';
import { devicePages } from './consent/device.page.js';
import { silentConsentPage } from './consent/silent-consent.page.js';
import { createConsentStore } from './consent/consent.store.js';
import type { Delivery } from './magic-link/delivery.js';
import type { DenialQueue } from './protection/denial-queue.js';
import { magicLinkEndpoints, magicLinkPage } from './magic-link/magic-link.endpoint.js';
import { createMagicLinkStore } from './magic-link/magic-link.store.js';
import { authorizePage } from './oauth/authorize.page.js';
import { createCodeStore } from './oauth/codes.store.js';
import { consoleTokenEndpoint } from './oauth/token.endpoint.js';
import { serveConsoleFiles, type ConsoleFiles } from './pages/console-files.js';
import { serveDocs, type DocsFiles } from './pages/docs-files.js';
import { CONSOLE_PAGES, consolePage } from './pages/console.page.js';
import { loginPage } from './pages/login.page.js';
import { createErrorPage } from './pages/error-page.js';
import { createSendPage } from './pages/send-page.js';
import { pageAccess } from './pages/page-access.js';
import { guardPages } from './pages/page-guard.js';
import { unknownPage } from './pages/unknown.page.js';
import { createCeremonyStore } from './passkeys/ceremonies.store.js';
import type { AttestationPolicy } from './passkeys/attestation.js';
import { enrolmentEndpoints } from './passkeys/enrolment.endpoint.js';
import { createPasskeyStore } from './passkeys/passkeys.store.js';
import { relyingParty } from './passkeys/relying-party.js';
import { signInEndpoints } from './passkeys/sign-in.endpoint.js';
import { signOut } from './profile/sign-out.endpoint.js';
import { countPage } from './protection/count-by-address.js';
import { requireSameOrigin } from './protection/same-origin.js';
import { registrationPage, setupPage } from './registration/registration.page.js';
import { registrationRules } from './registration/registration.service.js';
import { reportsCsv } from './reports/reports.routes.js';
import { createReportsStore } from './reports/reports.store.js';
import { createCookieWriter } from './sessions/cookies.js';
import { createAdminNetworks, type NetworksConfig } from './networks/admin-networks.js';
import { requireNetwork } from './networks/require-network.js';
import { createScimArea, scimErrors } from './scim/scim-area.js';
import { sessionLimits, type SessionsConfig } from './sessions/sessions-config.js';
import { createSessionStore, type OpenedSession } from './sessions/sessions.store.js';
import { mintTokens, userContext } from './sessions/user-context.js';
import { createBreakGlassAlarm, createDomainCapture } from './sso/domain-capture.js';
import { createSso, type SsoIssuers } from './sso/create-sso.js';
import { ssoContracts } from './sso/sso.contract.js';

export interface AppDeps extends AreaDeps {
  config: Pick<
    Config,
    | keyof SessionsConfig
    | 'BASE_URL'
    | 'RUNTIME_URL'
    | 'PROMPT_API_URL'
    | 'PLATFORM_API_TARGETS'
    | 'RUNTIME_API_TARGETS'
    | 'PROMPT_API_TARGETS'
    | keyof Capacity
    | 'TRUSTED_PROXY_HOPS'
    | 'RECOVERY'
    | 'AUDIT_PINNED_KEYS_FILE'
    | 'SECURITY_ALLOW_REGISTRATION'
    | 'SECURITY_DEFAULT_PROJECT'
    | 'SECURITY_CLAIM_REQUIRES_INVITE'
    | 'SECURITY_REGISTRATION_ROLES'
    | 'SECURITY_REGISTRATION_DOMAINS'
    | 'SECURITY_PLATFORM_ADMIN_FOUR_EYES'
    | 'PROJECTS_OPEN'
  > &
    NetworksConfig;
  /** Signs console tokens. */
  sign: (token: NewToken) => string;
  /** Key that signs the end of an export of the audit log. */
  signingKey: () => SigningKey;
  scheduler: Pick<Scheduler, 'jobs' | 'request'>;
  assets: ConsoleFiles;
  docs: DocsFiles;
  /** Certifies devices. */
  deviceCa: DeviceCa;
  /** Delivery of recovery links. */
  delivery: Delivery;
  denials: DenialQueue;
  /** Models of authenticators that may be enrolled. Default: all models. */
  attestation?: AttestationPolicy | undefined;
  /** Issuers of single sign-on. Default: single sign-on is off. */
  sso?: SsoIssuers | undefined;
}

/** Console paths that matched no page and no endpoint before. The console's page for unknown addresses is their answer. */
const UNKNOWN_PAGE = /^\/(?:chat\/|admin\/(?!api\/|oauth\/|assets\/|\.well-known\/|openapi\.json$|docs$))/;

const limits = callerLimits({ name: 'admin', limit: 300, per: 'session' });

/** Limit of the device codes that one IP address may try per minute. */
const USER_CODES = { name: 'user-codes', limit: 10 };

/** Serves the console, its JSON routes and the device bridge. */
export function createApp(deps: AppDeps): Express {
  const { config, db, limiter, logger, metrics, sign, signingKey, assets, delivery, denials } = deps;
  const baseUrl = config.BASE_URL;
  const cookies = createCookieWriter(baseUrl);
  const store = createSessionStore(db, sessionLimits(config));
  const passkeys = createPasskeyStore(db);
  const ceremonies = createCeremonyStore(db);
  const codes = createCodeStore(db, config.SESSION_MAX_PER_USER);
  const consents = createConsentStore(db);
  const party = relyingParty(baseUrl);
  const verify = createTokenVerifier({
    issuer: baseUrl,
    audience: baseUrl,
    findKey: createKeyFinder(db, 'admin-auth'),
  });
  const gating = {
    db,
    authenticate: (_request: Request, { locals }: Response) => Promise.resolve(locals.signedIn),
    challenge: 'Cookie realm="millwright"',
    budgets: limits.budgets,
    limiter,
  };
  const gate = createGate(gating);
  const mint = (opened: OpenedSession, isAdmin: boolean) => mintTokens({ sign, baseUrl }, opened, isAdmin);
  const capture = createDomainCapture(deps.sso?.issuers ?? []);
  const raiseAlarm = createBreakGlassAlarm(capture, logger);
  const ceremony = {
    db,
    baseUrl,
    gate,
    limiter,
    passkeys,
    ceremonies,
    codes,
    cookies,
    party,
    capture,
    raiseAlarm,
    denials,
  };
  const sendPage = createSendPage(assets, baseUrl);
  const audit = createAuditStore(db);
  const reports = createReportsStore(db);

  const sso = createSso({ ...deps, baseUrl, gate, cookies, mint, sendPage });

  const scim = createScimArea({
    ...{ db, baseUrl, limiter, logger, issuers: deps.sso?.issuers ?? [] },
    defaultProject: config.SECURITY_DEFAULT_PROJECT,
  });

  const pages = Router({ caseSensitive: true, strict: true });
  const page = (path: string | string[] | RegExp, show: RequestHandler) => pages.get(path, countPage(gate), show);
  page(CONSOLE_PAGES, consolePage(assets, baseUrl));
  const signInPage = (path: string | string[], show: RequestHandler) =>
    pages.get(path, countPage(gate, 'sign-in'), show);
  signInPage('/admin/login', loginPage(cookies, sendPage));
  page('/admin/register', registrationPage(registrationRules(config), sendPage));
  page('/admin/add-passkey', setupPage('add-passkey', passkeys, sendPage));
  page('/admin/verify-pending', setupPage('verify-pending', passkeys, sendPage));
  signInPage(['/admin/oauth/authorize', '/api/v1/core/oauth/authorize'], authorizePage(baseUrl, sendPage, sso.ways));
  page('/admin/consent', consentPage(consents, sendPage));
  page('/admin/consent/silent', silentConsentPage({ db, consents, runtimeUrl: config.RUNTIME_URL, sendPage }));
  const limit = createAddressLimit(limiter, USER_CODES);
  pages.use(devicePages({ count: countPage(gate), limit, consents, sendPage }));
  page('/admin/oauth/end-session', endSessionPage({ db, runtimeUrl: config.RUNTIME_URL, cookies, sendPage }));
  page('/admin/magic-link', magicLinkPage(config.RECOVERY, sendPage));
  pages.post('/admin/api/sign-out', signOut(db, gate, cookies));
  page(UNKNOWN_PAGE, consolePage(assets, baseUrl, 404));
  page(/^\/bridge-auth(\/(?!(session|nonce|token)$)|$)/, unknownPage(sendPage));

  const areas = {
    platform: { publicUrl: baseUrl, targets: config.PLATFORM_API_TARGETS },
    runtime: { publicUrl: config.RUNTIME_URL, targets: config.RUNTIME_API_TARGETS },
    prompt: { publicUrl: config.PROMPT_API_URL, targets: config.PROMPT_API_TARGETS },
  };

  const errorPage = createErrorPage(sendPage);
  const area = createAreaRouter({
    ...gating,
    area: 'admin',
    protocols: [
      serveConsoleFiles(assets),
      serveDocs(deps.docs, baseUrl),
      requireSameOrigin(baseUrl),
      userContext({ baseUrl, sign, verify, store, cookies, limiter }),
      requireNetwork(db, createAdminNetworks(config)),
      guardPages(gate, sendPage),
      deviceLinkPages({ db, gate, sendPage }),
      ...sso.endpoints,
      scim.router,
      pages,
      areaEndpoints({ db, baseUrl, gate, logger, sign, areas }),
      enrolmentEndpoints({ ...ceremony, attestation: deps.attestation }),
      signInEndpoints(ceremony),
      consoleTokenEndpoint({ baseUrl, gate, codes, cookies, mint }),
      exportEndpoint({ db, gate, store: audit, signingKey }),
      reportsCsv(reports, gate),
      magicLinkEndpoints({
        ...{ baseUrl, gate, delivery, cookies, mint },
        links: createMagicLinkStore(db, config.RECOVERY, { capture, raiseAlarm }, config.SESSION_MAX_PER_USER),
        recovery: config.RECOVERY,
      }),
    ],
    routes: createRoutes({ ...deps, areas, capture }),
    accessOf: pageAccess,
    docsUrl: `${baseUrl}/docs`,
    errorPage: (...failure) => scimErrors(...failure) || errorPage(...failure),
    openApi: {
      path: '/admin/openapi.json',
      contracts: ssoContracts,
      parts: [scim.part],
      info: {
        title: 'Millwright administration',
        description:
          'Accounts, sessions, credentials, applications, the audit log, jobs and reports: what the console works with.',
        version: serviceVersion,
        server: baseUrl,
        limits: limits.phrases,
        security: { type: 'apiKey', in: 'cookie', name: 'access_token' },
      },
    },
    capacity: config,
    db,
    logger,
    metrics,
  });
  return createServiceApp({
    area: 'admin',
    logger,
    metrics,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    handlers: [area],
  });
}
