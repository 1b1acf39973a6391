import { Group, Loader, Text } from '@mantine/core';
import { CopyIcon } from '../../ui/copy.js';
import { Time } from '../../ui/time.js';
import { MessageText } from './message-text.js';
import classes from './talk.module.css';
import { ToolCall } from './tool-call.js';
import type { Turn } from './turns.js';

export interface TurnViewProps {
  turn: Turn;
  agent: string;
  isWorking?: boolean;
}

/** A turn of the user or the agent. */
export function TurnView({ turn: { role, steps, at, failed = false }, agent, isWorking = false }: TurnViewProps) {
  const isQuiet = steps.every(({ text, tools }) => text === '' && tools.length === 0);
  const text = steps.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n');
  if (isQuiet && !isWorking) return null;
  return (
    <article className={classes.turn} data-role={role} aria-label={role === 'user' ? 'You' : agent}>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text size="xs" c="dimmed">
          <strong>{role === 'user' ? 'You' : agent}</strong> {at !== undefined && <Time at={at} />}
        </Text>
        {role === 'assistant' && !isWorking && text !== '' && <CopyIcon value={text} label="answer" />}
      </Group>
      {role === 'user' ? (
        <>
          <p className={classes.plainText}>
            <bdi>{steps[0]?.text}</bdi>
          </p>
          {failed && (
            <Text size="xs" c="red" mt={4}>
              Not answered: the agent failed. Send the message again to retry.
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
      {isWorking && <Loader type="dots" size="sm" aria-label="Working" role="status" mt={4} />}
    </article>
  );
}
