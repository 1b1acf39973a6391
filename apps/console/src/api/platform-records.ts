import type { PlatformAnswers } from './answers/platform.js';

export type Skill = PlatformAnswers['getSkill'];
export type Agent = PlatformAnswers['getAgent'];
export type McpServer = PlatformAnswers['getMcpServer'];
export type McpTool = PlatformAnswers['approveTool'];
export type Plugin = PlatformAnswers['getPlugin'];
export type ContentItem = PlatformAnswers['getContent'];
export type Webhook = PlatformAnswers['getWebhook'];
/** With its secret. */
export type NewWebhook = PlatformAnswers['createWebhook'];
export type DeliveryPage = PlatformAnswers['listWebhookDeliveries'];
export type Delivery = DeliveryPage['items'][number];
export type DeliveryWithData = PlatformAnswers['getWebhookDelivery'];
export type Trigger = PlatformAnswers['getTrigger'];
/** With the secret of a webhook trigger. */
export type NewTrigger = PlatformAnswers['createTrigger'];
export type FiringPage = PlatformAnswers['listTriggerFirings'];
export type Firing = FiringPage['items'][number];
export type Budget = PlatformAnswers['getBudget'];
/** What a budget may be of. */
export type BudgetSubject = PlatformAnswers['listBudgetSubjects']['items'][number];
export type ModelPrices = PlatformAnswers['listModelPrices'];
export type ModelPrice = ModelPrices['items'][number];
export type QuarantinedTool = PlatformAnswers['listQuarantinedTools']['items'][number];

/** The rule of an MCP server's tool. */
export type McpToolRule = PlatformAnswers['listToolRules']['items'][number];
export type PluginRule = PlatformAnswers['getPluginRule'];
/** What holds for tools of a project without a rule of their own. */
export type ToolPolicy = PlatformAnswers['getToolPolicy'];

/** What is done with secrets and personal data in runs of a project. */
export type GuardPolicy = PlatformAnswers['getGuards'];

/** Fields that the server adds. */
type Stored = 'id' | 'created_at' | 'updated_at';

export type SkillFields = Omit<Skill, Stored>;
export type SkillParameter = Skill['parameters'][string];
export type ParameterType = SkillParameter['type'];
export type ParameterValue = NonNullable<SkillParameter['default']>;

/** `model` null: the installation's default. `mcp_tools`: `*`, `server/*` or `server/tool`. */
export type AgentFields = Omit<Agent, Stored | 'slug' | 'is_default' | 'stopped_at'>;

type Versions = PlatformAnswers['getSkillVersion'] | PlatformAnswers['getAgentVersion'];
/** A version of a skill or an agent. */
export type Version<State> = Omit<Versions, 'state'> & { state: State };

export type McpAuth = McpServer['auth'];
export type ToolDefinition = NonNullable<QuarantinedTool['current']>;
export type PluginType = Plugin['type'];

/** Stands for a secret in answers. Sent back, it keeps the secret. */
export const KEPT = '********';
