import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { DialogActions } from '../../ui/dialog-actions.js';
import { closeDialog, openDialog } from '../../ui/dialogs.js';
import { daysOf, DEFAULT_EXPIRY, ExpirySelect } from './expiry-select.js';

const OVERLAPS = [
  { value: '0', label: 'Stop immediately' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

export interface AskOverlapOptions {
  /** Name of the rotated key or client. */
  name: string;
  kind: 'key' | 'token' | 'secret';
  /** Rotates the key or client. The function must show its failures itself. After a failure, the dialog stays open. */
  work: (rotation: ChosenRotation) => Promise<unknown>;
}

export interface ChosenRotation {
  overlap_hours: number;
  /** Days until the new key or token expires; null for no expiry. Undefined for client secrets, which do not expire. */
  expires_in_days?: number | null;
}

/** Opens a dialog with inputs for the time for which the old secret stays valid, and for the lifetime of the new secret. */
export function askOverlap(options: AskOverlapOptions): void {
  const modalId = openDialog({
    title: `Rotate “${options.name}”`,
    children: <OverlapForm {...options} close={() => closeDialog(modalId)} />,
  });
}

function OverlapForm({ kind, work, close }: AskOverlapOptions & { close: () => void }) {
  const [hours, setHours] = useState('24');
  const [expires, setExpires] = useState(DEFAULT_EXPIRY);
  const [isWorking, setWorking] = useState(false);
  const run = (event: SubmitEvent) => {
    event.preventDefault();
    setWorking(true);
    const overlap = { overlap_hours: Number(hours) };
    work(kind === 'secret' ? overlap : { ...overlap, expires_in_days: daysOf(expires) })
      .then(close, () => undefined)
      .finally(() => setWorking(false));
  };
  return (
    <form onSubmit={run}>
      <Stack gap="md">
        <Text size="sm">
          Creates a new {kind} with the same permissions. The current one keeps working for the time you choose.
        </Text>
        <NativeSelect
          label={`Keep the current ${kind} working for`}
          data={OVERLAPS}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data-autofocus
        />
        {kind !== 'secret' && <ExpirySelect value={expires} onChange={setExpires} />}
        <DialogActions close={close} isWorking={isWorking}>
          Rotate {kind}
        </DialogActions>
      </Stack>
    </form>
  );
}
