import { Badge } from '@mantine/core';
import type { RegisteredAgent } from '../../api/runtime-records.js';

const STATUSES: Readonly<Record<RegisteredAgent['status'], { label: string; color: string }>> = {
  running: { label: 'Active', color: 'mill' },
  degraded: { label: 'Model unavailable', color: 'orange' },
  stopped: { label: 'Inactive', color: 'gray' },
};

export function AgentStatus({ status }: Pick<RegisteredAgent, 'status'>) {
  const { label, color } = STATUSES[status];
  return <Badge color={color}>{label}</Badge>;
}
