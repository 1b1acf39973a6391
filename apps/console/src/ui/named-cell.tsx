import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list cell with a record's name above its description. */
export function NamedCell({ name, text, badges }: { name: string; text?: string; badges?: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={550} component="div">
        <bdi>{name}</bdi> {badges}
      </Text>
      {text !== undefined && text !== '' && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          <bdi>{text}</bdi>
        </Text>
      )}
    </div>
  );
}
