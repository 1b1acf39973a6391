import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState, type SubmitEvent } from 'react';

export interface AskNameOptions {
  title: string;
  text?: string;
  label: string;
  value?: string;
  action: string;
  /** Says by itself why it fails; the dialog stays then. */
  work: (name: string) => Promise<unknown>;
}

/** Asks for one name. */
export function askName(options: AskNameOptions): void {
  const modalId = modals.open({
    title: options.title,
    children: <NameForm {...options} close={() => modals.close(modalId)} />,
  });
}

function NameForm({ text, label, value = '', action, work, close }: AskNameOptions & { close: () => void }) {
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
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isWorking}>
            Cancel
          </Button>
          <Button type="submit" loading={isWorking} disabled={name.trim() === ''}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
