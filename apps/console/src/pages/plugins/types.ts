import type { PluginType } from '../../api/platform-records.js';

export const TYPES: Readonly<Record<PluginType, { label: string; text: string }>> = {
  tool: { label: 'Tool', text: 'Agents call an HTTPS endpoint.' },
  data_source: { label: 'Data source', text: 'Agents read a JSON document as knowledge.' },
  integration: { label: 'Integration', text: 'Agents use the tools of an MCP server.' },
};
