import { Text } from '@mantine/core';

export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) {
    return (
      <Text span inherit c="dimmed">
        —
      </Text>
    );
  }
  return (
    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      <bdi>{tags.join(', ')}</bdi>
    </Text>
  );
}
