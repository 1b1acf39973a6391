import type { NewToken } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { Route } from '@millwright/http';
import type { Scheduler } from '@millwright/jobs';
import type { RateLimiter } from '@millwright/rate-limit';
import { apiKeyRoutes } from './api-keys/api-keys.routes.js';
import { applicationRoutes } from './applications/applications.routes.js';
import { createApplicationStore } from './applications/applications.store.js';
import { auditRoutes } from './audit/audit.routes.js';
import { createAuditStore } from './audit/audit.store.js';
import { bridgeRoutes } from './bridge/bridge.routes.js';
import { createBridgeStore } from './bridge/bridge.store.js';
import type { DeviceCa } from './bridge/device-ca.js';
import { clientRoutes } from './clients/clients.routes.js';
import type { Config } from './config.js';
import { consentRoutes } from './consent/consent.routes.js';
import { createConsentStore } from './consent/consent.store.js';
import type { AreaAddresses } from './dashboard/area-health.js';
import { dashboardRoutes } from './dashboard/dashboard.routes.js';
import { discoveryRoutes } from './discovery/discovery.routes.js';
import { enterprisesRoutes } from './enterprises/enterprises.routes.js';
import { createEnterprisesStore } from './enterprises/enterprises.store.js';
import { jobsRoutes } from './jobs/jobs.routes.js';
import { createJobsStore } from './jobs/jobs.store.js';
import { keysRoutes } from './keys/keys.routes.js';
import { createCeremonyStore } from './passkeys/ceremonies.store.js';
import type { Delivery } from './magic-link/delivery.js';
import { passkeyRoutes } from './passkeys/passkeys.routes.js';
import { createPasskeyStore } from './passkeys/passkeys.store.js';
import { relyingParty } from './passkeys/relying-party.js';
import { platformAdminRoutes } from './platform-admins/platform-admins.routes.js';
import { profileRoutes } from './profile/profile.routes.js';
import { projectsRoutes } from './projects/projects.routes.js';
import { quotasRoutes } from './quotas/quotas.routes.js';
import { registrationRoutes } from './registration/registration.routes.js';
import { createRegistration, registrationRules } from './registration/registration.service.js';
import { reportsRoutes } from './reports/reports.routes.js';
import { createReportsStore } from './reports/reports.store.js';
import { sessionLimits, type SessionsConfig } from './sessions/sessions-config.js';
import { createSessionStore } from './sessions/sessions.store.js';
import type { DomainCapture } from './sso/domain-capture.js';
import { stepUpRoutes } from './step-up/step-up.routes.js';
import { createStepUp } from './step-up/step-up.service.js';
import { dailyUsageRoutes } from './usage/daily-usage.routes.js';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';

export interface RouteDeps {
  config: Pick<
    Config,
    | keyof SessionsConfig
    | 'BASE_URL'
    | 'AUDIT_PINNED_KEYS_FILE'
    | 'RUNTIME_URL'
    | 'PROMPT_API_URL'
    | 'SECURITY_ALLOW_REGISTRATION'
    | 'SECURITY_DEFAULT_PROJECT'
    | 'SECURITY_CLAIM_REQUIRES_INVITE'
    | 'SECURITY_REGISTRATION_ROLES'
    | 'SECURITY_REGISTRATION_DOMAINS'
    | 'SECURITY_PLATFORM_ADMIN_FOUR_EYES'
    | 'PROJECTS_OPEN'
  >;
  db: Database;
  limiter: RateLimiter;
  /** Signs gateway tokens. */
  sign: (token: NewToken) => string;
  scheduler: Pick<Scheduler, 'jobs' | 'request'>;
  deviceCa: DeviceCa;
  /** Sends setup links. */
  delivery: Pick<Delivery, 'start'>;
  areas: AreaAddresses;
  capture: DomainCapture;
}

/** Makes all resource endpoints of admin-auth. */
export function createRoutes(deps: RouteDeps): Route[] {
  const { config, db, limiter, sign, scheduler, deviceCa, delivery, areas, capture } = deps;
  const { BASE_URL: baseUrl, RUNTIME_URL: runtimeUrl } = config;
  const party = relyingParty(baseUrl);
  const passkeys = createPasskeyStore(db);
  const consents = createConsentStore(db);
  const sessions = createSessionStore(db, sessionLimits(config));
  const rules = registrationRules(config);
  return [
    ...keysRoutes(db),
    ...discoveryRoutes(config),
    ...registrationRoutes({ db, ...createRegistration(rules, capture), rules, delivery, baseUrl, limiter }),
    ...dashboardRoutes(db, { config, isRegistrationOpen: rules.allowRegistration, areas }),
    ...profileRoutes(db, sessions, party),
    ...stepUpRoutes(createStepUp({ db, party, passkeys, ceremonies: createCeremonyStore(db) })),
    ...passkeyRoutes(passkeys, party),
    ...apiKeyRoutes(db),
    ...clientRoutes(db),
    ...applicationRoutes(createApplicationStore(db)),
    ...auditRoutes({ db, store: createAuditStore(db), scheduler, pinnedKeysFile: config.AUDIT_PINNED_KEYS_FILE }),
    ...jobsRoutes(scheduler, createJobsStore(db)),
    ...enterprisesRoutes(createEnterprisesStore(db)),
    ...projectsRoutes(db, { isOpen: config.PROJECTS_OPEN }),
    ...quotasRoutes(db),
    ...reportsRoutes(createReportsStore(db)),
    ...dailyUsageRoutes(db),
    ...bridgeRoutes({ baseUrl, bridge: createBridgeStore(db, deviceCa), limiter, sign }),
    ...userRoutes(db, createUserStore(db, sessions), consents, baseUrl),
    ...consentRoutes(db, consents, runtimeUrl),
    ...platformAdminRoutes(db, { enabled: config.SECURITY_PLATFORM_ADMIN_FOUR_EYES }),
  ];
}
