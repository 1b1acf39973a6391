import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RuntimeAnswers } from '../../api/answers/runtime.js';
import { areaResource } from '../../api/areas.js';

/** Link that connects the user's own account at a server. */
export function ConnectAccount({ serverId }: { serverId: string }) {
  const connections = useQuery(
    areaResource<RuntimeAnswers['listMcpConnections']>('runtime', '/api/v1/mcp/connections'),
  );
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
