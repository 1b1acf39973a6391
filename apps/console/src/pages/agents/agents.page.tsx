import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Agent, AgentFields } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { countText } from '../../ui/figures.js';
import { AgentAvatar } from '../../ui/agent-avatar.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { ChatButton } from '../talk/chat-button.js';
import { usageColumns } from '../usage/usage-columns.js';
import { useRecentUsage } from '../usage/use-recent-usage.js';

/** Counts the records that an agent may use, by kind: "2 skills, 1 plugin". */
function usesOf({ skill_ids, mcp_server_ids, plugin_ids, agent_ids, content_tags }: AgentFields): string {
  const counts = [
    [skill_ids.length, 'skill'],
    [mcp_server_ids.length, 'MCP server'],
    [plugin_ids.length, 'plugin'],
    [agent_ids.length, 'agent'],
    [content_tags.length, 'tag'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, noun]) => countText(count, noun));
  return parts.length === 0 ? '—' : parts.join(', ');
}

const COLUMNS: Column<Agent>[] = [
  {
    title: 'Agent',
    sort: 'name',
    render: ({ name, description, is_default }) => (
      <NamedCell
        name={name}
        text={description}
        badges={is_default && <Badge>Default</Badge>}
        picture={<AgentAvatar name={name} />}
      />
    ),
  },
  { title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Model', render: ({ model }) => <bdi>{model ?? 'Default'}</bdi> },
  { title: 'Uses', render: (agent) => usesOf(agent) },
  { title: 'Updated', sort: 'updated_at', render: ({ updated_at }) => <Time at={updated_at} /> },
];

const ACTIONS: Column<Agent> = {
  title: 'Actions',
  isActions: true,
  render: ({ name, slug, status }) => status === 'active' && <ChatButton name={name} slug={slug} />,
};

const newAgent = (
  <Button component={Link} to="/build/agents/new" leftSection={<IconPlus size={16} />}>
    New agent
  </Button>
);

function AgentsPage() {
  const usage = useRecentUsage('agent');
  return (
    <RecordList
      title="Agents"
      text="AI agents with their own model, instructions, skills, tools and knowledge."
      noun="agent"
      path="/api/v1/agents"
      columns={[...COLUMNS, ...usageColumns<Agent>(usage), ACTIONS]}
      to="/build/agents"
      actions={newAgent}
      bulk={{
        refresh: QUERY_KEYS.agents,
        nameOf: ({ name }) => name,
        consequence:
          'Also deletes their conversations and versions. Runs that have begun finish unless you stop the agents first.',
      }}
      empty={{
        title: 'No custom agents yet',
        text: (
          <>
            Until you create one, the built-in Concierge answers.{' '}
            <Link to="/talk/concierge">Chat with the Concierge</Link>
          </>
        ),
        action: newAgent,
      }}
    />
  );
}

export { AgentsPage as Component };
