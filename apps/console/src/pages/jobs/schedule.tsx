import { Code, Text } from '@mantine/core';
import { cronText } from './cron-text.js';

/** A job's schedule in words and as a cron expression. */
export function Schedule({ schedule }: { schedule: string }) {
  return (
    <Text size="sm" component="div">
      {cronText(schedule)}
      <div>
        <Code style={{ whiteSpace: 'nowrap' }}>{schedule}</Code>
      </div>
    </Text>
  );
}
