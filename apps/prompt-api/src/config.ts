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
  /** Where browsers reach the console: the issuer of gateway tokens. */
  BASE_URL: field.baseUrl(),
  /** Where clients reach area D. */
  PROMPT_API_URL: field.baseUrl(),
});
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
