import { Badge, Group, Text } from '@mantine/core';
import type { Device } from '../../api/admin-records.js';
import type { Column } from '../../ui/data-table.js';
import { Time } from '../../ui/time.js';

/** Columns of devices, for the profile and the user page. */
export const deviceColumns: Column<Device>[] = [
  {
    title: 'Device',
    render: ({ device_name, revoked_at }) => (
      <Group gap={8}>
        <Text size="sm" fw={550}>
          <bdi>{device_name}</bdi>
        </Text>
        {revoked_at !== null && <Badge color="gray">Disconnected</Badge>}
      </Group>
    ),
  },
  { title: 'Connected', render: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
  { title: 'Certificate expires', render: ({ expires_at }) => <Time at={expires_at} none="Never" /> },
];
