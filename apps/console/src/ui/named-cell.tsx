import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface NamedCellProps {
  name: string;
  text?: string;
  /** Why the record does not work. */
  failure?: string | undefined;
  badges?: ReactNode;
  /** Picture before the name. */
  picture?: ReactNode;
}

/** A list cell with a record's name above its description. */
export function NamedCell({ picture, ...words }: NamedCellProps) {
  if (picture === undefined) return <Words {...words} />;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      {picture}
      <Words {...words} />
    </Group>
  );
}

function Words({ name, text, failure, badges }: Omit<NamedCellProps, 'picture'>) {
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
      {failure !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {failure}
        </Text>
      )}
    </div>
  );
}
