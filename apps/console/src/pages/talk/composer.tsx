import { ActionIcon, Button, Pill, Text, Tooltip } from '@mantine/core';
import { IconPaperclip, IconPlayerStopFilled, IconSend } from '@tabler/icons-react';
import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { TextArea } from '../../ui/text-area.js';
import { DropZone } from '../files/drop-zone.js';
import {
  contentWith,
  isImage,
  MOST_CHARACTERS,
  MOST_FILES,
  readAttachment,
  type Attachment,
  type TextAttachment,
} from './attachments.js';
import { MOST_IMAGE_BYTES, type ImageAttachment } from './image-attachment.js';
import classes from './talk.module.css';

export interface ComposerProps {
  /** Whether the input takes the focus at its first rendering. On touch devices, it never does, because the keyboard would cover the page. */
  takesFocus: boolean;
  /** Whether the agent is inactive. */
  isStopped: boolean;
  isWorking: boolean;
  onSend: (content: string, images: readonly ImageAttachment[]) => void;
  onStop: () => void;
  /** Select with which the user chooses the agent. */
  picker?: ReactNode;
}

/**
 * Message input. Enter sends the message, and Shift+Enter starts a new line. Text files become part of the message's text; images are sent
 * separately.
 */
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
    const images = files.filter(isImage);
    const content = contentWith(
      text,
      files.filter((file): file is TextAttachment => !isImage(file)),
    );
    if (content.length > MOST_CHARACTERS) {
      setFault(`The message has more than ${MOST_CHARACTERS.toLocaleString('en')} characters with its files.`);
      return;
    }
    if (images.reduce((sum, { blob }) => sum + blob.size, 0) > MOST_IMAGE_BYTES) {
      setFault(`The images of a message can have ${MOST_IMAGE_BYTES / 1_048_576} MiB together.`);
      return;
    }
    onSend(content, images);
    setText('');
    setFiles([]);
    setFault(undefined);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const type = (event: KeyboardEvent) => {
    // While an input method (IME) composes text, Enter confirms that text and must not send the message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const attach = (chosen: readonly File[]) => {
    if (isStopped || chosen.length === 0) return;
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
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.currentTarget.files ?? [])];
    event.currentTarget.value = '';
    attach(chosen);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    attach(pasted);
  };
  return (
    <form onSubmit={submit} className={classes.composer}>
      <DropZone onDrop={attach}>
        {files.length > 0 && (
          <ul className={classes.files} aria-label="Attached files">
            {files.map((file, index) => {
              const { name } = file;
              return (
                <li key={`${index} ${name}`}>
                  {isImage(file) && <img className={classes.preview} src={file.url} alt="" />}
                  <Pill
                    withRemoveButton
                    onRemove={() => {
                      setFiles((now) => now.filter((_, at) => at !== index));
                      if (isImage(file)) URL.revokeObjectURL(file.url);
                    }}
                    removeButtonProps={{ 'aria-label': `Remove ${name}`, tabIndex: 0, 'aria-hidden': undefined }}
                  >
                    {name}
                  </Pill>
                </li>
              );
            })}
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
          onPaste={paste}
          minRows={2}
          maxRows={10}
          maxLength={MOST_CHARACTERS}
          error={fault}
        />
        <div className={classes.send}>
          <input ref={input} type="file" multiple hidden aria-hidden tabIndex={-1} onChange={choose} />
          <Tooltip label="Attach images and text files">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Attach files"
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
      </DropZone>
    </form>
  );
}
