import { Badge, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Message, Reference } from '../../api/prompt-records.js';
import { CodeBlock } from '../../ui/code-block.js';
import { CopyIcon } from '../../ui/copy.js';
import { indentedJson } from '../../ui/indented-json.js';
import { Time } from '../../ui/time.js';
import { MessageText } from '../../ui/message-text.js';
import { isJson, timeOf } from './about.js';
import { RunLink } from '../runs/run-link.js';
import classes from './conversation.module.css';

const ROLES: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Model',
  tool: 'Tool',
};

export interface MessageViewProps {
  message: Message;
  place: number;
  /** The run that wrote the message, if the run still exists. */
  runId: string | undefined;
}

/** A message with its role, time, references and run. */
export function MessageView({ message, place, runId }: MessageViewProps) {
  const { role, content, model, reference, metadata } = message;
  return (
    <article className={classes.message} data-role={role} aria-label={`${ROLES[role]}, message ${place}`}>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={6}>
        <Group gap={8}>
          <Text size="sm" fw={600}>
            {ROLES[role]}
          </Text>
          {role === 'assistant' && model !== '' && (
            <Badge color="gray">
              <bdi>{model}</bdi>
            </Badge>
          )}
          <Text size="xs" c="dimmed">
            {role !== 'assistant' && (
              <>
                <bdi>{metadata.author}</bdi>,{' '}
              </>
            )}
            <Time at={timeOf(message)} />
          </Text>
        </Group>
        <CopyIcon value={content} label={`message ${place}`} />
      </Group>
      {role !== 'assistant' && <p className={classes.plainText}>{content}</p>}
      {role === 'assistant' &&
        (isJson(content) ? (
          <CodeBlock code={indentedJson(content)} label={`message ${place}`} title="JSON" copied={content} />
        ) : (
          <MessageText text={content} />
        ))}
      {runId !== undefined && <RunLink id={runId} />}
      {reference.length > 0 && (
        <Text size="xs" c="dimmed" mt={8}>
          Refers to{' '}
          {reference.map((one, index) => (
            <span key={one.uuid}>
              {index > 0 && ', '}
              <Referred reference={one} />
            </span>
          ))}
        </Text>
      )}
    </article>
  );
}

const PAGES: Readonly<Record<string, string>> = { block: '/blocks', prompt: '/prompts' };

/** A link to a block or a prompt; for any other reference, only its name. */
function Referred({ reference: { type, uuid } }: { reference: Reference }) {
  const page = PAGES[type];
  return page === undefined ? <>{`${type} ${uuid}`}</> : <Link to={`${page}/${uuid}`}>{`${type} ${uuid}`}</Link>;
}
