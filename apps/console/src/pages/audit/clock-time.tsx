import { Tooltip } from '@mantine/core';
import { timeText } from '../../ui/time-text.js';
import { clockText } from './clock-text.js';

/** When something happened by the clock; how long ago on hover. */
export function ClockTime({ at }: { at: string }) {
  const now = new Date();
  return (
    <Tooltip label={timeText(new Date(at), now)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {clockText(new Date(at), now)}
      </time>
    </Tooltip>
  );
}
