import { Group, Progress, Text } from '@mantine/core';
import { stepsOf, type Progress as Done } from './use-progress.js';

export function ProgressLine({ progress, isAdmin }: { progress: Done; isAdmin: boolean }) {
  const steps = stepsOf(isAdmin).map((name) => progress[name]);
  const done = steps.filter(Boolean).length;
  return (
    <Group gap="sm">
      <Progress value={(done / steps.length) * 100} w={180} aria-label="Steps done" />
      {steps.every((step) => step !== undefined) && (
        <Text size="sm">
          {done} of {steps.length} done
        </Text>
      )}
    </Group>
  );
}
