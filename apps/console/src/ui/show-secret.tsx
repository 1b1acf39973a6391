import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { CopyTextButton } from './copy.js';
import classes from './show-secret.module.css';

export interface SecretOptions {
  title: string;
  secret: string;
  /** On the button that copies it. */
  copy: string;
  /** What to do with it. */
  text: ReactNode;
  /** Under the secret: what belongs to it and is no secret. */
  beside?: ReactNode;
}

/** Shows a secret the one time that it can be seen. Nothing but its button closes the dialog. */
export function showSecret({ title, secret, copy, text, beside }: SecretOptions): void {
  const modalId = modals.open({
    title,
    size: 'lg',
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        {/* One click selects all of it, where the clipboard is out of reach. */}
        <code className={classes.secret}>{secret}</code>
        {beside}
        <Alert color="yellow" py="xs">
          This is the only time it is shown. Only a fingerprint of it is kept.
        </Alert>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => modals.close(modalId)}>
            Done
          </Button>
          <CopyTextButton value={secret} label={copy} />
        </Group>
      </Stack>
    ),
  });
}
