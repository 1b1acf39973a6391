import { secretsConfig } from '@millwright/secrets';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig, requireDataTls } from '@millwright/db';
import { toolRulesConfig } from '@millwright/catalog';
import { egressConfig } from '@millwright/egress';
import { capacityConfig, serviceConfig } from '@millwright/http/process';
import { modelsConfig } from '@millwright/models';
import { rateLimitConfig } from '@millwright/rate-limit';
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
    ...toolRulesConfig,
    /** The public URL of admin-auth and the platform API. */
    BASE_URL: field.baseUrl(),
    /** Base address of the MCP registry from which users choose servers. Default: none. */
    MCP_REGISTRY_URL: field.addressPrefix().optional(),
    /** Default of an agent's `published`: whether the agent has a public card. */
    AGENTS_PUBLISHED_BY_DEFAULT: field.flag().default(true),
  })
  .superRefine(requireDataTls);
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
