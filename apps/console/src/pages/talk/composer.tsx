import { Button, Text } from '@mantine/core';
import { IconPlayerStopFilled, IconSend } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { TextArea } from '../../ui/text-area.js';
import classes from './talk.module.css';

export interface ComposerProps {
  /** Focus on first render, except on touch devices, where the keyboard would cover the page. */
  takesFocus: boolean;
  /** The agent is inactive. */
  isStopped: boolean;
  isWorking: boolean;
  onSend: (content: string) => void;
  onStop: () => void;
}

/** Message input: Enter sends, Shift+Enter starts a new line. */
export function Composer({ takesFocus, isStopped, isWorking, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus && matchMedia('(hover: hover)').matches) area.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const send = () => {
    if (isWorking || isStopped || text.trim() === '') return;
    onSend(text);
    setText('');
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
  return (
    <form onSubmit={submit} className={classes.composer}>
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
        maxLength={200_000}
      />
      <div className={classes.send}>
        <Text size="xs" c="dimmed" className={classes.keys}>
          Enter to send, Shift+Enter for a new line
        </Text>
        {isWorking ? (
          <Button variant="default" leftSection={<IconPlayerStopFilled size={14} />} onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" leftSection={<IconSend size={15} />} disabled={isStopped || text.trim() === ''}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
