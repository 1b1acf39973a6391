import { Button, Group, Progress, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../../ui/section.js';
import { stepsOf, useProgress } from '../setup/use-progress.js';

/** On an installation without an agent: how far it is, and the way on. */
export function GetStarted() {
  const progress = useProgress(true);
  const steps = stepsOf(true).map((name) => progress[name]);
  const done = steps.filter(Boolean).length;
  return (
    <Section
      title="Get started"
      text="Create your first agent and get an answer from it."
      actions={
        <Button component={Link} to="/setup">
          Continue
        </Button>
      }
    >
      <Group gap="sm">
        <Progress value={(done / steps.length) * 100} w={180} aria-label="Steps done" />
        {steps.every((step) => step !== undefined) && (
          <Text size="sm">
            {done} of {steps.length} done
          </Text>
        )}
      </Group>
    </Section>
  );
}
