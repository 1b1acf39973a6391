import type { AgentFields } from '../../api/platform-records.js';
import { countText } from '../../ui/figures.js';

/** What an agent may use, in a few words. */
export function usesOf({ skill_ids, mcp_server_ids, plugin_ids, content_tags }: AgentFields): string {
  const counts = [
    [skill_ids.length, 'skill'],
    [mcp_server_ids.length, 'MCP server'],
    [plugin_ids.length, 'plugin'],
    [content_tags.length, 'tag'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, noun]) => countText(count, noun));
  return parts.length === 0 ? '—' : parts.join(', ');
}
