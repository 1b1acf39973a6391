import { Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { DialogActions } from './dialog-actions.js';
import { closeDialog, openDialog } from './dialogs.js';

export interface AskNameOptions {
  title: string;
  text?: string;
  label: string;
  value?: string;
  /** Maximum length of the name. Default: 100 characters. */
  maxLength?: number;
  action: string;
  /** The function must show its failures itself. After a failure, the dialog stays open. */
  work: (name: string) => Promise<unknown>;
}

/** Opens a dialog in which the user enters a name. */
export function askName(options: AskNameOptions): void {
  const modalId = openDialog({
    title: options.title,
    children: <NameForm {...options} close={() => closeDialog(modalId)} />,
  });
}

function NameForm({
  text,
  label,
  value = '',
  maxLength = 100,
  action,
  work,
  close,
}: AskNameOptions & { close: () => void }) {
  const [name, setName] = useState(value);
  const [isWorking, setWorking] = useState(false);
  const run = (event: SubmitEvent) => {
    event.preventDefault();
    setWorking(true);
    work(name.trim())
      .then(close, () => undefined)
      .finally(() => setWorking(false));
  };
  return (
    <form onSubmit={run}>
      <Stack gap="md">
        {text !== undefined && <Text size="sm">{text}</Text>}
        <TextInput
          label={label}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={maxLength}
          autoComplete="off"
          data-autofocus
        />
        <DialogActions close={close} isWorking={isWorking} isDisabled={name.trim() === ''}>
          {action}
        </DialogActions>
      </Stack>
    </form>
  );
}
