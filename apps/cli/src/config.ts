import { requireSealBucketKeys, sealBucketConfig } from '@millwright/audit/seal-bucket-config';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig, requireDataTls } from '@millwright/db';
import { filesConfig, requireBucketKeys } from '@millwright/files';
import { rateLimitConfig } from '@millwright/rate-limit';
import { secretsConfig } from '@millwright/secrets';
import { z } from 'zod';
import { builderSettings } from './builder-config.js';

const Config = z
  .object({
    ...databaseConfig,
    ...builderSettings,
    /** Base address of the links that commands print. */
    BASE_URL: field.baseUrl().default('http://localhost:8080'),
    /** Folder of the migrations. Default: the folder next to the program. */
    MIGRATIONS_DIR: z.string().optional(),
    /** Email of the admin who owns the scheduled jobs. `db migrate --jobs-owner` creates the account if it does not exist. */
    JOBS_OWNER: z.string().optional(),
    /** Public keys of trusted seals, stored outside the database. `audit verify` accepts only these keys. */
    AUDIT_PINNED_KEYS_FILE: z.string().optional(),
    /** The bucket with the copies of the seals, and a key that may read them. `audit verify` compares the seals with these copies. */
    ...sealBucketConfig,
    /** Keys that seal the secrets of upstreams, the current one first, as in the services. `secrets reseal` needs them. */
    SECRETS_KEYS: secretsConfig.SECRETS_KEYS.optional(),
    /** Folder in which `signing-keys rotate` replaces the key files of the services. */
    KEY_FOLDER: z.string().optional(),
    /** Settings of the services, which `doctor` and `backup` need, too. */
    REDIS_URL: rateLimitConfig.REDIS_URL,
    ...filesConfig,
  })
  .superRefine(requireDataTls)
  .superRefine(requireSealBucketKeys)
  .superRefine(requireBucketKeys);
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
