import { Badge, Tooltip } from '@mantine/core';
import type { Plugin } from '../../api/platform-records.js';
import { exactTime } from '../../ui/time.js';

/** Whether what the plugin stands for answered when it was last asked. */
export function Reachable({ plugin: { reachable, last_checked_at, last_error } }: { plugin: Plugin }) {
  if (reachable === null) return 'Not checked';
  const at = last_checked_at === null ? '' : `Checked ${exactTime(last_checked_at)}`;
  return (
    <Tooltip label={[last_error, at].filter(Boolean).join(' · ')} disabled={at === ''}>
      <Badge color={reachable ? 'mill' : 'red'}>{reachable ? 'Reachable' : 'Unreachable'}</Badge>
    </Tooltip>
  );
}
