import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  /** What to do about it. */
  text?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap={6} px="md" py={action === undefined ? 22 : 36} ta="center">
      <Text fw={550}>{title}</Text>
      {text !== undefined && (
        <Text size="sm" c="dimmed" maw={420}>
          {text}
        </Text>
      )}
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
