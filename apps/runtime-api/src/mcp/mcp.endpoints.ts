import { createKeyFinder, createTokenVerifier, type Principal } from '@millwright/auth';
import type { SecretBox } from '@millwright/catalog';
import type { Database, MetricCounts } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import { createGate, type GateOptions, type Logger, type Route } from '@millwright/http';
import type { RequestHandler } from 'express';
import { createContentStore } from '../content/content.store.js';
import { createMcpAuthenticator, createMcpChallenge } from './access.js';
import { createCallerStore } from './callers.store.js';
import { mcpEndpoint } from './mcp.endpoint.js';
import { createRelay } from './relay/relay.js';
import type { AdminTools } from './platform/admin-tools.js';
import { createAskAgent } from './platform/ask-agent.js';
import { createPlatform } from './platform/platform.js';
import { PLATFORM } from './platform/scopes.js';
import { createSkillStore } from './platform/skills.store.js';
import { createPlatformTools } from './platform/tools.js';

export interface McpOptions {
  db: Database;
  gating: Pick<GateOptions, 'limiter' | 'budgets' | 'counts'>;
  /** Of tokens that admin-auth issued for area C. */
  verifyGateway: (token: string) => Promise<Principal | undefined>;
  egress: Pick<Egress, 'fetch' | 'request'>;
  /** Opens what upstreams are sent. */
  box: SecretBox;
  runtimeUrl: string;
  allowedOrigins: readonly string[];
  /** What area C serves; agents as tools are run as its messages are. */
  routes: readonly Route[];
  admin: AdminTools;
  counts?: Pick<MetricCounts, 'add'> | undefined;
  logger: Pick<Logger, 'error'>;
}

/** The MCP servers of area C: its own, and those that its projects registered. */
export function mcpEndpoints(options: McpOptions): RequestHandler[] {
  const { db, gating, verifyGateway, egress, box, runtimeUrl, allowedOrigins, routes, admin, counts, logger } = options;
  const { limiter, budgets } = gating;
  const verify = createTokenVerifier({
    issuer: runtimeUrl,
    audience: /./,
    findKey: createKeyFinder(db, 'runtime-api'),
  });
  const gate = createGate({
    ...gating,
    authenticate: createMcpAuthenticator({ runtimeUrl, verify, callers: createCallerStore(db), verifyGateway }),
    challenge: createMcpChallenge(runtimeUrl),
  });
  const content = createContentStore(db);
  const messages = budgets.messages ?? { name: 'messages', limit: 60 };
  const ask = createAskAgent(db, routes);
  const tools = createPlatformTools({ db, content, ask, admin, limiter, messages, counts });
  const platform = createPlatform({ tools, skills: createSkillStore(db), content, logger });
  const relayed = createRelay({ db, box, egress, runtimeUrl });
  return [
    mcpEndpoint({
      db,
      gate,
      runtimeUrl,
      allowedOrigins,
      counts,
      targetOf: ({ registered }, name) => (name === PLATFORM ? platform : registered && relayed(registered)),
    }),
  ];
}
