import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

export interface DialogActionsProps {
  close: () => void;
  isWorking: boolean;
  isDisabled?: boolean;
  /** The submit button's label. */
  children: ReactNode;
}

/** Cancel and submit, at the end of a form in a dialog. */
export function DialogActions({ close, isWorking, isDisabled = false, children }: DialogActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={close} disabled={isWorking}>
        Cancel
      </Button>
      <Button type="submit" loading={isWorking} disabled={isDisabled}>
        {children}
      </Button>
    </Group>
  );
}
