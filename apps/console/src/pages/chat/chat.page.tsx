import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ApiError } from '../../api/client.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader, SAME_PAGE } from '../../ui/page-header.js';
import { MessagesShape } from '../../ui/loading.js';
import { Conversation } from '../talk/conversation.js';
import { conversationResource } from '../talk/conversation-resource.js';
import { ConversationMenu } from '../talk/conversation-menu.js';
import { useAgentNames } from '../talk/use-agent-names.js';
import { AgentPicker } from '../talk/agent-picker.js';
import { agentRegistry } from '../talk/agent-registry.js';

/** Shows a conversation, or begins a new conversation with the agent that the query parameter `agent` names. */
function ChatPage() {
  const { context } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const nameOf = useAgentNames();
  const registry = useQuery(agentRegistry());
  const opened = useQuery({ ...conversationResource(context ?? ''), enabled: context !== undefined });
  // The conversation that began on this page. The page's address changes while the first answer streams. The React key must stay the same then,
  // because a new key would end the stream.
  const [begun, setBegun] = useState<{ id: string; agent: string }>();
  const [{ last, session }, setSession] = useState({ last: context, session: 0 });
  if (context !== last) setSession({ last: context, session: context === undefined ? session + 1 : session });
  const agents = registry.data?.agents.filter(({ status }) => status !== 'stopped') ?? [];
  const chosen = query.get('agent') ?? agents[0]?.name;
  const isBegunHere = context === undefined || context === begun?.id;
  const agent = context === undefined ? chosen : (opened.data?.agent ?? (isBegunHere ? begun?.agent : undefined));
  const onStarted = useCallback(
    (id: string) => {
      if (agent !== undefined) setBegun({ id, agent });
      void navigate(`/${id}`, { replace: true, state: SAME_PAGE });
    },
    [agent, navigate],
  );
  const title = context === undefined ? 'New conversation' : (opened.data?.title ?? 'Conversation');
  const isMissing = opened.error instanceof ApiError && opened.error.status === 404;
  if (context !== undefined && isMissing)
    return (
      <>
        <PageHeader title="Conversation not found" />
        <Text>It may have been deleted, or its user does not share it.</Text>
      </>
    );
  const error = registry.error ?? (agent === undefined ? opened.error : null);
  if (error)
    return (
      <>
        <PageHeader title={title} />
        <Failure error={error} retry={() => void Promise.all([registry.refetch(), opened.refetch()])} />
      </>
    );
  if (agent === undefined)
    return (
      <>
        <PageHeader title={title} />
        {registry.data && context === undefined ? (
          <EmptyState title="No agent to chat with" text="An administrator of your project can create one." />
        ) : (
          <MessagesShape />
        )}
      </>
    );
  const isListed = agents.some(({ name }) => name === agent);
  return (
    <>
      <PageHeader
        title={title}
        text={nameOf(agent).name}
        actions={
          opened.data?.own && <ConversationMenu conversation={opened.data} onDeleted={() => void navigate('/')} />
        }
      />
      <Conversation
        key={isBegunHere ? `begun ${session}` : context}
        agent={agent}
        name={nameOf(agent).name}
        isPage
        isStopped={registry.data !== undefined && !isListed}
        contextId={context}
        onStarted={onStarted}
        picker={
          <AgentPicker
            agents={agents}
            nameOf={(slug) => nameOf(slug).name}
            value={agent}
            onChange={(slug) => void navigate(`/?agent=${encodeURIComponent(slug)}`)}
          />
        }
      />
    </>
  );
}

export { ChatPage as Component };
