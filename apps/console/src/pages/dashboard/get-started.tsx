import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../../ui/section.js';
import { ProgressLine } from '../setup/progress-line.js';
import { useProgress } from '../setup/use-progress.js';

/** Setup progress, shown while there is no agent. */
export function GetStarted() {
  const progress = useProgress(true);
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
      <ProgressLine progress={progress} isAdmin />
    </Section>
  );
}
