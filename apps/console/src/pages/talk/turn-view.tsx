import { Group, Loader, Text } from '@mantine/core';
import { CopyIcon } from '../../ui/copy.js';
import { Time } from '../../ui/time.js';
import { RunApprovals } from '../approvals/run-approvals.js';
import { RunLink } from '../runs/run-link.js';
import { WAITS } from '../runs/run-text.js';
import { MessageText } from '../../ui/message-text.js';
import classes from './talk.module.css';
import { ToolCall } from './tool-call.js';
import type { MessageRun, Turn } from './turns.js';

export interface TurnViewProps {
  turn: Turn;
  agent: string;
  isWorking?: boolean;
}

/** A turn of the user or the agent. */
export function TurnView({ turn: { role, steps, at, run, failed = false }, agent, isWorking = false }: TurnViewProps) {
  const isQuiet = steps.every(({ text, tools }) => text === '' && tools.length === 0);
  const text = steps.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n');
  if (isQuiet && !isWorking) return null;
  const waits = run?.state === 'waiting' && run.waiting_for === 'approval';
  return (
    <>
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
            {failed && !run && (
              <Text size="xs" c="red" mt={4}>
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
        {run && <RunNote run={run} />}
        {isWorking && <Loader type="dots" size="sm" aria-label="Working" role="status" mt={4} />}
      </article>
      {waits && <RunApprovals run={{ id: run.id }} />}
    </>
  );
}

const FAILED = 'Not answered: the agent failed. Send the message again to retry.';

/** The state of an exchange's run, with a link to its page. */
function RunNote({ run: { id, state, waiting_for } }: { run: MessageRun }) {
  const note = state === 'waiting' && waiting_for !== null ? WAITS[waiting_for].title : NOTES[state];
  return (
    <Group gap="xs" mt={4} className={classes.run}>
      {note !== undefined && (
        <Text size="xs" c={state === 'failed' ? 'red' : 'dimmed'} fw={550}>
          {note}
        </Text>
      )}
      <RunLink id={id} label={state === 'waiting' && waiting_for !== 'approval' ? 'Decide' : 'View run'} />
    </Group>
  );
}

const NOTES: Readonly<Partial<Record<MessageRun['state'], string>>> = {
  queued: 'Queued',
  running: 'The agent is working.',
  failed: FAILED,
  canceled: 'Canceled',
};
