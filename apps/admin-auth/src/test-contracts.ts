import { createDatabase } from '@millwright/db';
import type { EndpointContract } from '@millwright/http';
import { createRateLimiter } from '@millwright/rate-limit';
import { newDeviceCa } from './bridge/test-device-ca.js';
import { createRoutes } from './endpoints.js';
import { createDomainCapture } from './sso/domain-capture.js';
import { ssoContracts } from './sso/sso.contract.js';
import { scimRoutes } from './scim/scim.routes.js';
import { noJobs } from './test-console.js';

const none = { publicUrl: 'http://none.test', targets: [] };

/**
 * The contract of every endpoint of the console, of single sign-on and of devices. Contracts need no database: the database of this file
 * receives no query.
 */
export const contracts: EndpointContract[] = [
  ...ssoContracts,
  ...createRoutes({
    config: {
      BASE_URL: 'http://mw.test',
      RUNTIME_URL: 'http://runtime.test',
      PROMPT_API_URL: 'http://prompt.test',
      SECURITY_ALLOW_REGISTRATION: true,
      SECURITY_DEFAULT_PROJECT: 'Core',
      SECURITY_CLAIM_REQUIRES_INVITE: false,
      SECURITY_REGISTRATION_ROLES: ['user', 'admin'],
      SECURITY_REGISTRATION_DOMAINS: [],
      SECURITY_PLATFORM_ADMIN_FOUR_EYES: true,
      PROJECTS_OPEN: true,
      SESSION_ADMIN_IDLE_HOURS: 12,
      SESSION_ADMIN_MAX_DAYS: 7,
      SESSION_USER_IDLE_DAYS: 30,
      SESSION_USER_MAX_DAYS: 90,
      SESSION_MAX_PER_USER: 20,
    },
    db: createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }),
    limiter: createRateLimiter(),
    sign: () => '',
    scheduler: noJobs,
    deviceCa: await newDeviceCa(),
    capture: createDomainCapture([]),
    delivery: { start: () => undefined },
    areas: { platform: none, runtime: none, prompt: none },
  }).map(({ contract }) => contract),
];

/** The contracts of provisioning clients. */
export const scimContracts: EndpointContract[] = scimRoutes({
  db: createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }),
  baseUrl: 'http://mw.test',
  defaultProject: 'Core',
  issuerOf: () => {
    throw new Error('nothing is called');
  },
}).map(({ contract }) => contract);
