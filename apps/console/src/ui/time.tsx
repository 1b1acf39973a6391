import { Text, Tooltip } from '@mantine/core';
import { timeText } from './time-text.js';

/** A relative time, such as "3 hours ago". The exact time is shown on hover, and is in the attribute `datetime` for programs. */
export function Time({ at, none = 'Never' }: { at: string | null | undefined; none?: string }) {
  if (at === null || at === undefined) {
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {timeText(new Date(at), new Date())}
      </time>
    </Tooltip>
  );
}

/** A time to the second, in the reader's time zone. */
export function exactTime(at: string): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' });
}
