import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Run, RunDetail } from '../../api/runtime-records.js';
import { RUNS_KEY } from '../../api/waiting-runs.js';
import { confirm } from '../../ui/confirm.js';
import { useAction } from '../../ui/use-action.js';

/** Starts a run again, with the version of its agent that the user chooses, and opens the page of the new run. */
export function RetryRun({ run: { id, subject } }: { run: Pick<RunDetail, 'id' | 'subject'> }) {
  const navigate = useNavigate();
  const retry = useAction(
    (version: 'current' | 'same') => askArea<Run>('runtime', 'POST', `/api/v1/runs/${id}/retry`, { version }),
    { refresh: [RUNS_KEY], onDone: (run) => void navigate(`/runs/${run.id}`) },
  );
  const kept = subject.version;
  return (
    <Button
      variant="default"
      onClick={() =>
        confirm({
          title: 'Start the run again?',
          text: 'The message is sent again in the same conversation. What tools have done already is not undone.',
          action: 'Use the present version',
          tone: 'plain',
          work: () => retry.mutateAsync('current'),
          ...(kept !== null && {
            instead: { action: `Use version ${kept}`, work: () => retry.mutateAsync('same') },
          }),
        })
      }
    >
      Retry
    </Button>
  );
}

/** Ends a run after a confirmation. */
export function CancelRun({ runId }: { runId: string }) {
  const cancel = useAction(() => askArea('runtime', 'POST', `/api/v1/runs/${runId}/cancel`), {
    refresh: [RUNS_KEY],
    done: 'Run canceled',
  });
  return (
    <Button
      variant="default"
      onClick={() =>
        confirm({
          title: 'Cancel the run?',
          text: 'The call that is under way is stopped. What tools have done already stays done.',
          action: 'Cancel the run',
          tone: 'danger',
          work: () => cancel.mutateAsync(),
        })
      }
    >
      Cancel
    </Button>
  );
}

const DECISIONS = [
  { outcome: 'happened', label: 'It happened' },
  { outcome: 'did_not_happen', label: 'It did not happen' },
  { outcome: 'stop', label: 'Stop the run' },
] as const;

/** Decides a tool call whose outcome is unknown; the run then continues. */
export function DecideOutcome({ runId, step }: { runId: string; step: number }) {
  const decide = useAction(
    (outcome: (typeof DECISIONS)[number]['outcome']) =>
      askArea('runtime', 'POST', `/api/v1/runs/${runId}/outcome`, { step, outcome }),
    { refresh: [RUNS_KEY] },
  );
  return (
    <Group gap="xs" role="group" aria-label="Outcome of the call">
      {DECISIONS.map(({ outcome, label }) => (
        <Button
          key={outcome}
          size="xs"
          variant={outcome === 'stop' ? 'subtle' : 'default'}
          color={outcome === 'stop' ? 'red' : undefined}
          loading={decide.isPending && decide.variables === outcome}
          onClick={() => decide.mutate(outcome)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
