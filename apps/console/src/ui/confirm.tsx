import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { showFailure } from './use-action.js';

export interface ConfirmOptions {
  title: string;
  /** What happens, and whether it can be undone. */
  text: ReactNode;
  /** The verb on the button. */
  action: string;
  /** What must be typed first: for what cannot be undone. */
  typed?: string;
  tone?: 'danger' | 'plain';
  work: () => Promise<unknown>;
  /** When it was not confirmed. */
  onCancel?: () => void;
}

/** Asks before a consequence. The dialog stays until the work is done, and when it was refused. */
export function confirm(options: ConfirmOptions): void {
  let isConfirmed = false;
  const work = async () => {
    await options.work();
    isConfirmed = true;
  };
  const modalId = modals.open({
    title: options.title,
    children: <Confirmation {...options} work={work} close={() => modals.close(modalId)} />,
    onClose: () => {
      if (!isConfirmed) options.onCancel?.();
    },
  });
}

function Confirmation({ text, action, typed, tone = 'danger', work, close }: ConfirmOptions & { close: () => void }) {
  const [entered, setEntered] = useState('');
  const [isWorking, setWorking] = useState(false);
  const run = (event: SubmitEvent) => {
    event.preventDefault();
    setWorking(true);
    work()
      .then(close, showFailure)
      .finally(() => setWorking(false));
  };
  return (
    <form onSubmit={run}>
      <Stack gap="md">
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed} to go on`}
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
          <Button
            type="submit"
            color={tone === 'danger' ? 'red.8' : undefined}
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
