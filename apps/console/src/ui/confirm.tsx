import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { closeDialog, openDialog } from './dialogs.js';
import { showFailure } from './use-action.js';

export interface ConfirmOptions {
  title: string;
  /** The consequence, and whether it can be undone. */
  text: ReactNode;
  /** Label of the confirming button: a verb. */
  action: string;
  /** Text that the user must type first, for actions that cannot be undone. */
  typed?: string;
  tone?: 'danger' | 'plain';
  work: () => Promise<unknown>;
  /** A third button, for another action than the one to confirm. */
  instead?: { action: string; work: () => Promise<unknown> };
  /** Called when the dialog closes and the user did neither `action` nor `instead`. */
  onCancel?: () => void;
}

/** Opens a confirmation dialog. It stays open until `work` has succeeded. */
export function confirm(options: ConfirmOptions): void {
  let isConfirmed = false;
  const settling = (work: () => Promise<unknown>) => async () => {
    await work();
    isConfirmed = true;
  };
  const { instead } = options;
  const modalId = openDialog({
    title: options.title,
    children: (
      <Confirmation
        {...options}
        work={settling(options.work)}
        {...(instead && { instead: { ...instead, work: settling(instead.work) } })}
        close={() => closeDialog(modalId)}
      />
    ),
    onClose: () => {
      if (!isConfirmed) options.onCancel?.();
    },
  });
}

type ConfirmationProps = ConfirmOptions & { close: () => void };

function Confirmation({ text, action, typed, tone = 'danger', work, instead, close }: ConfirmationProps) {
  const [entered, setEntered] = useState('');
  const [isWorking, setWorking] = useState(false);
  const run = (chosen: () => Promise<unknown>) => {
    setWorking(true);
    chosen()
      .then(close, showFailure)
      .finally(() => setWorking(false));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    run(work);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={
              <>
                Type <Code>{typed}</Code> to confirm
              </>
            }
            value={entered}
            onChange={(event) => setEntered(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={close}
            disabled={isWorking}
            data-autofocus={typed === undefined || undefined}
          >
            Cancel
          </Button>
          {instead && (
            <Button variant="default" onClick={() => run(instead.work)} disabled={isWorking}>
              {instead.action}
            </Button>
          )}
          <Button
            type="submit"
            {...(tone === 'danger' && { color: 'red.8' })}
            loading={isWorking}
            disabled={typed !== undefined && entered !== typed}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
