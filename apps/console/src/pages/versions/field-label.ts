/** Fields that are called otherwise where they are edited. */
const LABELS: Readonly<Record<string, string>> = {
  skill_ids: 'Skills',
  plugin_ids: 'Plugins',
  mcp_server_ids: 'MCP servers',
  mcp_tools: 'Allowed tools',
  published: 'List publicly',
};

/** What a field of a record is called: `content_tags` is "Content tags", `input.schema` is "Input schema". */
export function fieldLabel(field: string): string {
  const words = field.replace(/^(instruction|metadata)\./, '').replaceAll(/[._]/g, ' ');
  return LABELS[field] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
