import { Badge, Group, Text } from '@mantine/core';
import { browserName } from '@millwright/pages';
import type { UserSession } from '../../api/admin-records.js';
import type { Column } from '../../ui/data-table.js';
import { Time } from '../../ui/time.js';

const METHODS: Readonly<Record<string, string>> = {
  passkey: 'Passkey',
  magic_link: 'Recovery link',
  sso: 'Single sign-on',
};

/** Columns of sessions, for the profile and the user page. */
export const sessionColumns: Column<UserSession>[] = [
  {
    title: 'Browser',
    render: ({ user_agent, current }) => (
      <Group gap={8}>
        <Text size="sm" fw={550} title={user_agent}>
          {browserName(user_agent)}
        </Text>
        {current && <Badge>Current session</Badge>}
      </Group>
    ),
  },
  { title: 'IP address', render: ({ ip }) => ip },
  { title: 'Method', render: ({ method }) => METHODS[method] ?? method },
  { title: 'Signed in', render: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last seen', render: ({ last_seen_at }) => <Time at={last_seen_at} /> },
];
