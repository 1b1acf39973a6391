import { Badge } from '@mantine/core';
import type { McpServer } from '../../api/platform-records.js';
import { StatusBadge } from '../../ui/status-badge.js';

/** A server that nobody has reached is not one that works. */
export function ServerStatus({ server: { status, last_seen_at } }: { server: McpServer }) {
  if (status === 'active' && last_seen_at === null) return <Badge color="orange">Not connected yet</Badge>;
  return <StatusBadge status={status} />;
}
