import { Button, Text } from '@mantine/core';
import { IconMessages, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RuntimeAnswers } from '../../api/answers/runtime.js';
import { areaResource } from '../../api/areas.js';
import type { RegisteredAgent } from '../../api/runtime-records.js';
import { CHAT } from '../../api/roles.js';
import { CurlButton } from '../../ui/curl.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { AgentStatus } from './agent-status.js';
import { ChatButton } from './chat-button.js';
import { useAgentNames } from './use-agent-names.js';

const newAgent = (
  <Button component={Link} to="/build/agents/new" variant="default" leftSection={<IconPlus size={16} />}>
    New agent
  </Button>
);

/** The chat, with a choice of the agent. */
function TalkPage() {
  const nameOf = useAgentNames();
  const agents = useQuery({
    ...areaResource<RuntimeAnswers['listAgents']>('runtime', '/api/v1/agents/registry'),
    select: ({ agents: items }) => ({ items }),
  });
  const columns: Column<RegisteredAgent>[] = [
    {
      title: 'Agent',
      render: ({ name: slug }) => <NamedCell name={nameOf(slug).name} text={nameOf(slug).description} />,
    },
    { title: 'Status', render: ({ status }) => <AgentStatus status={status} /> },
    {
      title: 'Skills',
      render: ({ capabilities }) =>
        capabilities.length === 0 ? (
          '—'
        ) : (
          <Text size="sm" lineClamp={2}>
            {capabilities.join(', ')}
          </Text>
        ),
    },
    {
      title: 'Actions',
      isActions: true,
      render: ({ name: slug, status }) => status !== 'stopped' && <ChatButton name={nameOf(slug).name} slug={slug} />,
    },
  ];
  return (
    <>
      <PageHeader
        title="Chat"
        text="Chat with your agents. Replies and tool calls appear as they happen."
        actions={
          <>
            <CurlButton area="runtime" calls={[{ title: 'List the agents', path: '/api/v1/agents/registry' }]} />
            <Button component="a" href={CHAT} variant="default" leftSection={<IconMessages size={16} />}>
              Open chat
            </Button>
            {newAgent}
          </>
        }
      />
      <Section title="Agents" flush>
        <DataTable
          label="Agents"
          columns={columns}
          query={agents}
          rowKey={({ name }) => name}
          rowLink={({ name }) => `/talk/${name}`}
          isFaded={({ status }) => status === 'stopped'}
          empty={{ title: 'No agents yet', text: 'Create one to chat with it here.', action: newAgent }}
        />
      </Section>
    </>
  );
}

export { TalkPage as Component };
