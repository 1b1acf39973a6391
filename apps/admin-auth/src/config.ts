import { secretsConfig } from '@millwright/catalog';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig } from '@millwright/db';
import { egressConfig } from '@millwright/egress';
import { serviceConfig, targetList } from '@millwright/http';
import { rateLimitConfig } from '@millwright/rate-limit';
import { z } from 'zod';
import { deliveryConfig, requireDeliverySettings } from './magic-link/delivery-config.js';

const Config = z
  .object({
    ...serviceConfig,
    ...databaseConfig,
    ...rateLimitConfig,
    ...egressConfig,
    ...secretsConfig,
    ...deliveryConfig,
    /** Where browsers reach areas A and B. */
    BASE_URL: field.baseUrl(),
    RUNTIME_URL: field.baseUrl(),
    PROMPT_API_URL: field.baseUrl(),
    /** Where the other areas' services are, for the console. One that is not deployed is left out. */
    PLATFORM_API_TARGETS: targetList().default([]),
    RUNTIME_API_TARGETS: targetList().default([]),
    PROMPT_API_TARGETS: targetList().default([]),
    /** File with the P-256 private key (PEM) that signs console and gateway tokens. */
    SIGNING_KEY_FILE: z.string(),
    /** Files with the P-256 private key and the certificate (PEM) of the authority that certifies devices. */
    DEVICE_CA_KEY_FILE: z.string(),
    DEVICE_CA_CERT_FILE: z.string(),
    /** Whether strangers may register; off, only accounts that an admin created are claimed at /admin/register. */
    SECURITY_ALLOW_REGISTRATION: field.flag().default(true),
    /** The project of those who register. */
    SECURITY_DEFAULT_PROJECT: z.enum(['Core', 'Commerce']).default('Core'),
    /** Whether an account that an admin created is claimed through its setup link only. */
    SECURITY_CLAIM_REQUIRES_INVITE: field.flag().default(false),
    /** YAML file of the scheduled jobs; the one that comes with the program when left out. */
    JOBS_FILE: z.string().optional(),
    /** Email of the admin who answers for the jobs that name no owner. */
    JOBS_OWNER: z.string().optional(),
  })
  .superRefine(requireDeliverySettings);
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
