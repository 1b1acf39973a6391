/** Labels of fields whose name alone does not explain them. */
const LABELS: Readonly<Record<string, string>> = {
  'instruction.static': 'System',
  'instruction.state': 'Context',
  'instruction.dynamic': 'User message',
  prefix: 'Name',
  skill_ids: 'Skills',
  plugin_ids: 'Plugins',
  mcp_server_ids: 'MCP servers',
  agent_ids: 'Other agents',
  mcp_tools: 'Allowed tools',
  ask_tools: 'Tools to approve',
  on_unknown: 'Unknown outcomes',
  published: 'List publicly',
};

/** Returns the label of a record's field: "Content tags" for `content_tags`, "Input schema" for `input.schema`. */
export function fieldLabel(field: string): string {
  const words = field.replace(/^(instruction|metadata)\./, '').replaceAll(/[._]/g, ' ');
  return LABELS[field] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
