import { Code, Text } from '@mantine/core';
import { cronText } from './cron-text.js';

/** When a job runs, in words and as it is configured. */
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
