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
  /** How long one call of an agent's tool may take. */
  TOOL_TIMEOUT_MS: field.integer(1_000, 60_000).default(10_000),
  /** Where clients reach area C: issuer and audience of its tokens. */
  RUNTIME_URL: field.baseUrl(),
  /** Where browsers reach area A, which signs users in, asks for their consent, and issues gateway tokens. */
  BASE_URL: field.baseUrl(),
  /** Whether OAuth clients may register themselves (RFC 7591), as MCP clients do. */
  OAUTH_DYNAMIC_REGISTRATION: field.flag().default(true),
  /** Whether the document at an OAuth client's id may describe it, as MCP clients do. */
  OAUTH_CLIENT_DOCUMENTS: field.flag().default(true),
  /** Origins of pages, besides ours and those of loopback, that may use the MCP endpoints. */
  MCP_ALLOWED_ORIGINS: field.list(field.baseUrl()).default([]),
  /** File with the P-256 private key (PEM) that signs access tokens. */
  SIGNING_KEY_FILE: z.string(),
});
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
