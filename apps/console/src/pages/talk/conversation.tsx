import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ConversationDetail } from '../../api/runtime-records.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { RunError } from '../../ui/run-error.js';
import { MessagesShape } from '../../ui/loading.js';
import { RunCause } from '../runs/run-cause.js';
import { hasEnded } from '../runs/run-text.js';
import { Citations } from './citations.js';
import { Composer } from './composer.js';
import { conversationResource } from './conversation-resource.js';
import { sentImage } from './shown-image.js';
import classes from './talk.module.css';
import { TurnView } from './turn-view.js';
import { turnsOf, type Turn } from './turns.js';
import { useChat, type NewMessage, type Running, type StoredImage } from './use-chat.js';

const OFF = { title: 'The runtime is not available.', text: 'It is off or starting. Try again shortly.' };

export interface ConversationProps {
  /** The agent's slug. */
  agent: string;
  /** The agent's display name. */
  name?: string;
  /** Whether the conversation fills a page: it then takes the focus and scrolls to the end. */
  isPage?: boolean;
  isStopped: boolean;
  contextId: string | undefined;
  onStarted: (contextId: string) => void;
  /** Select for the agent, on the page that shows the conversations of all agents. */
  picker?: ReactNode;
}

/** Distance from the end of the page, in pixels. If a reader is nearer to the end, the page scrolls along when it grows. */
const NEAR_PX = 160;

const AGAIN_MS = 2_000;

const isGoingOn = ({ messages }: ConversationDetail): boolean => {
  const run = messages.findLast(({ role }) => role === 'user')?.run;
  return run != null && !hasEnded(run);
};

export function Conversation(props: ConversationProps) {
  const { agent, name = agent, isPage = false, isStopped, contextId, onStarted, picker } = props;
  const { running, send, stop, dismiss } = useChat({ agent, contextId, onStarted });
  // The turns at the time when the message was sent. While the answer streams, no later turns are shown, so that the answer appears only once.
  const [before, setBefore] = useState<Turn[]>([]);
  const kept = useQuery({
    ...conversationResource(contextId ?? ''),
    enabled: contextId !== undefined,
    // Reads the conversation again while a run that was started elsewhere, such as in another window, can change it.
    refetchInterval: ({ state: { data } }) => (!running && data && isGoingOn(data) ? AGAIN_MS : false),
  });
  const turns = kept.data ? turnsOf(kept.data.messages, kept.data.id) : [];
  const shown = running ? before : turns;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const left = document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
    if (left < NEAR_PX) end.current?.scrollIntoView({ block: 'end' });
  }, [running, turns.length]);
  const isRead = kept.data !== undefined;
  useEffect(() => {
    if (isPage && isRead) end.current?.scrollIntoView({ block: 'end' });
  }, [isPage, isRead]);
  const ask = (message: NewMessage, after: Turn[]) => {
    setBefore(after);
    send(message);
    requestAnimationFrame(() => end.current?.scrollIntoView({ block: 'end' }));
  };
  const isWorking = running?.state === 'working';
  const isOwn = kept.data?.own ?? true;
  const mayReplace = isOwn && !running && !isStopped && kept.data !== undefined && !isGoingOn(kept.data);
  const replace = (at: number, content: string) =>
    ask({ content, images: storedImages(turns[at]), replaces: turns[at]?.id }, turns.slice(0, at));
  const lastAsked = turns.findLastIndex(({ role }) => role === 'user');
  const regenerate = () => replace(lastAsked, turns[lastAsked]?.steps[0]?.text ?? '');

  const failure = kept.error && !running && <Failure error={kept.error} retry={() => void kept.refetch()} />;

  if (failure && !kept.data) return <div>{failure}</div>;
  return (
    <div className={classes.conversation} data-page={isPage}>
      <div role="log" aria-label="Conversation" aria-busy={isWorking || kept.isLoading} className={classes.log}>
        {kept.isLoading && !running && <MessagesShape />}
        <Citations>
          {shown.map((turn, at) => (
            <TurnView
              key={turn.id}
              turn={turn}
              agent={name}
              onEdit={mayReplace && turn.role === 'user' ? (content) => replace(at, content) : undefined}
              onRegenerate={mayReplace && lastAsked >= 0 && at === turns.length - 1 ? regenerate : undefined}
            />
          ))}
          {running && (
            <>
              <TurnView turn={askedTurn('asked', running)} agent={name} />
              <TurnView
                turn={{ id: 'answer', role: 'assistant', steps: running.steps }}
                agent={name}
                isWorking={isWorking}
              />
            </>
          )}
        </Citations>
        {shown.length === 0 && !running && !kept.isLoading && (
          <EmptyState title={`Chat with ${name}`} text="Replies and tool calls appear as they happen." />
        )}
      </div>
      {failure}
      {running?.state === 'stopped' && (
        <Alert color="gray" py="xs" role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm">You stopped following. If the agent has begun, its reply is saved.</Text>
            <Button size="xs" variant="default" onClick={dismiss}>
              Show the reply
            </Button>
          </Group>
        </Alert>
      )}
      {running?.error && (
        <RunError error={running.error} off={OFF}>
          {running.runId !== undefined && <RunCause id={running.runId} />}
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => ask(running, before)}>
              Try again
            </Button>
            <Button size="xs" variant="subtle" color="gray" onClick={dismiss}>
              Dismiss
            </Button>
          </Group>
        </RunError>
      )}
      {isOwn ? (
        <Composer
          takesFocus={isPage}
          isStopped={isStopped}
          isWorking={isWorking}
          onSend={(content, images) =>
            ask({ content, images }, running ? [...before, ...turnsOfRunning(running)] : turns)
          }
          onStop={stop}
          picker={picker}
        />
      ) : (
        <Text size="sm" c="dimmed" className={classes.readOnly}>
          Shared by <bdi>{kept.data?.user_name}</bdi>. You can read this conversation, but not continue it.
        </Text>
      )}
      <div ref={end} />
    </div>
  );
}

const askedTurn = (id: string, { content, images }: Pick<Running, 'content' | 'images'>): Turn => ({
  id,
  role: 'user',
  steps: [{ text: content, tools: [] }],
  images: images.map((image) => ('blob' in image ? sentImage(image) : image)),
});

const storedImages = (turn: Turn | undefined): StoredImage[] =>
  (turn?.images ?? []).flatMap((image) => (image.id === undefined ? [] : [{ ...image, id: image.id }]));

/** Converts an unfinished message to turns, to show them before the next message. */
function turnsOfRunning(running: Running): Turn[] {
  const { steps } = running;
  const id = crypto.randomUUID();
  return [
    askedTurn(`${id} asked`, running),
    ...(steps.length > 0 ? [{ id: `${id} answered`, role: 'assistant' as const, steps }] : []),
  ];
}
