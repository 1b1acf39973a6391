import type { Agent, AgentFields } from '../../api/platform-records.js';
import { parametersIn, parameterValues, type ParameterValues } from '../../ui/parameter-values.js';
import { linesOf } from '../../ui/tool-list.js';

/** The saved agent that a draft changes. */
export interface SavedAgent {
  /** Path of the record. */
  path: string;
  slug: string;
  version: number;
}

/** The fields of an agent that its form edits. */
export const fieldsOf = ({
  name,
  description,
  instructions,
  model,
  model_parameters,
  skill_ids,
  plugin_ids,
  mcp_server_ids,
  agent_ids,
  mcp_tools,
  ask_tools,
  content_tags,
  status,
  on_unknown,
  published,
}: Agent): AgentFields => ({
  name,
  description,
  instructions,
  model,
  model_parameters,
  skill_ids,
  plugin_ids,
  mcp_server_ids,
  agent_ids,
  mcp_tools,
  ask_tools,
  content_tags,
  status,
  on_unknown,
  published,
});

/** An agent as its form edits it: numbers and patterns are texts. */
export interface AgentValues extends Omit<AgentFields, 'model' | 'model_parameters' | 'mcp_tools' | 'ask_tools'> {
  model: string;
  model_parameters: ParameterValues;
  mcp_tools: string;
  ask_tools: string;
}

export const valuesOf = (agent: AgentFields): AgentValues => ({
  ...agent,
  model: agent.model ?? '',
  model_parameters: parameterValues(agent.model_parameters),
  mcp_tools: agent.mcp_tools.join('\n'),
  ask_tools: agent.ask_tools.join('\n'),
});

export const fieldsIn = ({ model, model_parameters, mcp_tools, ask_tools, ...values }: AgentValues): AgentFields => ({
  ...values,
  name: values.name.trim(),
  model: model.trim() === '' ? null : model.trim(),
  model_parameters: parametersIn(model_parameters),
  mcp_tools: linesOf(mcp_tools),
  ask_tools: linesOf(ask_tools),
});
