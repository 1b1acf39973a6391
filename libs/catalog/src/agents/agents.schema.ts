import { EVERY_TOOL, isToolEntry, MOST_TOOL_ENTRIES } from '@millwright/auth/tool-lists';
import { ModelParameters } from '@millwright/models/parameters';
import { z } from 'zod';
import { Tags } from '../content/content.schema.js';

const Status = z.enum(['active', 'inactive']);
const MODEL_PARAMETERS = "Parameters of its model's calls, in front of the model's own defaults";
const OnUnknown = z.enum(['ask', 'tell', 'fail']);

export const Agent = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  skill_ids: z.array(z.string()),
  plugin_ids: z.array(z.string()),
  content_tags: z.array(z.string()),
  mcp_server_ids: z.array(z.string()),
  agent_ids: z.array(z.string()).meta({ description: 'Agents that it may call as tools' }),
  mcp_tools: z.array(z.string()).meta({
    description:
      'Tools of its MCP servers that it may use: *, server/* or server/tool. The clock and the calculator of this installation are not among *: platform/*, platform/current_time or platform/calculate',
  }),
  ask_tools: z.array(z.string()).meta({
    description:
      "Tools that it calls only after a person's decision, besides those whose rule says so: *, server/*, server/tool, plugins/*, plugins/id, agents/* or agents/id",
  }),
  model: z.string().nullable(),
  model_parameters: ModelParameters.strip().meta({ description: MODEL_PARAMETERS }),
  instructions: z.string(),
  status: Status,
  on_unknown: OnUnknown.meta({
    description:
      "What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails",
  }),
  stopped_at: z
    .string()
    .nullable()
    .meta({ description: 'Time at which an admin stopped the agent; no run of it starts' }),
  published: z.boolean(),
  is_default: z.boolean().meta({ description: 'The installation answers for this one where none is named' }),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Agent = z.output<typeof Agent>;

/** Maximum number of an agent's skills. */
export const MOST_SKILLS = 100;

const SkillIds = z
  .array(z.string().max(100))
  .max(MOST_SKILLS)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name a skill twice');

const PluginIds = z
  .array(z.string().max(100))
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name a plugin twice');

const McpServerIds = z
  .array(z.string().max(100))
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name an MCP server twice');

const AgentIds = z
  .array(z.string().max(100))
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name an agent twice');

const McpTools = z
  .array(z.string().refine(isToolEntry, 'must be *, server/* or server/tool'))
  .max(MOST_TOOL_ENTRIES)
  .refine((tools) => new Set(tools).size === tools.length, 'must not name a tool twice');

const AskTools = z
  .array(
    z.string().refine(isToolEntry, 'must be *, server/*, server/tool, plugins/*, plugins/id, agents/* or agents/id'),
  )
  .max(MOST_TOOL_ENTRIES)
  .refine((tools) => new Set(tools).size === tools.length, 'must not name a tool twice');

/** `null` is the installation's default model. */
const Model = z.string().min(1).max(200).nullable();

const fields = {
  name: z.string().trim().min(1).max(100),
  description: z.string().max(2_000),
  skill_ids: SkillIds,
  plugin_ids: PluginIds,
  content_tags: Tags,
  mcp_server_ids: McpServerIds,
  agent_ids: AgentIds,
  mcp_tools: McpTools,
  ask_tools: AskTools,
  model: Model,
  model_parameters: ModelParameters.meta({ description: MODEL_PARAMETERS }),
  instructions: z.string().max(100_000),
  on_unknown: OnUnknown,
  published: z.boolean(),
};
/**
 * The slug, which is derived from the name at creation. Requests may contain the field, because clients send back
 * fields that they have read; the value is ignored.
 */
const Slug = z
  .string()
  .optional()
  .transform(() => undefined);

export const NewAgent = z.strictObject({
  ...fields,
  skill_ids: SkillIds.default([]),
  plugin_ids: PluginIds.default([]),
  content_tags: Tags.default([]),
  mcp_server_ids: McpServerIds.default([]),
  agent_ids: AgentIds.default([]),
  mcp_tools: McpTools.default([...EVERY_TOOL]),
  ask_tools: AskTools.default([]),
  model: Model.default(null),
  model_parameters: fields.model_parameters.default({}),
  instructions: fields.instructions.default(''),
  on_unknown: OnUnknown.default('ask'),
  /** Whether the card is public. Default: as the installation's setting states. */
  published: fields.published.optional(),
});
export type NewAgent = z.output<typeof NewAgent>;

/** An unsaved agent, for a run that tries it. */
export const AgentDraft = NewAgent.omit({ published: true }).extend({
  name: fields.name.default('Draft'),
  description: fields.description.default(''),
});
export type AgentDraft = z.output<typeof AgentDraft>;

/**
 * A field that another endpoint sets. Requests may contain the field, because clients send back fields that they have
 * read; the value is ignored.
 */
const IsDefault = z
  .boolean()
  .optional()
  .transform(() => undefined);

/**
 * A field that the runtime API sets. Requests may contain the field, because clients send back fields that they have
 * read; the value is ignored.
 */
const StoppedAt = z
  .string()
  .nullable()
  .optional()
  .transform(() => undefined);

export const AgentReplacement = z.strictObject({
  ...NewAgent.shape,
  status: Status.default('active'),
  slug: Slug,
  is_default: IsDefault,
  stopped_at: StoppedAt,
});
export type AgentReplacement = z.output<typeof AgentReplacement>;
export const AgentChanges = z
  .strictObject({ ...fields, status: Status })
  .partial()
  .extend({ slug: Slug, is_default: IsDefault, stopped_at: StoppedAt });
export type AgentChanges = z.output<typeof AgentChanges>;

/**
 * The fields that a stored version contains: those that requests may set. A version that is older than a field does not
 * contain the field.
 */
export const AgentState = Agent.omit({
  id: true,
  slug: true,
  is_default: true,
  stopped_at: true,
  created_at: true,
  updated_at: true,
}).partial();
