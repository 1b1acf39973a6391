import type { PluginType } from '../../api/platform-records.js';

export const TYPES: Readonly<Record<PluginType, { label: string; text: string }>> = {
  tool: { label: 'Tool', text: 'An HTTPS endpoint that agents call.' },
  data_source: { label: 'Data source', text: 'A JSON document that agents read as knowledge.' },
  integration: { label: 'Integration', text: 'The tools of an MCP server.' },
};
