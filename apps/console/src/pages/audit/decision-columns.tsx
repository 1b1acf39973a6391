import { Badge, Code, Group, Text, Tooltip } from '@mantine/core';
import type { Decision } from '../../api/admin-records.js';
import type { Column } from '../../ui/data-table.js';
import { timeText } from '../../ui/time-text.js';
import { clockText } from './clock-text.js';
import { ResourceCell } from './resource-cell.js';

/** The time of day, with the relative time on hover. */
function ClockTime({ at }: { at: string }) {
  const now = new Date();
  return (
    <Tooltip label={timeText(new Date(at), now)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {clockText(new Date(at), now)}
      </time>
    </Tooltip>
  );
}

export const ACTORS: Readonly<Record<Decision['actor_kind'], string>> = {
  user: 'User',
  job: 'Job',
  mcp: 'MCP server',
};

/** The decision. `denied` is highlighted, and `allowed` is dimmed. */
export function Result({ decision, reason }: Pick<Decision, 'decision' | 'reason'>) {
  if (decision === 'allow') {
    return (
      <Text span inherit c="dimmed">
        Allowed
      </Text>
    );
  }
  return (
    <Group gap={6}>
      <Badge color="red">Denied</Badge>
      {reason !== null && (
        <Text size="xs" c="dimmed">
          {reason}
        </Text>
      )}
    </Group>
  );
}

export const decisionColumns: Column<Decision>[] = [
  { title: 'Time', render: ({ at }) => <ClockTime at={at} /> },
  {
    title: 'User',
    render: ({ user, actor_kind, actor_id }) => (
      <Text size="sm" component="div" truncate maw={220}>
        <bdi>{user.name}</bdi>
        {actor_kind !== 'user' && (
          <Text span size="xs" c="dimmed">
            {' '}
            {ACTORS[actor_kind]} <bdi>{actor_id}</bdi>
          </Text>
        )}
      </Text>
    ),
  },
  { title: 'Action', render: ({ action }) => <Code>{action}</Code> },
  { title: 'Resource', render: (event) => <ResourceCell event={event} /> },
  { title: 'Result', render: (event) => <Result {...event} /> },
];
