import { Badge, Code, Group, Text } from '@mantine/core';
import type { Decision } from '../../api/records.js';
import type { Column } from '../../ui/data-table.js';
import { Time } from '../../ui/time.js';

const ACTORS: Readonly<Record<Decision['actor_kind'], string>> = { user: 'User', job: 'Job', mcp: 'MCP server' };

/** A row of the trail. */
export const decisionColumns: Column<Decision>[] = [
  { title: 'When', render: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    render: ({ user, actor_kind, actor_id }) => (
      <div>
        <Text size="sm" fw={550}>
          <bdi>{user.name}</bdi>
        </Text>
        {actor_kind !== 'user' && (
          <Text size="xs" c="dimmed">
            {ACTORS[actor_kind]} <bdi>{actor_id}</bdi>
          </Text>
        )}
      </div>
    ),
  },
  { title: 'Action', render: ({ action }) => <Code>{action}</Code> },
  {
    title: 'On',
    render: ({ resource: on }) => (
      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {on}
      </Text>
    ),
  },
  {
    title: 'Decision',
    render: ({ decision, reason }) => (
      <Group gap={6}>
        <Badge color={decision === 'allow' ? 'mill' : 'red'}>{decision === 'allow' ? 'Allowed' : 'Denied'}</Badge>
        {reason !== null && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </Group>
    ),
  },
];
