import { requireSealBucketKeys, sealBucketConfig } from '@millwright/audit/seal-bucket-config';
import { secretsConfig } from '@millwright/secrets';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig, requireDataTls } from '@millwright/db';
import { egressConfig } from '@millwright/egress';
import { capacityConfig, serviceConfig, targetList } from '@millwright/http/process';
import { rateLimitConfig } from '@millwright/rate-limit';
import { z } from 'zod';
import { quotasConfig } from './quotas/quotas-config.js';
import { loadSso, type SsoIssuer } from './sso/sso-file.js';
import { requireSealWebhookSecret, sealWebhookConfig } from './audit/seal-webhook-config.js';
import { retentionConfig } from './jobs/retention-config.js';
import { networksConfig } from './networks/admin-networks.js';
import { attestationConfig, requireRoots } from './passkeys/attestation.config.js';
import { sessionsConfig } from './sessions/sessions-config.js';
import { deliveryConfig, requireDeliverySettings, type DeliveryConfig } from './magic-link/delivery-config.js';

const NOT_DOMAINS = 'must be domains such as example.com, separated by commas';
const isDomain = (text: string) => /^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(text);

const Config = z
  .object({
    ...serviceConfig,
    ...capacityConfig,
    ...databaseConfig,
    ...rateLimitConfig,
    ...quotasConfig,
    ...egressConfig,
    ...secretsConfig,
    ...deliveryConfig,
    ...sessionsConfig,
    ...retentionConfig,
    ...sealWebhookConfig,
    ...sealBucketConfig,
    ...networksConfig,
    ...attestationConfig,
    /** Address of the console and the platform API. */
    BASE_URL: field.baseUrl(),
    RUNTIME_URL: field.baseUrl(),
    PROMPT_API_URL: field.baseUrl(),
    /** Addresses of the other services, for the console; empty for a service that is not deployed. */
    PLATFORM_API_TARGETS: targetList().default([]),
    RUNTIME_API_TARGETS: targetList().default([]),
    PROMPT_API_TARGETS: targetList().default([]),
    /** File with the P-256 private key (PEM) that signs console and gateway tokens. */
    SIGNING_KEY_FILE: z.string(),
    /** Files with the P-256 private key and the certificate (PEM) of the authority that certifies devices. */
    DEVICE_CA_KEY_FILE: z.string(),
    DEVICE_CA_CERT_FILE: z.string(),
    /**
     * Whether anyone may register. Default: true. With an https address of the console there is no default, so that the operator must
     * decide.
     */
    SECURITY_ALLOW_REGISTRATION: field.flag().optional(),
    /** Roles that a registrant may choose. */
    SECURITY_REGISTRATION_ROLES: field.list(z.enum(['user', 'admin'])).default(['user', 'admin']),
    /** Email domains whose users may register. Setup links are then sent by MAGIC_LINK_DELIVERY. Default: all domains. */
    SECURITY_REGISTRATION_DOMAINS: field.list(z.string().refine(isDomain, NOT_DOMAINS).toLowerCase()).default([]),
    /** The project of accounts created by registration. */
    SECURITY_DEFAULT_PROJECT: z.enum(['Core', 'Commerce']).default('Core'),
    /** Whether an account that an admin created can be claimed only with its setup link. Default: true while registration is closed. */
    SECURITY_CLAIM_REQUIRES_INVITE: field.flag().optional(),
    /** File with the public keys of trusted seals, kept apart from the database. Default: the keys that the database lists. */
    AUDIT_PINNED_KEYS_FILE: z.string().optional(),
    /** Whether two platform admins together can make another platform admin in the console. Default: only an operator can. */
    SECURITY_PLATFORM_ADMIN_FOUR_EYES: field.flag().default(false),
    /**
     * Whether platform admins may make, rename and delete projects other than `Core` and `Commerce`. When this setting is turned off,
     * existing projects stay.
     */
    PROJECTS_OPEN: field.flag().default(false),
    /** YAML file of the scheduled jobs. Default: the file that ships with the program. */
    JOBS_FILE: z.string().optional(),
    /** Email of the admin who owns the jobs that name no owner. */
    JOBS_OWNER: z.string().optional(),
    /** YAML file of the issuers of single sign-on. Default: none. */
    SSO_FILE: z.string().optional(),
  })
  .superRefine(requireDataTls)
  .superRefine(requireDeliverySettings)
  .superRefine(requireSealWebhookSecret)
  .superRefine(requireSealBucketKeys)
  .superRefine(requireStatedRegistration)
  .superRefine(requireRoots)
  .superRefine(requireProofOfDomain);
export type Config = Readonly<z.output<typeof Config>> & {
  /** The issuers of `SSO_FILE`. */
  readonly ssoIssuers: readonly SsoIssuer[];
};

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const config = parseConfig(Config, env);
  return Object.freeze({ ...config, ssoIssuers: loadSso(config.SSO_FILE, env) });
}

/**
 * Requires SECURITY_ALLOW_REGISTRATION when BASE_URL is https, because the operator of a public console must decide whether anyone may
 * register.
 */
function requireStatedRegistration(
  config: { BASE_URL: string; SECURITY_ALLOW_REGISTRATION?: boolean | undefined },
  context: z.RefinementCtx,
): void {
  if (config.SECURITY_ALLOW_REGISTRATION !== undefined || !config.BASE_URL.startsWith('https:')) return;
  const message = 'is required where BASE_URL is https: false lets nobody register, true lets anyone';
  context.addIssue({ code: 'custom', path: ['SECURITY_ALLOW_REGISTRATION'], message });
}

/**
 * Refuses MAGIC_LINK_DELIVERY `log` when registration is limited to domains: only a link that was sent to an address proves that the
 * address belongs to the user.
 */
function requireProofOfDomain(
  config: Pick<DeliveryConfig, 'MAGIC_LINK_DELIVERY'> & {
    SECURITY_ALLOW_REGISTRATION?: boolean | undefined;
    SECURITY_REGISTRATION_DOMAINS: readonly string[];
  },
  context: z.RefinementCtx,
): void {
  const isBounded = config.SECURITY_ALLOW_REGISTRATION !== false && config.SECURITY_REGISTRATION_DOMAINS.length > 0;
  if (!isBounded || config.MAGIC_LINK_DELIVERY !== 'log') return;
  const message = 'needs MAGIC_LINK_DELIVERY smtp or webhook: registrants prove their address by a link sent to it';
  context.addIssue({ code: 'custom', path: ['SECURITY_REGISTRATION_DOMAINS'], message });
}
