import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import { failureText } from '../../ui/failure-text.js';
import { Facts } from '../../ui/facts.js';
import { fromLocalInput, ownZone, zonedText } from './trigger-text.js';

export interface NextTimesProps {
  schedule: string;
  timezone: string;
  starts_at: string;
  ends_at: string;
}

const TYPING_PAUSE_MS = 400;

/** The next five times of a schedule, in its time zone and in the reader's time zone. */
export function NextTimes(props: NextTimesProps) {
  const [{ schedule, timezone, starts_at, ends_at }] = useDebouncedValue(props, TYPING_PAUSE_MS);
  const times = useQuery({
    ...areaResource<{ times: string[] }>('platform', '/api/v1/triggers/times', {
      ...{ schedule, timezone },
      starts_at: fromLocalInput(starts_at) ?? undefined,
      ends_at: fromLocalInput(ends_at) ?? undefined,
    }),
    enabled: schedule.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (schedule.trim() === '') return null;
  if (times.error)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="status">
        {failureText(times.error)}
      </Text>
    );
  const [first, ...more] = times.data?.times ?? [];
  if (first === undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        {times.data ? 'No more times in this period.' : 'Looking up the next times.'}
      </Text>
    );
  const own = ownZone();
  return (
    <div role="status" aria-label="Next times">
      <Text size="sm" c="dimmed" mb={4}>
        Next times in {timezone}
        {own !== timezone && `, and on your clock (${own})`}
      </Text>
      <Facts
        facts={[first, ...more].map((at) => [zonedText(at, timezone), own === timezone ? '' : zonedText(at, own)])}
      />
    </div>
  );
}
