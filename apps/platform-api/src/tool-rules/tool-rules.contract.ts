import { TOOL_RULES, UNMARKED_TOOLS } from '@millwright/auth/tool-rules';
import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** Maximum number of rules that one request can set. */
export const MOST_RULES = 100;

const Rule = z.enum(TOOL_RULES);
const Unmarked = z.enum(UNMARKED_TOOLS);

/** The policy for the tools of a project that no admin has marked with a rule. */
export const ToolPolicy = z.object({
  unmarked_tools: Unmarked.meta({
    description: '`ask_when_tainted`: a decision is needed in runs that have read text of others',
  }),
  other_decider: z.boolean().meta({ description: 'Whether another user than the requester has to decide' }),
  is_default: z.boolean().meta({ description: "Whether it is the installation's setting" }),
  updated_at: z.string().nullable(),
});
export type ToolPolicy = z.output<typeof ToolPolicy>;

export const NewToolPolicy = z.strictObject({ unmarked_tools: Unmarked, other_decider: z.boolean().default(false) });
export type NewToolPolicy = z.output<typeof NewToolPolicy>;

const Repeatable = z.boolean().meta({
  description:
    'Whether an admin has said that a call may be repeated when its outcome is unknown, for the present definition',
});
/** Optional; when omitted, the mark is unchanged. */
const NewRepeatable = z
  .boolean()
  .optional()
  .meta({ description: 'A call may be repeated when its outcome is unknown; left out, the mark stays as it is' });

const marked = {
  repeatable: Repeatable,
  rule: Rule.nullable().meta({ description: 'The mark of an admin; null: none' }),
  is_current: z.boolean().meta({ description: 'Whether the definition is the one that was marked' }),
  other_decider: z.boolean().meta({ description: 'Whether another user than the requester has to decide' }),
  effective: Rule.meta({ description: 'The rule in runs that have read no text of others' }),
};

export const McpToolRule = z.object({
  name: z.string(),
  hash: z.string().meta({ description: 'Identifies the approved definition' }),
  ...marked,
  suggested: Rule.meta({ description: '`allow` where the server says that the tool only reads' }),
});
export type McpToolRule = z.output<typeof McpToolRule>;

export const PluginRule = z.object(marked);
export type PluginRule = z.output<typeof PluginRule>;

const NewMcpToolRule = z.strictObject({
  name: z.string().min(1).max(128),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  rule: Rule.nullable(),
  other_decider: z.boolean().default(false),
  repeatable: NewRepeatable,
});
export const NewMcpToolRules = z.strictObject({
  rules: z
    .array(NewMcpToolRule)
    .min(1)
    .max(MOST_RULES)
    .refine((rules) => new Set(rules.map(({ name }) => name)).size === rules.length, 'must not name a tool twice'),
});
export type NewMcpToolRules = z.output<typeof NewMcpToolRules>;

export const AgentRule = z.object(marked).omit({ repeatable: true });
export type AgentRule = z.output<typeof AgentRule>;

export const NewPluginRule = z.strictObject({
  rule: Rule.nullable(),
  other_decider: z.boolean().default(false),
  repeatable: NewRepeatable,
});
export type NewPluginRule = z.output<typeof NewPluginRule>;

export const NewAgentRule = NewPluginRule.omit({ repeatable: true });
export type NewAgentRule = z.output<typeof NewAgentRule>;

const policy = { status: 200, description: 'The policy of the project', body: ToolPolicy } as const;
const toolRules = {
  status: 200,
  description: 'The rules of all approved tools, 500 at most',
  body: z.object({ items: z.array(McpToolRule) }),
} as const;
const pluginRule = { status: 200, description: 'The rule of the plugin', body: PluginRule } as const;
const agentRule = { status: 200, description: 'The rule of the agent', body: AgentRule } as const;
const ofAgent = z.object({ agent_id: z.string() });
const ofServer = z.object({ server_id: z.string() });
const ofPlugin = z.object({ plugin_id: z.string() });

const rules = { tag: 'Tool rules', limit: 'credential' } as const;

export const getToolPolicy = endpoint({
  ...rules,
  operationId: 'getToolPolicy',
  method: 'GET',
  path: '/api/v1/tool-policy',
  summary: 'Retrieve what holds for tools without a rule of their own',
  access: { scope: 'mcp:read' },
  success: policy,
  errors: [],
});

export const putToolPolicy = endpoint({
  ...rules,
  operationId: 'putToolPolicy',
  method: 'PUT',
  path: '/api/v1/tool-policy',
  summary: 'Set what holds for tools without a rule of their own',
  access: { scope: 'admin' },
  action: 'tool_policy.update',
  body: NewToolPolicy,
  success: policy,
  errors: [],
});

export const listToolRules = endpoint({
  ...rules,
  operationId: 'listToolRules',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}/tools/rules',
  summary: 'List the rules of the approved tools of an MCP server',
  access: { scope: 'mcp:read' },
  params: ofServer,
  success: toolRules,
  errors: [],
});

export const putToolRules = endpoint({
  ...rules,
  operationId: 'putToolRules',
  method: 'PUT',
  path: '/api/v1/mcp/servers/{server_id}/tools/rules',
  summary: 'Set the rules of tools of an MCP server, each for the definition with this hash. Other tools keep theirs.',
  access: { scope: 'admin' },
  action: 'mcp_server.set_tool_rules',
  params: ofServer,
  body: NewMcpToolRules,
  success: toolRules,
  errors: ['precondition_failed'],
});

export const getPluginRule = endpoint({
  ...rules,
  operationId: 'getPluginRule',
  method: 'GET',
  path: '/api/v1/plugins/{plugin_id}/rule',
  summary: 'Retrieve the rule of a plugin',
  access: { scope: 'plugins:read' },
  params: ofPlugin,
  success: pluginRule,
  errors: [],
});

export const putPluginRule = endpoint({
  ...rules,
  operationId: 'putPluginRule',
  method: 'PUT',
  path: '/api/v1/plugins/{plugin_id}/rule',
  summary: 'Set the rule of a plugin in its present version',
  access: { scope: 'admin' },
  action: 'plugin.set_rule',
  params: ofPlugin,
  body: NewPluginRule,
  success: pluginRule,
  errors: ['precondition_failed'],
});

export const getAgentRule = endpoint({
  ...rules,
  operationId: 'getAgentRule',
  method: 'GET',
  path: '/api/v1/agents/{agent_id}/rule',
  summary: 'Retrieve the rule of calls of an agent by other agents',
  access: { scope: 'agents:read' },
  params: ofAgent,
  success: agentRule,
  errors: [],
});

export const putAgentRule = endpoint({
  ...rules,
  operationId: 'putAgentRule',
  method: 'PUT',
  path: '/api/v1/agents/{agent_id}/rule',
  summary: 'Set the rule of calls of an agent by other agents, for its present version',
  access: { scope: 'admin' },
  action: 'agent.set_rule',
  params: ofAgent,
  body: NewAgentRule,
  success: agentRule,
  errors: ['precondition_failed'],
});
