import { secretsConfig } from '@millwright/catalog';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig } from '@millwright/db';
import { egressConfig } from '@millwright/egress';
import { serviceConfig } from '@millwright/http';
import { modelsConfig } from '@millwright/models';
import { rateLimitConfig } from '@millwright/rate-limit';
import { z } from 'zod';

const Config = z.object({
  ...serviceConfig,
  ...databaseConfig,
  ...rateLimitConfig,
  ...egressConfig,
  ...modelsConfig,
  ...secretsConfig,
  /** Where clients reach areas A and B. */
  BASE_URL: field.baseUrl(),
});
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
