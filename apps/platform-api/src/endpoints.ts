import type { UnmarkedTools } from '@millwright/auth/tool-rules';
import type { AgentRules } from '@millwright/catalog';
import type { SecretBox } from '@millwright/secrets';
import type { Database } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import { whoAmIRoute, type Route } from '@millwright/http';
import type { ModelDefinition, ModelHealth } from '@millwright/models';
import type { SchemaValidator } from '@millwright/schemas';
import { agentRoutes } from './agents/agents.routes.js';
import { createAgentStore } from './agents/agents.store.js';
import { budgetRoutes } from './budgets/budgets.routes.js';
import { createBudgetStore } from './budgets/budgets.store.js';
import { clientRoutes } from './clients/clients.routes.js';
import { changeRoutes } from './changes/changes.routes.js';
import { contentRoutes } from './content/content.routes.js';
import { createContentStore } from './content/content.store.js';
import { guardRoutes } from './guards/guards.routes.js';
import { createGuardStore } from './guards/guards.store.js';
import { createVectorSupport } from '@millwright/catalog/knowledge-search';
import { knowledgeSearchRoutes } from './knowledge-search/knowledge-search.routes.js';
import { createKnowledgeSearchStore } from './knowledge-search/knowledge-search.store.js';
import { keyRoutes } from './keys/keys.routes.js';
import { mcpRegistryRoutes } from './mcp-registry/mcp-registry.routes.js';
import { mcpServerRoutes } from './mcp-servers/mcp-servers.routes.js';
import { createMcpServerService } from './mcp-servers/mcp-servers.service.js';
import { createMcpServerStore } from './mcp-servers/mcp-servers.store.js';
import { createMcpToolStore } from './mcp-servers/mcp-tools.store.js';
import type { McpProbes } from './mcp-servers/probes.js';
import { modelPriceRoutes } from './model-prices/model-prices.routes.js';
import { createModelPriceStore } from './model-prices/model-prices.store.js';
import { modelRoutes } from './models/models.routes.js';
import { createModelService } from './models/models.service.js';
import { createModelStore } from './models/models.store.js';
import { pluginRoutes } from './plugins/plugins.routes.js';
import { createPluginService } from './plugins/plugins.service.js';
import { createPluginStore } from './plugins/plugins.store.js';
import { createReachabilityCheck } from './plugins/reachability.js';
import { skillRoutes } from './skills/skills.routes.js';
import { createSkillStore } from './skills/skills.store.js';
import { toolRuleRoutes } from './tool-rules/tool-rules.routes.js';
import { createToolRuleStore } from './tool-rules/tool-rules.store.js';
import { createFiringStore } from './triggers/firings.store.js';
import { triggerRoutes } from './triggers/triggers.routes.js';
import { createTriggerService } from './triggers/triggers.service.js';
import { createTriggerStore } from './triggers/triggers.store.js';
import { versionRoutes } from './versions/versions.routes.js';
import { createVersionStore } from './versions/versions.store.js';
import { createDeliveryStore } from './webhooks/deliveries.store.js';
import { webhookRoutes } from './webhooks/webhooks.routes.js';
import { createWebhookService } from './webhooks/webhooks.service.js';
import { createWebhookStore } from './webhooks/webhooks.store.js';

export interface RouteDeps {
  db: Database;
  agentRules: AgentRules;
  egress: Pick<Egress, 'fetch' | 'trusted' | 'checkReachable' | 'checkUrl'>;
  validator: SchemaValidator;
  /** Encrypts the stored secrets of plugins, MCP servers, webhooks, triggers and models, and the API keys and client secrets in stored answers. */
  secretBox: SecretBox;
  probes: McpProbes;
  /** Base address of the MCP registry that servers are chosen from. */
  mcpRegistryUrl?: string | undefined;
  /** The rule for tools that no admin has marked, in projects without a policy. */
  unmarkedTools: UnmarkedTools;
  /** The models that the environment variables MODEL_* and the file MODELS_FILE define. */
  models: readonly ModelDefinition[];
  /** Time limit of a call of a project's model. */
  modelTimeoutMs: number;
  modelHealth: ModelHealth;
}

/** Creates every endpoint of the platform API. */
export function createRoutes({
  db,
  agentRules,
  egress,
  validator,
  secretBox,
  probes,
  mcpRegistryUrl,
  unmarkedTools,
  models: environment,
  modelTimeoutMs: timeoutMs,
  modelHealth: health,
}: RouteDeps): Route[] {
  const skills = createSkillStore(db);
  const agents = createAgentStore(db);
  const plugins = createPluginStore(db);
  const reachability = createReachabilityCheck(egress.fetch);
  const servers = createMcpServerStore(db);
  const serverService = createMcpServerService({ db, servers, egress, secretBox });
  const content = createContentStore(db);
  const webhooks = createWebhookStore(db);
  const triggers = createTriggerStore(db);
  const prices = createModelPriceStore(db, environment);
  const models = createModelStore(db);
  const findVectorSupport = createVectorSupport(db);
  const knowledgeSearch = createKnowledgeSearchStore(db, findVectorSupport, environment);
  return [
    ...skillRoutes(skills),
    ...agentRoutes(db, agents, agentRules, skills),
    ...versionRoutes(db, createVersionStore(db), skills, agentRules),
    ...pluginRoutes(plugins, createPluginService({ db, plugins, secretBox, validator, reachability })),
    ...contentRoutes(content),
    ...knowledgeSearchRoutes(knowledgeSearch, findVectorSupport),
    ...mcpServerRoutes(servers, createMcpToolStore(db), serverService, probes),
    ...changeRoutes({ db, skills, content, servers, serverService, probes, agents, agentRules }),
    ...mcpRegistryRoutes(egress.fetch, mcpRegistryUrl),
    ...toolRuleRoutes(createToolRuleStore(db, unmarkedTools)),
    ...guardRoutes(createGuardStore(db)),
    ...webhookRoutes(webhooks, createDeliveryStore(db), createWebhookService({ webhooks, egress, secretBox })),
    ...triggerRoutes(triggers, createFiringStore(db), createTriggerService({ triggers, secretBox })),
    ...budgetRoutes(createBudgetStore(db)),
    ...modelPriceRoutes(prices),
    ...keyRoutes(db, secretBox),
    ...clientRoutes(db, secretBox),
    whoAmIRoute(),
    ...modelRoutes(createModelService({ db, models, prices, environment, egress, secretBox, timeoutMs, health })),
  ];
}
