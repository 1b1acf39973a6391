import type { SigningKey } from '@millwright/auth';
import type { SecretBox } from '@millwright/catalog';
import type { Database, MetricCounts } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import type { Route } from '@millwright/http';
import type { Models } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { cardRoutes } from './a2a/cards.routes.js';
import { createCardStore } from './a2a/cards.store.js';
import { createCardSigner } from './a2a/sign-card.js';
import { agentRoutes } from './agents/agents.routes.js';
import { analyticsRoutes } from './analytics/analytics.routes.js';
import { createAnalyticsStore } from './analytics/analytics.store.js';
import { connectionRoutes } from './connections/connections.routes.js';
import { createConnectionStore } from './connections/connections.store.js';
import { contentRoutes } from './content/content.routes.js';
import { createContentStore } from './content/content.store.js';
import { fileRoutes, type FileService } from './files/files.routes.js';
import { createFileStore } from './files/files.store.js';
import { healthRoutes } from './health/health.routes.js';
import type { AdminTools } from './mcp/platform/admin-tools.js';
import { createToolList } from './mcp/platform/tools.js';
import { mcpRegistryRoutes } from './mcp/registry.routes.js';
import { createMcpServerStore } from './mcp/servers.store.js';
import { contextRoutes } from './messages/contexts.routes.js';
import { createContextStore, type ContextStore } from './messages/contexts.store.js';
import { messageRoutes } from './messages/messages.routes.js';
import { createRunService, type RunService } from './messages/run.service.js';
import { createWorkplace } from './tools/workplace.js';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';

export interface RouteDeps {
  db: Database;
  models: Models;
  egress: Pick<Egress, 'fetch'>;
  validator: SchemaValidator;
  box: SecretBox;
  runtimeUrl: string;
  /** What agents' cards are signed with now. */
  signingKey: SigningKey | (() => SigningKey);
  toolTimeoutMs: number;
  files: FileService;
  contexts: ContextStore;
  runs: RunService;
  /** Of the built-in MCP server. */
  admin: AdminTools;
  counts?: Pick<MetricCounts, 'add'> | undefined;
}

/** What runs agents, however they are asked. */
export function createRuns({ models, egress, ...deps }: Omit<RouteDeps, 'contexts' | 'runs' | 'admin'>) {
  const contexts = createContextStore(deps.db);
  const runs = createRunService(models, contexts, createWorkplace({ ...deps, fetch: egress.fetch }));
  return { contexts, runs };
}

/** Every resource endpoint that area C serves. */
export function createRoutes({
  db,
  models,
  egress,
  box,
  runtimeUrl,
  signingKey,
  files,
  counts,
  contexts,
  runs,
  admin,
}: RouteDeps): Route[] {
  return [
    ...healthRoutes(db),
    ...cardRoutes(createCardStore(db), createCardSigner(signingKey, runtimeUrl), runtimeUrl),
    ...agentRoutes(db, models, runtimeUrl),
    ...messageRoutes(db, contexts, models, runs),
    ...contextRoutes(db, contexts),
    ...userRoutes(createUserStore(db)),
    ...contentRoutes(createContentStore(db), counts),
    ...mcpRegistryRoutes(createMcpServerStore(db), createToolList(db, admin), runtimeUrl),
    ...connectionRoutes({ connections: createConnectionStore(db, box), fetch: egress.fetch, runtimeUrl }),
    ...fileRoutes(createFileStore(db), files),
    ...analyticsRoutes(createAnalyticsStore(db), () => new Date()),
  ];
}
