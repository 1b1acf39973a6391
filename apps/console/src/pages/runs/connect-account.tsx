import { Button, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { RunDetail } from '../../api/runtime-records.js';

/** Leads to the page on which the run's user connects the account for which the run waits. */
export function ConnectAccount({ run: { is_own, user, connection } }: { run: RunDetail }) {
  if (connection === null) return null;
  if (!is_own)
    return (
      <Text size="sm">
        Only <bdi>{user.name}</bdi> can connect the account at <bdi>{connection.name}</bdi>.
      </Text>
    );
  return (
    <Button
      component="a"
      href={connection.connect_url}
      target="_blank"
      rel="noopener noreferrer"
      size="xs"
      variant="default"
      w="fit-content"
      rightSection={<IconExternalLink size={13} />}
      aria-label={`Connect to ${connection.name} in a new tab`}
    >
      Connect to <bdi>{connection.name}</bdi>
    </Button>
  );
}
