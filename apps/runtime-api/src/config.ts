import { secretsConfig } from '@millwright/catalog';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig } from '@millwright/db';
import { egressConfig } from '@millwright/egress';
import { serviceConfig } from '@millwright/http';
import { modelsConfig } from '@millwright/models';
import { rateLimitConfig } from '@millwright/rate-limit';
import { z } from 'zod';

const Config = z
  .object({
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
    /** The largest file that is taken. */
    UPLOAD_MAX_BYTES: field.integer(1).default(52_428_800),
    /** Folder of the files, the same for every process; without a bucket it has to be set. */
    FILES_DIR: z.string().optional(),
    /** Bucket of the files, in the place of a folder. */
    FILES_S3_BUCKET: z.string().optional(),
    FILES_S3_REGION: z.string().default('us-east-1'),
    /** The operator's own S3-compatible server, trusted as it stands; AWS when left out. */
    FILES_S3_ENDPOINT: field.url().optional(),
    FILES_S3_ACCESS_KEY_ID: z.string().optional(),
    FILES_S3_SECRET_ACCESS_KEY: z.string().optional(),
  })
  .superRefine(requireFileStorage);
export type Config = Readonly<z.output<typeof Config>>;

/** Files lie in a folder, or in a bucket with the keys to it. */
function requireFileStorage(config: Record<string, unknown>, context: z.RefinementCtx): void {
  const needed =
    config['FILES_S3_BUCKET'] === undefined ? ['FILES_DIR'] : ['FILES_S3_ACCESS_KEY_ID', 'FILES_S3_SECRET_ACCESS_KEY'];
  for (const name of needed) {
    if (config[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
  }
}

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
