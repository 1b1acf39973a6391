import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { McpConnection } from '../../api/runtime-records.js';

/** Leads to where one's own account at a server is connected. */
export function ConnectAccount({ serverId }: { serverId: string }) {
  const connections = useQuery(areaResource<{ connections: McpConnection[] }>('runtime', '/api/v1/mcp/connections'));
  const connection = connections.data?.connections.find(({ server_id }) => server_id === serverId);
  if (connection?.connected === true || connections.isPending) return null;
  if (!connection) {
    return (
      <Button component={Link} to="/profile">
        Connect in your profile
      </Button>
    );
  }
  return (
    <Button
      component="a"
      href={connection.connect_url}
      target="_blank"
      rel="noopener noreferrer"
      rightSection={<IconExternalLink size={15} />}
    >
      Connect
    </Button>
  );
}
