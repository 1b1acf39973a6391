import { createAgentRules, openPluginConfig, type AgentRules } from '@millwright/catalog';
import type { SigningKey } from '@millwright/auth/signing-keys';
import type { UnmarkedTools } from '@millwright/auth/tool-rules';
import type { SecretBox } from '@millwright/secrets';
import type { Database, MetricCounts } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import { createAskFilter, type AskFilter } from '@millwright/guards';
import { whoAmIRoute, type Route } from '@millwright/http';
import { createWork, type Logger, type Work } from '@millwright/http/process';
import type { McpServers } from '@millwright/mcp';
import type { AgentTokenIssuer } from '@millwright/mcp/agent-tokens';
import type { ModelRegistry, ProjectModels } from '@millwright/models';
import type { Spending } from '@millwright/budgets';
import type { RateLimiter } from '@millwright/rate-limit';
import type { SchemaValidator } from '@millwright/schemas';
import { cardRoutes } from './a2a/cards.routes.js';
import { createCardStore } from './a2a/cards.store.js';
import { createPushSender, type PushSender } from './a2a/push-sender.js';
import { createCardSigner } from './a2a/sign-card.js';
import { createAgentStop } from './agents/stop-agent.js';
import { agentRoutes } from './agents/agents.routes.js';
import { analyticsRoutes } from './analytics/analytics.routes.js';
import { createAnalyticsStore } from './analytics/analytics.store.js';
import { connectionRoutes } from './connections/connections.routes.js';
import { createConnectionStore } from './connections/connections.store.js';
import { contentRoutes } from './content/content.routes.js';
import { createContentStore } from './content/content.store.js';
import { draftRoutes } from './drafts/drafts.routes.js';
import { createDraftStore } from './drafts/drafts.store.js';
import { fileRoutes, type FileService } from './files/files.routes.js';
import { createFileStore } from './files/files.store.js';
import { createIndexer, type Indexer } from './knowledge/indexer.js';
import { createVectorSupport } from '@millwright/catalog/knowledge-search';
import { createEmbedTexts } from './knowledge/vectors/embed-texts.js';
import { createEmbedder, type Embedder } from './knowledge/vectors/embedder.js';
import { createSearchVectors, type FindSearchVector } from './knowledge/vectors/search-vectors.js';
import type { ExtractionBudget } from '@millwright/documents';
import { knowledgeRoutes } from './knowledge/knowledge.routes.js';
import { createKnowledgeStore } from './knowledge/knowledge.store.js';
import { knowledgeSourceRoutes } from './knowledge-sources/knowledge-sources.routes.js';
import { createKnowledgeSourceStore } from './knowledge-sources/knowledge-sources.store.js';
import { createSourceFetcher, type SourceFetcher } from './knowledge-sources/source-fetcher.js';
import { healthRoutes } from './health/health.routes.js';
import { createAdminTools, type AdminTools } from './mcp/builtin/admin-tools.js';
import { createToolList } from './mcp/builtin/tools.js';
import { mcpRegistryRoutes } from './registries/mcp-registry.routes.js';
import { serverRegistryRoutes } from './registries/server-registry.routes.js';
import { contextRoutes } from './conversations/contexts.routes.js';
import { conversationRoutes } from './conversations/conversations.routes.js';
import { createContextImages } from './conversations/context-images.store.js';
import { createImageReader } from './conversations/model-images.js';
import { createConversationStore } from './conversations/conversations.store.js';
import { createContextStore, type ContextStore } from './conversations/contexts.store.js';
import { messageRoutes } from './messages/messages.routes.js';
import { runRoutes } from './runs/runs.routes.js';
import { createRunQueries } from './runs/runs.queries.store.js';
import { createAgentLoop } from './runs/agent-loop.js';
import type { RunSignals } from '@millwright/runs';
import type { RunLimits } from './runs/run-worker.js';
import { createApprovalGate } from './runs/approvals/approval-gate.js';
import { createApprovalQueries } from './runs/approvals/approvals.queries.store.js';
import { approvalRoutes } from './runs/approvals/approvals.routes.js';
import { createApprovalStore } from '@millwright/runs/approvals';
import { createApprovalService, type ApprovalService } from './runs/approvals/decide-approval.js';
import { createRunService, type RunService } from './runs/runs.service.js';
import { createToolsets } from './tools/agent-toolset.js';
import { createTriggerRunner, type TriggerRunner } from './triggers/trigger-runner.js';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';

