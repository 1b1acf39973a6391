import { Button } from '@mantine/core';
import { IconPencilPlus, IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { AgentDetail } from '../../api/runtime-records.js';
import { AgentAvatar } from '../../ui/agent-avatar.js';
import { CurlButton } from '../../ui/curl.js';
import { PageHeader, SAME_PAGE } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { AgentPicker } from './agent-picker.js';
import { agentRegistry } from './agent-registry.js';
import { AgentStatus } from './agent-status.js';
import { Conversation } from './conversation.js';
import { ConversationList } from './conversation-list.js';
import { FoldedList } from './folded-list.js';
import classes from './talk.module.css';
import { useAgentNames } from './use-agent-names.js';

/** A conversation with an agent. The address contains the agent and the conversation. */
function ChatPage() {
  const { agent: name = '', context } = useParams();
  const agent = useQuery(areaResource<AgentDetail>('runtime', `/api/v1/agents/${encodeURIComponent(name)}`));
  return (
    <RecordPage back={{ to: '/talk', label: 'Chat' }} title="Chat" query={agent}>
      {(found) => <Talk key={found.name} agent={found} contextId={context} />}
    </RecordPage>
  );
}

function Talk({ agent, contextId }: { agent: AgentDetail; contextId: string | undefined }) {
  const navigate = useNavigate();
  // The conversation that began on this page. The page's address changes while the first answer streams. The React key must stay the same then,
  // because a new key would end the stream.
  const [begun, setBegun] = useState<{ session: number; id?: string }>({ session: 0 });
  const isBegunHere = contextId === undefined || contextId === begun.id;
  const { name: slug } = agent;
  const nameOf = useAgentNames();
  const { name, id } = nameOf(slug);
  const registry = useQuery(agentRegistry());
  const others = registry.data?.agents.filter(({ status }) => status !== 'stopped') ?? [];
  const onStarted = useCallback(
    (begunId: string) => {
      setBegun(({ session }) => ({ session, id: begunId }));
      void navigate(`/talk/${slug}/${begunId}`, { replace: true, state: SAME_PAGE });
    },
    [slug, navigate],
  );
  return (
    <div className={classes.chat}>
      <PageHeader
        title={name}
        text={agent.description}
        picture={<AgentAvatar name={name} size={36} />}
        badges={<AgentStatus status={agent.status} />}
        actions={
          <>
            <CurlButton
              area="runtime"
              calls={[
                {
                  title: 'Send a message',
                  method: 'POST',
                  path: `/api/v1/agents/${slug}/messages?stream=true`,
                  body: { content: 'Hello', ...(contextId !== undefined && { context_id: contextId }) },
                },
                ...(contextId === undefined
                  ? []
                  : [{ title: 'Get this conversation', path: `/api/v1/agents/${slug}/contexts/${contextId}` }]),
              ]}
            />
            {id !== undefined && (
              <Button
                component={Link}
                to={`/build/agents/${id}`}
                variant="default"
                leftSection={<IconRobot size={16} stroke={1.7} />}
              >
                Edit agent
              </Button>
            )}
            {contextId !== undefined && (
              <Button
                component={Link}
                to={`/talk/${slug}`}
                variant="default"
                leftSection={<IconPencilPlus size={16} stroke={1.7} />}
                onClick={() => setBegun(({ session }) => ({ session: session + 1 }))}
              >
                New conversation
              </Button>
            )}
          </>
        }
      />
      <div className={classes.columns}>
        <Conversation
          key={isBegunHere ? `begun ${begun.session}` : contextId}
          agent={slug}
          name={name}
          isPage
          isStopped={agent.status === 'stopped'}
          contextId={contextId}
          onStarted={onStarted}
          picker={
            <AgentPicker
              agents={others}
              nameOf={(other) => nameOf(other).name}
              value={slug}
              onChange={(other) => void navigate(`/talk/${other}`)}
            />
          }
        />
        <FoldedList>
          {(close) => (
            <ConversationList
              agent={slug}
              current={contextId}
              addressOf={(id) => `/talk/${slug}/${id}`}
              nameOf={() => name}
              onOpen={close}
              onDeleted={() => void navigate(`/talk/${slug}`)}
            />
          )}
        </FoldedList>
      </div>
    </div>
  );
}

export { ChatPage as Component };
