import { ActionIcon, Button, Pill, Text, Tooltip } from '@mantine/core';
import { IconPaperclip, IconPlayerStopFilled, IconSend } from '@tabler/icons-react';
import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { TextArea } from '../../ui/text-area.js';
import { contentWith, MOST_CHARACTERS, MOST_FILES, readAttachment, type Attachment } from './attachments.js';
import classes from './talk.module.css';

export interface ComposerProps {
  /** Takes the focus on first render, except on touch devices, where the keyboard would cover the page. */
  takesFocus: boolean;
  /** Whether the agent is inactive. */
  isStopped: boolean;
  isWorking: boolean;
  onSend: (content: string) => void;
  onStop: () => void;
  /** Select with which the user chooses the agent. */
  picker?: ReactNode;
}

/** Message input: Enter sends, Shift+Enter starts a new line. Text files become part of the message. */
export function Composer({ takesFocus, isStopped, isWorking, onSend, onStop, picker }: ComposerProps) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<Attachment[]>([]);
  const [fault, setFault] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus && matchMedia('(hover: hover)').matches) area.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const isEmpty = text.trim() === '' && files.length === 0;
  const send = () => {
    if (isWorking || isStopped || isEmpty) return;
    const content = contentWith(text, files);
    if (content.length > MOST_CHARACTERS) {
      setFault(`The message has more than ${MOST_CHARACTERS.toLocaleString('en')} characters with its files.`);
      return;
    }
    onSend(content);
    setText('');
    setFiles([]);
    setFault(undefined);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const type = (event: KeyboardEvent) => {
    // An input method uses Enter while composing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const attach = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.currentTarget.files ?? [])];
    event.currentTarget.value = '';
    setFault(undefined);
    if (files.length + chosen.length > MOST_FILES) {
      setFault(`A message can have ${MOST_FILES} files.`);
      return;
    }
    Promise.all(chosen.map(readAttachment)).then(
      (added) => setFiles((now) => [...now, ...added]),
      (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <form onSubmit={submit} className={classes.composer}>
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Attached files">
          {files.map(({ name }, index) => (
            <li key={`${index} ${name}`}>
              <Pill
                withRemoveButton
                onRemove={() => setFiles((now) => now.filter((_, at) => at !== index))}
                removeButtonProps={{ 'aria-label': `Remove ${name}`, tabIndex: 0, 'aria-hidden': undefined }}
              >
                {name}
              </Pill>
            </li>
          ))}
        </ul>
      )}
      <TextArea
        ref={area}
        aria-label="Message"
        placeholder={isStopped ? 'This agent is inactive. Activate it to chat.' : 'Write a message'}
        value={text}
        disabled={isStopped}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={type}
        minRows={2}
        maxRows={10}
        maxLength={MOST_CHARACTERS}
        error={fault}
      />
      <div className={classes.send}>
        <input ref={input} type="file" multiple hidden aria-hidden tabIndex={-1} onChange={attach} />
        <Tooltip label="Attach text files">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Attach text files"
            disabled={isStopped}
            onClick={() => input.current?.click()}
          >
            <IconPaperclip size={18} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
        {picker}
        <Text size="xs" c="dimmed" className={classes.keys}>
          Enter to send, Shift+Enter for a new line
        </Text>
        {isWorking ? (
          <Button variant="default" leftSection={<IconPlayerStopFilled size={14} />} onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" leftSection={<IconSend size={15} />} disabled={isStopped || isEmpty}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
