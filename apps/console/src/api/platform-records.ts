import type { PlatformAnswers } from './answers/platform.js';

export type Skill = PlatformAnswers['getSkill'];
export type Agent = PlatformAnswers['getAgent'];
export type McpServer = PlatformAnswers['getMcpServer'];
export type McpTool = PlatformAnswers['approveTool'];
export type Plugin = PlatformAnswers['getPlugin'];
export type ContentItem = PlatformAnswers['getContent'];
export type Webhook = PlatformAnswers['getWebhook'];
/** A webhook with its secret. */
export type NewWebhook = PlatformAnswers['createWebhook'];
export type DeliveryPage = PlatformAnswers['listWebhookDeliveries'];
export type Delivery = DeliveryPage['items'][number];
export type DeliveryWithData = PlatformAnswers['getWebhookDelivery'];
export type Trigger = PlatformAnswers['getTrigger'];
/** A trigger, with its secret if it is a webhook trigger. */
export type NewTrigger = PlatformAnswers['createTrigger'];
export type FiringPage = PlatformAnswers['listTriggerFirings'];
export type Firing = FiringPage['items'][number];
export type Budget = PlatformAnswers['getBudget'];
/** A possible subject of a budget. */
export type BudgetSubject = PlatformAnswers['listBudgetSubjects']['items'][number];
export type Model = PlatformAnswers['getModel'];
export type ModelPreset = PlatformAnswers['listModelPresets']['items'][number];
export type ModelTestResult = PlatformAnswers['testModel'];
export type ModelPrices = PlatformAnswers['listModelPrices'];
export type ModelPrice = ModelPrices['items'][number];
export type QuarantinedTool = PlatformAnswers['listQuarantinedTools']['items'][number];

/** The rule of an MCP server's tool. */
export type McpToolRule = PlatformAnswers['listToolRules']['items'][number];
export type PluginRule = PlatformAnswers['getPluginRule'];
/** The policy for a project's tools without a rule. */
export type ToolPolicy = PlatformAnswers['getToolPolicy'];

/** The settings and the state of the knowledge search of a project. */
export type KnowledgeSearch = PlatformAnswers['getKnowledgeSearch'];

/** Guard rules for secrets and personal data in the runs of a project. */
export type GuardPolicy = PlatformAnswers['getGuards'];

/** Fields that the server sets. */
type Stored = 'id' | 'created_at' | 'updated_at';

export type SkillFields = Omit<Skill, Stored>;
export type SkillParameter = Skill['parameters'][string];
export type ParameterType = SkillParameter['type'];
export type ParameterValue = NonNullable<SkillParameter['default']>;

/** The fields of an agent that a request sets. A null `model` means the default model. `mcp_tools` contains `*`, `server/*` or `server/tool`. */
export type AgentFields = Omit<Agent, Stored | 'slug' | 'is_default' | 'stopped_at'>;

type Versions = PlatformAnswers['getSkillVersion'] | PlatformAnswers['getAgentVersion'];
/** A version of a skill or an agent. `state` has the fields of the record in that version. */
export type Version<State> = Omit<Versions, 'state'> & { state: State };

export type McpAuth = McpServer['auth'];
export type ToolDefinition = NonNullable<QuarantinedTool['current']>;
export type PluginType = Plugin['type'];

/** Text that answers contain in place of a secret. A request that contains this text leaves the stored secret unchanged. */
export const KEPT = '********';
