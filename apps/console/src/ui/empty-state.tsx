import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

export interface EmptyStateProps {
  title: string;
  /** The next step, in a sentence. */
  text?: ReactNode;
  action?: ReactNode;
}

/** An empty list: the next step, or one line when there is nothing to do. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  if (action === undefined) {
    return (
      <p className={classes.line}>
        <span>{title}</span>
        {text !== undefined && <span>{text}</span>}
      </p>
    );
  }
  return (
    <Stack align="center" gap={6} px="md" py={36} ta="center">
      <Text fw={600}>{title}</Text>
      {text !== undefined && (
        <Text size="sm" c="dimmed" maw={420} style={{ textWrap: 'balance' }}>
          {text}
        </Text>
      )}
      <Group gap="xs" justify="center" mt="xs">
        {action}
      </Group>
    </Stack>
  );
}
