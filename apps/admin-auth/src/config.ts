import { field, parseConfig } from '@millwright/config';
import { databaseConfig } from '@millwright/db';
import { egressConfig } from '@millwright/egress';
import { serviceConfig } from '@millwright/http';
import { rateLimitConfig } from '@millwright/rate-limit';
import { z } from 'zod';
import { deliveryConfig, requireDeliverySettings } from './magic-link/delivery-config.js';

const Config = z
  .object({
    ...serviceConfig,
    ...databaseConfig,
    ...rateLimitConfig,
    ...egressConfig,
    ...deliveryConfig,
    /** Where browsers reach areas A and B. */
    BASE_URL: field.baseUrl(),
    RUNTIME_URL: field.baseUrl(),
    PROMPT_API_URL: field.baseUrl(),
    /** File with the P-256 private key (PEM) that signs console and gateway tokens. */
    SIGNING_KEY_FILE: z.string(),
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
