import { secretsConfig } from '@millwright/secrets';
import { field, parseConfig } from '@millwright/config';
import { databaseConfig, requireDataTls } from '@millwright/db';
import { toolRulesConfig } from '@millwright/catalog';
import { egressConfig } from '@millwright/egress';
import { filesConfig, requireFileStorage } from '@millwright/files';
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
    /** Whether an agent is published (has a public card) when its author omits the setting. */
    AGENTS_PUBLISHED_BY_DEFAULT: field.flag().default(true),
    ...toolRulesConfig,
    /** Time limit of an approval in hours. */
    APPROVAL_HOURS: field.integer(1, 720).default(24),
    /** Time limit of an agent's tool call, in milliseconds. */
    TOOL_TIMEOUT_MS: field.integer(1_000, 60_000).default(10_000),
    /** Limit of concurrent runs per process. Further runs are queued. */
    RUNS_AT_ONCE: field.integer(1, 10_000).default(200),
    /** Limit of concurrent runs per project, across all processes. */
    PROJECT_RUNS_AT_ONCE: field.integer(1, 100_000).default(1_000),
    /** Limit of the ancestors of a run, which are the runs whose agents called its agent directly or indirectly. */
    AGENT_CALL_DEPTH: field.integer(0, 10).default(5),
    /** Address of the runtime API. It is the issuer and the audience of the runtime API's tokens. */
    RUNTIME_URL: field.baseUrl(),
    /** Address of admin-auth, which signs users in, shows the consent page and issues gateway tokens. */
    BASE_URL: field.baseUrl(),
    /** Whether OAuth clients may register themselves (RFC 7591), as MCP clients do. */
    OAUTH_DYNAMIC_REGISTRATION: field.flag().default(true),
    /** Whether the id of an OAuth client may be the URL of a document that describes the client. MCP clients use such ids. */
    OAUTH_CLIENT_DOCUMENTS: field.flag().default(true),
    /** Whether clients have to push their authorization requests (RFC 9126). */
    OAUTH_PUSHED_REQUESTS_ONLY: field.flag().default(false),
    /** Whether clients have to bind their tokens to a key that they hold (RFC 9449). */
    OAUTH_DPOP_ONLY: field.flag().default(false),
    /** Whether clients' proofs need a nonce of the runtime API (RFC 9449 §8). */
    OAUTH_DPOP_NONCES: field.flag().default(false),
    /** Custom URI schemes that clients may use in redirect URIs. Schemes with a dot are always allowed. */
    OAUTH_APP_SCHEMES: field
      .list(z.string().regex(/^[a-z][a-z0-9+-]{1,30}$/))
      .default(['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'claude']),
    /** Identity providers (`issuer` in SSO_FILE of admin-auth). Clients may exchange the assertions of these providers for access tokens. */
    OAUTH_ID_JAG_ISSUERS: field.list(field.url()).default([]),
    /** Number of days after which a user must consent to an application again, even when the application has refreshed its tokens meanwhile. */
    OAUTH_GRANT_MAX_DAYS: field.integer(1, 3_650).default(90),
    /** Origins of pages that may use the MCP endpoints. Pages of our own origin and of loopback always may. */
    MCP_ALLOWED_ORIGINS: field.list(field.baseUrl()).default([]),
    /** Authorization servers of MCP servers, named by their issuers, that may have endpoints at other origins. */
    MCP_TRUSTED_ISSUERS: field.list(field.url()).default([]),
    /** Maximum size of one message of an MCP server, in bytes. */
    MCP_MAX_MESSAGE_BYTES: field.integer(65_536, 67_108_864).default(4_194_304),
    /** File with the P-256 private key (PEM) that signs access tokens. */
    SIGNING_KEY_FILE: z.string(),
    /** Maximum size of an uploaded file, in bytes. */
    UPLOAD_MAX_BYTES: field.integer(1).default(52_428_800),
    ...filesConfig,
  })
  .superRefine(requireDataTls)
  .superRefine(requireFileStorage);
export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
