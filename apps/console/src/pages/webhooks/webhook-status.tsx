import { Badge } from '@mantine/core';
import type { Webhook } from '../../api/platform-records.js';
import { StatusBadge } from '../../ui/status-badge.js';

export function WebhookStatus({ webhook: { status, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (disabled_reason !== null) return <Badge color="red">Disabled</Badge>;
  if (status === 'active' && failing_since !== null) return <Badge color="orange">Failing</Badge>;
  return <StatusBadge status={status} />;
}
