import { createKeyFinder, createTokenVerifier, type NewToken, type SigningKey } from '@millwright/auth';
import { createAreaRouter, createGate, createServiceApp, serviceVersion, type AreaDeps } from '@millwright/http';
import type { Scheduler } from '@millwright/jobs';
import { Router, type Express, type Request } from 'express';
import { areaEndpoints } from './areas/areas.endpoint.js';
import { bridgeRoutes } from './bridge/bridge.routes.js';
import { createBridgeStore } from './bridge/bridge.store.js';
import type { DeviceCa } from './bridge/device-ca.js';
import { deviceLinkPages } from './bridge/device-link.page.js';
import { apiKeyRoutes } from './api-keys/api-keys.routes.js';
import { clientRoutes } from './clients/clients.routes.js';
import { auditRoutes } from './audit/audit.routes.js';
import { createAuditStore } from './audit/audit.store.js';
import { exportEndpoint } from './audit/export.endpoint.js';
import type { Config } from './config.js';
import { dashboardRoutes } from './dashboard/dashboard.routes.js';
import { enterprisesRoutes } from './enterprises/enterprises.routes.js';
import { createEnterprisesStore } from './enterprises/enterprises.store.js';
import { jobsRoutes } from './jobs/jobs.routes.js';
import { createJobsStore } from './jobs/jobs.store.js';
import { keysRoutes } from './keys/keys.routes.js';
import { consentPage } from './consent/consent.page.js';
import { consentRoutes } from './consent/consent.routes.js';
import { createConsentStore } from './consent/consent.store.js';
import type { Delivery } from './magic-link/delivery.js';
import { magicLinkEndpoints, magicLinkPage } from './magic-link/magic-link.endpoint.js';
import { createMagicLinkStore } from './magic-link/magic-link.store.js';
import { authorizePage } from './oauth/authorize.page.js';
import { createCodeStore } from './oauth/codes.store.js';
import { consoleTokenEndpoint } from './oauth/token.endpoint.js';
import { serveConsoleFiles, type ConsoleFiles } from './pages/console-files.js';
import { CONSOLE_PAGES, consolePage } from './pages/console.page.js';
import { loginPage } from './pages/login.page.js';
import { createSendPage } from './pages/send-page.js';
import { unknownPage } from './pages/unknown.page.js';
import { createCeremonyStore } from './passkeys/ceremonies.store.js';
import { enrolmentEndpoints } from './passkeys/enrolment.endpoint.js';
import { passkeyRoutes } from './passkeys/passkeys.routes.js';
import { createPasskeyStore } from './passkeys/passkeys.store.js';
import { relyingParty } from './passkeys/relying-party.js';
import { signInEndpoints } from './passkeys/sign-in.endpoint.js';
import { profileRoutes } from './profile/profile.routes.js';
import { signOut } from './profile/sign-out.endpoint.js';
import { authCheck, CHALLENGE } from './protection/auth-check.js';
import { requireSameOrigin } from './protection/same-origin.js';
import { createRequireFresh } from './protection/signed-in.js';
import { registrationPage, setupPage } from './registration/registration.page.js';
import { registrationRoutes } from './registration/registration.routes.js';
import { createRegistration } from './registration/registration.service.js';
import { reportsCsv, reportsRoutes } from './reports/reports.routes.js';
import { createReportsStore } from './reports/reports.store.js';
import { createCookieWriter } from './sessions/cookies.js';
import { createSessionStore, type OpenedSession } from './sessions/sessions.store.js';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';
import { contextOf, mintTokens, userContext } from './sessions/user-context.js';
import { stepUpRoutes } from './step-up/step-up.routes.js';
import { createStepUp } from './step-up/step-up.service.js';

export interface AppDeps extends AreaDeps {
  config: Pick<
    Config,
    | 'BASE_URL'
    | 'RUNTIME_URL'
    | 'PROMPT_API_URL'
    | 'PLATFORM_API_TARGETS'
    | 'RUNTIME_API_TARGETS'
    | 'PROMPT_API_TARGETS'
    | 'MAX_IN_FLIGHT'
    | 'TRUSTED_PROXY_HOPS'
    | 'SECURITY_ALLOW_REGISTRATION'
    | 'SECURITY_DEFAULT_PROJECT'
    | 'SECURITY_CLAIM_REQUIRES_INVITE'
  >;
  /** Signs console tokens. */
  sign: (token: NewToken) => string;
  /** Signs where an export of the trail ends. */
  signingKey: () => SigningKey;
  scheduler: Pick<Scheduler, 'jobs' | 'request'>;
  assets: ConsoleFiles;
  /** Certifies devices. */
  deviceCa: DeviceCa;
  /** How recovery links reach their owners. */
  delivery: Delivery;
}

/** Console paths that are neither a page above nor served by an endpoint below. */
const UNKNOWN_PAGE = /^\/admin\/(?!api\/|oauth\/|assets\/|\.well-known\/|openapi\.json$|docs$)/;

