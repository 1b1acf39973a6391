import { ActionIcon, Group, Loader, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { AgentAvatar } from '../../ui/agent-avatar.js';
import { CopyIcon } from '../../ui/copy.js';
import { Time } from '../../ui/time.js';
import { RunApprovals } from '../approvals/run-approvals.js';
import { Feedback } from '../runs/run-feedback.js';
import { RunLink } from '../runs/run-link.js';
import { hasEnded, WAITS } from '../runs/run-text.js';
import { MessageText } from '../../ui/message-text.js';
import { EditMessage } from './edit-message.js';
import { MessageImages } from './message-images.js';
import classes from './talk.module.css';
import { ToolCall } from './tool-call.js';
import type { MessageRun, Turn } from './turns.js';

export interface TurnViewProps {
  turn: Turn;
  agent: string;
  isWorking?: boolean;
  /** Sends a user's message again with other content. */
  onEdit?: ((content: string) => void) | undefined;
  /** Requests another answer to the same message. */
  onRegenerate?: (() => void) | undefined;
}

/** Shows a turn of the user or the agent. */
export function TurnView({ turn, agent, isWorking = false, onEdit, onRegenerate }: TurnViewProps) {
  const { role, steps, at, run, failed = false } = turn;
  const [isEdited, setEdited] = useState(false);
  const images = turn.images ?? [];
  const isQuiet = images.length === 0 && steps.every(({ text, tools }) => text === '' && tools.length === 0);
  const text = steps.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n');
  if (isQuiet && !isWorking) return null;
  const isUser = role === 'user';
  const waitsFor = run?.state === 'waiting' ? run.waiting_for : null;
  return (
    <>
      <article
        className={classes.turn}
        data-role={role}
        data-edited={isEdited || undefined}
        aria-label={isUser ? 'You' : agent}
      >
        <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
          <Group gap={6} wrap="nowrap">
            {!isUser && <AgentAvatar name={agent} size={20} />}
            <Text size="xs" c="dimmed">
              <strong>{isUser ? 'You' : agent}</strong> {at !== undefined && <Time at={at} />}
            </Text>
          </Group>
          {!isWorking && !isEdited && (text !== '' || images.length > 0) && (
            <Group gap={2} wrap="nowrap">
              {isUser && onEdit && <Action label="Edit message" icon={IconPencil} onClick={() => setEdited(true)} />}
              {text !== '' && <CopyIcon value={text} label={isUser ? 'message' : 'answer'} />}
            </Group>
          )}
        </Group>
        {isUser ? (
          <>
            {isEdited && onEdit ? (
              <EditMessage
                content={text}
                hasImages={images.length > 0}
                onSend={onEdit}
                onCancel={() => setEdited(false)}
              />
            ) : (
              text !== '' && (
                <p className={classes.plainText}>
                  <bdi>{text}</bdi>
                </p>
              )
            )}
            <MessageImages images={images} />
            {failed && !run && (
              <Text size="xs" c="var(--mantine-color-error)" mt={4}>
                {FAILED}
              </Text>
            )}
          </>
        ) : (
          steps.map(({ text, tools }, index) => (
            <div key={index}>
              {text !== '' && <MessageText text={text} />}
              {tools.map((use) => (
                <ToolCall key={use.id} use={use} />
              ))}
            </div>
          ))
        )}
        {run && <RunNote run={run} onRegenerate={onRegenerate} />}
        {isWorking && <Loader type="dots" size="sm" aria-label="Working" role="status" mt={4} />}
      </article>
      {run && waitsFor === 'approval' && <RunApprovals run={{ id: run.id }} />}
      {run && waitsFor === 'child' && <RunApprovals run={{ id: run.id }} below />}
    </>
  );
}

function Action({ label, icon: Icon, onClick }: { label: string; icon: typeof IconPencil; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={15} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

const FAILED = 'Not answered: the agent failed. Send the message again to retry.';

/** The state of an exchange's run, with a link to the page of the run. After the run's end, also buttons to rate or repeat the answer. */
function RunNote({ run, onRegenerate }: { run: MessageRun; onRegenerate: (() => void) | undefined }) {
  const { id, state, waiting_for } = run;
  const note = state === 'waiting' && waiting_for !== null ? WAITS[waiting_for].title : NOTES[state];
  return (
    <Group gap="xs" mt={4} className={classes.run}>
      {note !== undefined && (
        <Text size="xs" c={state === 'failed' ? 'red' : 'dimmed'} fw={550}>
          {note}
        </Text>
      )}
      {state === 'completed' && <Feedback run={run} size="md" />}
      {hasEnded(run) && onRegenerate && <Action label="Regenerate" icon={IconRefresh} onClick={onRegenerate} />}
      <RunLink id={id} label={state === 'waiting' && waiting_for === 'outcome' ? 'Decide' : 'View run'} />
    </Group>
  );
}

const NOTES: Readonly<Partial<Record<MessageRun['state'], string>>> = {
  queued: 'Queued',
  running: 'The agent is working.',
  failed: FAILED,
  canceled: 'Canceled',
};
