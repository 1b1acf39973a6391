import { Button, Group } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { TextArea } from '../../ui/text-area.js';
import { MOST_CHARACTERS } from './attachments.js';

export interface EditMessageProps {
  content: string;
  /** Whether the message has images. They stay in the edited message. */
  hasImages: boolean;
  onSend: (content: string) => void;
  onCancel: () => void;
}

/** Input for a sent message; sending it again replaces the message and everything after it. */
export function EditMessage({ content, hasImages, onSend, onCancel }: EditMessageProps) {
  const [text, setText] = useState(content);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSend(text);
  };
  return (
    <form onSubmit={submit}>
      <TextArea
        aria-label="Edited message"
        description="The messages after this one are replaced by a new answer."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
        }}
        minRows={2}
        maxRows={20}
        maxLength={MOST_CHARACTERS}
        autoFocus
      />
      <Group gap="xs" mt="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" type="submit" disabled={text.trim() === '' && !hasImages}>
          Send again
        </Button>
      </Group>
    </form>
  );
}
