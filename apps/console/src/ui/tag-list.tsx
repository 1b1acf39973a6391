import { Badge, Group, Text } from '@mantine/core';

/** Maximum number of tags that are shown. Of further tags, only the number is shown. */
const MOST_SHOWN = 4;

/** The tags of a record, as badges in one or two lines. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) {
    return (
      <Text span inherit c="dimmed">
        —
      </Text>
    );
  }
  const others = tags.slice(MOST_SHOWN);
  return (
    <Group gap={4}>
      {tags.slice(0, MOST_SHOWN).map((tag) => (
        <Badge key={tag} color="gray" maw={160} title={tag}>
          <bdi>{tag}</bdi>
        </Badge>
      ))}
      {others.length > 0 && (
        <Text span size="xs" c="dimmed" title={others.join(', ')}>
          +{others.length}
        </Text>
      )}
    </Group>
  );
}
