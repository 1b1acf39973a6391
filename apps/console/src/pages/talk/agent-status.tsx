import { Badge } from '@mantine/core';
import type { RegisteredAgent } from '../../api/runtime-records.js';

const STATUSES: Readonly<Record<RegisteredAgent['status'], { label: string; color: string }>> = {
  running: { label: 'Running', color: 'mill' },
  degraded: { label: 'Its model does not answer', color: 'orange' },
  stopped: { label: 'Stopped', color: 'gray' },
};

export function AgentStatus({ status }: Pick<RegisteredAgent, 'status'>) {
  const { label, color } = STATUSES[status];
  return <Badge color={color}>{label}</Badge>;
}
