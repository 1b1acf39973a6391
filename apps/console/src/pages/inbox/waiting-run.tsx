import { Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { Run, RunDetail, RunStep, RunStepPage } from '../../api/runtime-records.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Failure } from '../../ui/failure.js';
import { indentedJson } from '../../ui/indented-json.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { TextShape } from '../../ui/loading.js';
import { RunApprovals } from '../approvals/run-approvals.js';
import { ConnectAccount } from '../runs/connect-account.js';
import { DecideOutcome } from '../runs/run-control.js';
import classes from '../runs/run.module.css';
import { RunLink } from '../runs/run-link.js';
import { WAITS } from '../runs/run-text.js';

/** Maximum number of undecided calls that a card shows. The page of the run shows all undecided calls. */
const MOST_CALLS = 10;

/** A waiting run: why and since when it waits, and the inputs for the decision if it can be made on this card. */
export function WaitingRun({ run, isAdmin }: { run: Run; isAdmin: boolean }) {
  const { id, subject, title, user, waiting_for, state_at } = run;
  const wait = WAITS[waiting_for ?? 'input'];
  return (
    <Section title={subject.name} text={title !== null && <bdi>{title}</bdi>} actions={<RunLink id={id} />}>
      <Stack gap="sm">
        <Text size="sm" component="div">
          <Badge color="yellow" mr={8}>
            {wait.title}
          </Badge>
          <Text span inherit c="dimmed">
            <Time at={state_at} />
            {isAdmin && (
              <>
                {' for '}
                <bdi>{user.name}</bdi>
              </>
            )}
          </Text>
        </Text>
        <Text size="sm">{wait.text}</Text>
        {waiting_for === 'approval' && <RunApprovals run={run} />}
        {waiting_for === 'outcome' && <UndecidedCalls runId={id} />}
        {waiting_for === 'connection' && <NeededAccount runId={id} />}
      </Stack>
    </Section>
  );
}

function NeededAccount({ runId }: { runId: string }) {
  const run = useQuery(areaResource<RunDetail>('runtime', `/api/v1/runs/${runId}`));
  if (run.error) return <Failure error={run.error} retry={() => void run.refetch()} />;
  return run.data ? <ConnectAccount run={run.data} /> : <TextShape lines={1} />;
}

function UndecidedCalls({ runId }: { runId: string }) {
  const steps = useQuery(
    areaResource<RunStepPage>('runtime', `/api/v1/runs/${runId}/steps`, { outcome: 'unknown', limit: MOST_CALLS }),
  );
  if (steps.error) return <Failure error={steps.error} retry={() => void steps.refetch()} />;
  if (!steps.data) return <TextShape />;
  return steps.data.items
    .filter(({ result }) => result === null)
    .map((step) => <UndecidedCall key={step.seq} runId={runId} step={step} />);
}

function UndecidedCall({ runId, step: { seq, tool, arguments: args } }: { runId: string; step: RunStep }) {
  return (
    <div className={classes.call}>
      <CodeBlock
        label={`arguments of step ${seq}`}
        title={`Step ${seq}: ${tool ?? 'tool'}`}
        code={indentedJson(args ?? '')}
      />
      <DecideOutcome runId={runId} step={seq} />
    </div>
  );
}
