import { Button } from '@mantine/core';
import { IconPencilPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { RegisteredAgent } from '../../api/runtime-records.js';
import { CurlButton } from '../../ui/curl.js';
import { PageHeader, SAME_PAGE } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { AgentStatus } from './agent-status.js';
import { Conversation } from './conversation.js';
import { Conversations } from './conversations.js';
import classes from './talk.module.css';

type AgentDetail = RegisteredAgent & { description: string };

/** A conversation with an agent: both are in the address. */
function ChatPage() {
  const { agent: name = '', context } = useParams();
  const agent = useQuery(areaResource<AgentDetail>('runtime', `/api/v1/agents/${encodeURIComponent(name)}`));
  return (
    <RecordPage back={{ to: '/talk', label: 'Agents' }} title="Chat" query={agent}>
      {(found) => <Talk agent={found} contextId={context} />}
    </RecordPage>
  );
}

function Talk({ agent, contextId }: { agent: AgentDetail; contextId: string | undefined }) {
  const navigate = useNavigate();
  // A conversation that begins here gets its address while its first answer is under way: it goes on being drawn.
  const [begun, setBegun] = useState<{ session: number; id?: string }>({ session: 0 });
  const isBegunHere = contextId === undefined || contextId === begun.id;
  const { name } = agent;
  const onStarted = useCallback(
    (id: string) => {
      setBegun(({ session }) => ({ session, id }));
      void navigate(`/talk/${name}/${id}`, { replace: true, state: SAME_PAGE });
    },
    [name, navigate],
  );
  return (
    <>
      <PageHeader
        title={name}
        text={agent.description}
        badges={<AgentStatus status={agent.status} />}
        actions={
          <>
            <CurlButton
              area="runtime"
              calls={[
                {
                  title: 'Send a message',
                  method: 'POST',
                  path: `/api/v1/agents/${name}/messages?stream=true`,
                  body: { content: 'Hello', ...(contextId !== undefined && { context_id: contextId }) },
                },
                ...(contextId === undefined
                  ? []
                  : [{ title: 'Read this conversation', path: `/api/v1/agents/${name}/contexts/${contextId}` }]),
              ]}
            />
            <Button
              component={Link}
              to={`/talk/${name}`}
              variant="default"
              leftSection={<IconPencilPlus size={16} stroke={1.7} />}
              onClick={() => setBegun(({ session }) => ({ session: session + 1 }))}
            >
              New conversation
            </Button>
          </>
        }
      />
      <div className={classes.columns}>
        <Conversation
          key={isBegunHere ? `begun ${begun.session}` : contextId}
          agent={name}
          isStopped={agent.status === 'stopped'}
          contextId={contextId}
          onStarted={onStarted}
        />
        <Conversations agent={name} current={contextId} />
      </div>
    </>
  );
}

export { ChatPage as Component };
