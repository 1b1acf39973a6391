import { Badge } from '@mantine/core';
import type { Trigger } from '../../api/platform-records.js';
import { StatusBadge } from '../../ui/status-badge.js';

export function TriggerStatus({ trigger: { status, disabled_reason, failures } }: { trigger: Trigger }) {
  if (disabled_reason !== null) return <Badge color="red">Disabled</Badge>;
  if (status === 'active' && failures > 0) return <Badge color="orange">Failing</Badge>;
  return <StatusBadge status={status} />;
}