export interface ServiceDeps {
  db: Database;
  models: ProjectModels & Pick<ModelRegistry, 'requireModel'>;
  spending: Spending;
  egress: Pick<Egress, 'fetch' | 'request' | 'checkReachable' | 'checkUrl'>;
  validator: SchemaValidator;
  servers: McpServers;
  /** Signs the tokens that MCP servers and tools get with a call. */
  agentTokenIssuer: AgentTokenIssuer;
  secretBox: SecretBox;
  runtimeUrl: string;
  /** Returns the key that currently signs agents' cards. */
  signingKey: SigningKey | (() => SigningKey);
  toolTimeoutMs: number;
  unmarkedTools: UnmarkedTools;
  /** Time limit in hours, both for a decision about a tool call and for connecting an account for a call. */
  approvalHours: number;
  /** Address of the console. */
  baseUrl: string;
  publishedByDefault: boolean;
  files: FileService;
  limiter: RateLimiter;
  /** Limits for reading the text of a document that is used as knowledge. */
  extraction?: ExtractionBudget | undefined;
  /** Reports runs that other processes have changed. */
  signals: Pick<RunSignals, 'watch' | 'watchQueue'>;
  runLimits: RunLimits;
  /** Aborts when the process stops. */
  draining?: AbortSignal | undefined;
  logger: Logger;
  work?: Work | undefined;
  counts?: Pick<MetricCounts, 'add'> | undefined;
}

/** Services that the resource endpoints and the protocol endpoints share. */
export interface Services {
  /** Calls external guards. */
  askFilter: AskFilter;
  contexts: ContextStore;
  runService: RunService;
  triggerRunner: TriggerRunner;
  pushSender: PushSender;
  indexer: Indexer;
  embedder: Embedder;
  findSearchVector: FindSearchVector;
  sourceFetcher: SourceFetcher;
  approvals: ApprovalService;
  agentRules: AgentRules;
  /** Administration tools of the built-in MCP server. */
  admin: AdminTools;
}

export function createServices({ models, egress, secretBox, publishedByDefault, ...deps }: ServiceDeps): Services {
  const { db, logger, work = createWork() } = deps;
  const contexts = createContextStore(db);
  const askFilter = createAskFilter({
    ...{ fetch: egress.fetch, limiter: deps.limiter },
    openConfig: (filter) => openPluginConfig(secretBox, filter),
  });
  const store = createApprovalStore(db, { hours: deps.approvalHours, baseUrl: deps.baseUrl });
  const findSupport = createVectorSupport(db);
  const embedTexts = createEmbedTexts({ db, models, spending: deps.spending });
  const findSearchVector = createSearchVectors({ db, findSupport, embedTexts, logger });
  const openToolset = createToolsets({ ...deps, askFilter, findSearchVector, fetch: egress.fetch, secrets: secretBox });
  const agentRules = createAgentRules({ requireModel: models.requireModel, publishedByDefault });
  const openImages = createImageReader(createContextImages(db));
  const loop = createAgentLoop(models, openToolset, createApprovalGate(store), openImages);
  const runService = createRunService({ ...deps, askFilter, models, contexts, loop, limits: deps.runLimits });
  return {
    askFilter,
    contexts,
    runService,
    triggerRunner: createTriggerRunner({ db, runService, logger }),
    indexer: createIndexer({ db, storage: deps.files.storage, logger, extraction: deps.extraction }),
    embedder: createEmbedder({ db, findSupport, embedTexts, logger }),
    findSearchVector,
    sourceFetcher: createSourceFetcher({ db, request: egress.request, logger, extraction: deps.extraction }),
    pushSender: createPushSender({ db, request: egress.request, secretBox, logger, work }),
    approvals: createApprovalService({
      ...deps,
      ...runService.parts,
      store,
      transaction: (work) => db.transaction(work),
    }),
    agentRules,
    admin: createAdminTools(db, agentRules),
  };
}

/** Every resource endpoint of the runtime API. */
export function createRoutes(deps: ServiceDeps & Services): Route[] {
  const {
    db,
    models,
    egress,
    secretBox,
    runtimeUrl,
    signingKey,
    files,
    counts,
    contexts,
    runService,
    admin,
    approvals,
  } = deps;
  const queries = createRunQueries(db);
  const approvalQueries = createApprovalQueries(db);
  const start = { service: runService, queries };
  return [
    ...healthRoutes(db),
    ...cardRoutes(createCardStore(db, models), createCardSigner(signingKey, runtimeUrl)),
    ...agentRoutes(db, models, runtimeUrl, createAgentStop({ ...deps, service: runService })),
    ...messageRoutes(db, { ...start, approvals: approvalQueries }),
    ...contextRoutes(db, contexts),
    ...conversationRoutes(createConversationStore(db, contexts), createContextImages(db)),
    ...runRoutes(db, queries, runService, deps.draining),
    ...draftRoutes(db, createDraftStore(db), deps.agentRules, start),
    ...approvalRoutes(approvalQueries, approvals),
    ...userRoutes(createUserStore(db)),
    whoAmIRoute(),
    ...contentRoutes(createContentStore(db), counts),
    ...mcpRegistryRoutes(db, createToolList(db, admin), runtimeUrl),
    ...serverRegistryRoutes(db, runtimeUrl),
    ...connectionRoutes({ connections: createConnectionStore(db, secretBox), fetch: egress.fetch, runtimeUrl }),
    ...fileRoutes(createFileStore(db), files),
    ...knowledgeRoutes(db, createKnowledgeStore(db)),
    ...knowledgeSourceRoutes(createKnowledgeSourceStore(db, egress)),
    ...analyticsRoutes(createAnalyticsStore(db), () => new Date()),
  ];
}
