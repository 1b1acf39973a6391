import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyTextButton } from './copy.js';
import { closeDialog, openDialog } from './dialogs.js';
import classes from './show-secret.module.css';

export interface SecretOptions {
  title: string;
  secret: string;
  /** Label of the copy button. */
  copy: string;
  /** Instructions for the user. */
  text: ReactNode;
  /** Public values that belong to the secret, shown below it. */
  beside?: ReactNode;
}

/** Shows a secret once. Only the button closes the dialog. */
export function showSecret({ title, secret, copy, text, beside }: SecretOptions): void {
  const modalId = openDialog({
    title,
    size: 'lg',
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        {/* One click selects the whole secret, for browsers without clipboard access. */}
        <code className={classes.secret}>{secret}</code>
        {beside}
        <Alert color="yellow" py="xs">
          Copy it now. You won't see it again.
        </Alert>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => closeDialog(modalId)}>
            Done
          </Button>
          <CopyTextButton value={secret} label={copy} />
        </Group>
      </Stack>
    ),
  });
}
