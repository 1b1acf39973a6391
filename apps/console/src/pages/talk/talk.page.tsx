import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { RegisteredAgent } from '../../api/runtime-records.js';
import { CurlButton } from '../../ui/curl.js';
import { DataTable } from '../../ui/data-table.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { AgentStatus } from './agent-status.js';

const newAgent = (
  <Button component={Link} to="/build/agents/new" variant="default">
    New agent
  </Button>
);

/** Whom one can talk to. */
function TalkPage() {
  const agents = useQuery({
    ...areaResource<{ agents: RegisteredAgent[] }>('runtime', '/api/v1/agents/registry'),
    select: ({ agents: items }) => ({ items }),
  });
  return (
    <>
      <PageHeader
        title="Chat"
        text="Talk to an agent, and see the tools it calls."
        actions={
          <>
            <CurlButton area="runtime" calls={[{ title: 'List the agents', path: '/api/v1/agents/registry' }]} />
            {newAgent}
          </>
        }
      />
      <Section title="Agents" flush>
        <DataTable
          label="Agents"
          columns={[
            { title: 'Agent', render: ({ name }) => <strong>{name}</strong> },
            { title: 'Status', render: ({ status }) => <AgentStatus status={status} /> },
            {
              title: 'Skills',
              render: ({ capabilities }) =>
                capabilities.length === 0 ? 'none' : <Text size="sm">{capabilities.join(', ')}</Text>,
            },
          ]}
          query={agents}
          rowKey={({ name }) => name}
          rowLink={({ name }) => `/talk/${name}`}
          isFaded={({ status }) => status === 'stopped'}
          empty={{ title: 'No agent yet', text: 'Make one, then talk to it here.', action: newAgent }}
        />
      </Section>
    </>
  );
}

export { TalkPage as Component };
