import { createPromptSkillStore } from '@millwright/catalog/lists';
import { createTokenVerifier, type createApiKeyVerifier, type Principal } from '@millwright/auth';
import type { RequireHolder } from '@millwright/auth/dpop';
import { createKeyFinder } from '@millwright/auth/signing-keys';
import type { Database, MetricCounts } from '@millwright/db';
import { createGate, type Budgets, type GateOptions } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import type { McpServers } from '@millwright/mcp';
import type { RequestHandler } from 'express';
import { inboxAt } from '@millwright/runs/approvals';
import { createContentStore } from '../content/content.store.js';
import type { FindSearchVector } from '../knowledge/vectors/search-vectors.js';
import type { AdminTools } from './builtin/admin-tools.js';
import { createAskAgent, type AskAgentDeps } from './builtin/ask-agent.js';
import { createBuiltinServer } from './builtin/builtin-server.js';
import { createBuiltinSessions } from './builtin/builtin-sessions.js';
import { BUILTIN } from '../tools/builtin-names.js';
import { BUILTIN_SCOPES, createBuiltinTools } from './builtin/tools.js';
import { createMcpAuthenticator, createMcpChallenge } from './endpoint/access.js';
import { createCallerStore } from './endpoint/callers.store.js';
import { mcpEndpoint } from './endpoint/mcp.endpoint.js';
import { createClientSessionStore, type SessionChanges } from '@millwright/mcp/client-sessions';
import { createRelay } from './relay/relay.js';

export interface McpOptions {
  db: Database;
  gating: Pick<GateOptions, 'limiter' | 'counts'> & { budgets: Required<Budgets> };
  /** Verifies tokens that admin-auth issued for the runtime API. */
  verifyGateway: (token: string) => Promise<Principal | undefined>;
  verifyKey: ReturnType<typeof createApiKeyVerifier>;
  requireHolder: RequireHolder;
  servers: McpServers;
  runtimeUrl: string;
  /** Base URL of the console. */
  baseUrl: string;
  allowedOrigins: readonly string[];
  runService: AskAgentDeps['runService'];
  approvals: AskAgentDeps['approvals'];
  admin: AdminTools;
  findSearchVector: FindSearchVector;
  counts?: Pick<MetricCounts, 'add'> | undefined;
  logger: Pick<Logger, 'error'>;
  sessionChanges: Pick<SessionChanges, 'until'>;
  draining?: AbortSignal | undefined;
}

/** Assembles the endpoints of the MCP servers: the built-in server and the servers that projects registered. */
export function mcpEndpoints(options: McpOptions): RequestHandler[] {
  const {
    db,
    gating,
    verifyGateway,
    verifyKey,
    requireHolder,
    servers,
    runtimeUrl,
    allowedOrigins,
    runService,
    approvals,
    admin,
    counts,
    logger,
  } = options;
  const { limiter, budgets } = gating;
  const verify = createTokenVerifier({
    issuer: runtimeUrl,
    audience: /./,
    findKey: createKeyFinder(db, 'runtime-api'),
  });
  const gate = createGate({
    db,
    ...gating,
    authenticate: createMcpAuthenticator({
      runtimeUrl,
      verify,
      requireHolder,
      callers: createCallerStore(db),
      verifyGateway,
      verifyKey,
    }),
    challenge: createMcpChallenge(runtimeUrl, (server) => (server === BUILTIN ? BUILTIN_SCOPES : [])),
  });
  const content = createContentStore(db);
  const messages = budgets.messages;
  const inboxUrl = inboxAt(options.baseUrl);
  const askAgent = createAskAgent({ db, runService, approvals, inboxUrl, limiter, messages });
  const tools = createBuiltinTools({
    db,
    content,
    askAgent,
    admin,
    counts,
    findSearchVector: options.findSearchVector,
  });
  const builtin = createBuiltinServer({
    tools,
    skills: createPromptSkillStore(db),
    content,
    sessions: createBuiltinSessions(createClientSessionStore(db), options.sessionChanges),
    logger,
  });
  const relayed = createRelay({
    ...{ db, servers, runtimeUrl },
    sessionChanges: options.sessionChanges,
    draining: options.draining,
  });
  return [
    mcpEndpoint({
      db,
      gate,
      runtimeUrl,
      allowedOrigins,
      counts,
      targetOf: ({ registered }, name) => (name === BUILTIN ? builtin : registered && relayed(registered)),
    }),
  ];
}
