import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState, type SubmitEvent } from 'react';

const OVERLAPS = [
  { value: '0', label: 'Stops at once' },
  { value: '1', label: 'Works for another hour' },
  { value: '24', label: 'Works for another day' },
  { value: '168', label: 'Works for another week' },
  { value: '720', label: 'Works for another 30 days' },
];

export interface AskOverlapOptions {
  /** Of what is rotated. */
  name: string;
  /** Says by itself why it fails; the dialog stays then. */
  work: (overlapHours: number) => Promise<unknown>;
}

/** Asks how long what is rotated goes on working beside its successor. */
export function askOverlap(options: AskOverlapOptions): void {
  const modalId = modals.open({
    title: 'Rotate',
    children: <OverlapForm {...options} close={() => modals.close(modalId)} />,
  });
}

function OverlapForm({ name, work, close }: AskOverlapOptions & { close: () => void }) {
  const [hours, setHours] = useState('24');
  const [isWorking, setWorking] = useState(false);
  const run = (event: SubmitEvent) => {
    event.preventDefault();
    setWorking(true);
    work(Number(hours))
      .then(close, () => undefined)
      .finally(() => setWorking(false));
  };
  return (
    <form onSubmit={run}>
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi> gets a successor with the same rights. Choose how long you need to put it in place.
        </Text>
        <NativeSelect
          label="The old one"
          data={OVERLAPS}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={isWorking}>
            Cancel
          </Button>
          <Button type="submit" loading={isWorking}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