/** Area A. */
export function createApp(deps: AppDeps): Express {
  const { config, db, limiter, logger, metrics, sign, signingKey, scheduler, assets, delivery, deviceCa } = deps;
  const baseUrl = config.BASE_URL;
  const cookies = createCookieWriter(baseUrl);
  const store = createSessionStore(db);
  const passkeys = createPasskeyStore(db);
  const ceremonies = createCeremonyStore(db);
  const codes = createCodeStore(db);
  const consents = createConsentStore(db);
  const party = relyingParty(baseUrl);
  const verify = createTokenVerifier({
    issuer: baseUrl,
    audience: baseUrl,
    findKey: createKeyFinder(db, 'admin-auth'),
  });
  const gating = {
    authenticate: (request: Request) => Promise.resolve(contextOf(request)?.principal),
    challenge: CHALLENGE,
    // Decisions §1, "Rate-limit headers".
    budgets: { anonymous: { name: 'ip', limit: 100 }, credential: () => ({ name: 'admin', limit: 300 }) },
    limiter,
  };
  const gate = createGate(gating);
  const mint = (opened: OpenedSession, isAdmin: boolean) => mintTokens({ sign, baseUrl }, opened, isAdmin);
  const requireFresh = createRequireFresh(db);
  const ceremony = { requireFresh, db, baseUrl, gate, passkeys, ceremonies, codes, cookies, party };
  const sendPage = createSendPage(assets);
  const audit = createAuditStore(db);
  const reports = createReportsStore(db);

  const pages = Router({ caseSensitive: true, strict: true });
  pages.get(CONSOLE_PAGES, consolePage(assets));
  pages.get('/admin/login', loginPage(cookies, sendPage));
  pages.get('/admin/register', registrationPage({ isOpen: config.SECURITY_ALLOW_REGISTRATION }, sendPage));
  pages.get('/admin/add-passkey', setupPage('add-passkey', passkeys, sendPage));
  pages.get('/admin/verify-pending', setupPage('verify-pending', passkeys, sendPage));
  pages.get(['/admin/oauth/authorize', '/api/v1/core/oauth/authorize'], authorizePage(baseUrl, sendPage));
  pages.get('/admin/consent', consentPage(consents, sendPage));
  pages.get('/admin/magic-link', magicLinkPage(sendPage));
  pages.post('/admin/api/sign-out', signOut(db, cookies));
  pages.get(UNKNOWN_PAGE, consolePage(assets, 404));
  pages.get(/^\/bridge-auth(\/|$)/, unknownPage(sendPage));

  const areas = {
    platform: { publicUrl: baseUrl, targets: config.PLATFORM_API_TARGETS },
    runtime: { publicUrl: config.RUNTIME_URL, targets: config.RUNTIME_API_TARGETS },
    prompt: { publicUrl: config.PROMPT_API_URL, targets: config.PROMPT_API_TARGETS },
  };

  const register = createRegistration({
    allowRegistration: config.SECURITY_ALLOW_REGISTRATION,
    claimRequiresInvite: config.SECURITY_CLAIM_REQUIRES_INVITE,
    defaultProject: config.SECURITY_DEFAULT_PROJECT,
  });
  const area = createAreaRouter({
    ...gating,
    area: 'admin',
    protocols: [
      serveConsoleFiles(assets),
      requireSameOrigin(baseUrl),
      userContext({ baseUrl, sign, verify, store, cookies }),
      authCheck(db, gate, sendPage),
      deviceLinkPages({ db, gate, sendPage }),
      pages,
      areaEndpoints({ baseUrl, gate, logger, sign, areas }),
      enrolmentEndpoints(ceremony),
      signInEndpoints(ceremony),
      consoleTokenEndpoint({ baseUrl, gate, codes, cookies, mint }),
      exportEndpoint({ db, gate, store: audit, signingKey }),
      reportsCsv(reports, gate),
      magicLinkEndpoints({ baseUrl, gate, delivery, links: createMagicLinkStore(db), cookies, mint }),
    ],
    routes: [
      ...keysRoutes(db),
      ...registrationRoutes(register, baseUrl),
      ...dashboardRoutes(db, config, areas),
      ...profileRoutes(store, party),
      ...stepUpRoutes(createStepUp({ db, party, passkeys, ceremonies })),
      ...passkeyRoutes(passkeys, party, requireFresh),
      ...apiKeyRoutes(db, requireFresh),
      ...clientRoutes(db, requireFresh),
      ...auditRoutes(db, audit),
      ...jobsRoutes(scheduler, createJobsStore(db)),
      ...enterprisesRoutes(createEnterprisesStore(db)),
      ...reportsRoutes(reports),
      ...bridgeRoutes({
        baseUrl,
        bridge: createBridgeStore(db, deviceCa),
        limiter,
        requireFresh,
        sign,
      }),
      ...userRoutes(db, createUserStore(db), consents, baseUrl),
      ...consentRoutes(consents, config.RUNTIME_URL),
    ],
    protectedPrefix: '/admin/api',
    openApi: {
      path: '/admin/openapi.json',
      info: {
        title: 'Millwright administration',
        description: 'Sign-in, sessions and the trail.',
        version: serviceVersion,
        server: baseUrl,
        limits: { public: '100 a minute per IP address', credential: '300 a minute per session' },
        security: { type: 'apiKey', in: 'cookie', name: 'access_token' },
      },
    },
    maxInFlight: config.MAX_IN_FLIGHT,
    db,
    logger,
    metrics,
  });
  return createServiceApp({ logger, metrics, trustedProxyHops: config.TRUSTED_PROXY_HOPS, handlers: [area] });
}
