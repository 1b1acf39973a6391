import { field, parseConfig } from '@millwright/config';
import { databaseConfig, requireDataTls } from '@millwright/db';
import { egressConfig } from '@millwright/egress';
import { capacityConfig, serviceConfig } from '@millwright/http/process';
import { modelsConfig } from '@millwright/models';
import { rateLimitConfig } from '@millwright/rate-limit';
import { secretsConfig } from '@millwright/secrets';
import { z } from 'zod';

const Config = z
  .object({
    ...serviceConfig,
    ...capacityConfig,
    ...databaseConfig,
    ...rateLimitConfig,
    ...egressConfig,
    ...modelsConfig,
    ...secretsConfig,
    /** Address of the console: the issuer of gateway tokens. */
    BASE_URL: field.baseUrl(),
    /** Address of the prompt API for its clients. */
    PROMPT_API_URL: field.baseUrl(),
    /** Whether agents made here are published (have a public card). */
    AGENTS_PUBLISHED_BY_DEFAULT: field.flag().default(true),
  })
  .superRefine(requireDataTls);
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
