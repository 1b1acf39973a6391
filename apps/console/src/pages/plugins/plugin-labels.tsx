import { Badge, Tooltip } from '@mantine/core';
import type { Plugin, PluginType } from '../../api/platform-records.js';
import { exactTime } from '../../ui/time.js';

/** The result of the plugin's last health check. */
export function Reachable({ plugin: { reachable, last_checked_at, last_error } }: { plugin: Plugin }) {
  if (reachable === null) return 'Not checked';
  const at = last_checked_at === null ? '' : `Checked ${exactTime(last_checked_at)}`;
  return (
    <Tooltip label={[last_error, at].filter(Boolean).join(' · ')} disabled={at === ''}>
      <Badge color={reachable ? 'mill' : 'red'}>{reachable ? 'Reachable' : 'Unreachable'}</Badge>
    </Tooltip>
  );
}

export const TYPES: Readonly<Record<PluginType, { label: string; text: string }>> = {
  tool: { label: 'Tool', text: 'An HTTPS endpoint that agents call.' },
  filter: {
    label: 'External guard',
    text: 'A service that allows, redacts or blocks texts of runs. Set where under Guards.',
  },
  data_source: { label: 'Data source', text: 'A JSON document that agents read as knowledge.' },
  integration: {
    label: 'Integration',
    text: 'The tools of an MCP server, as one plugin. For tools with approval, rules and OAuth, add it under MCP servers.',
  },
};
