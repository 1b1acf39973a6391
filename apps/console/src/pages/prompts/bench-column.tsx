import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DraftRunResult } from '../../api/prompt-records.js';
import { costText } from '../../ui/figures.js';
import { indentedJson } from '../../ui/indented-json.js';
import { MessageText } from '../../ui/message-text.js';
import { FailedRuns } from '../runs/run-cause.js';
import { RunError } from '../../ui/run-error.js';
import { RunLink } from '../runs/run-link.js';
import type { Candidate } from '../workbench/candidate.js';
import { CandidateInputs } from '../workbench/candidate-inputs.js';
import type { BenchTurn, TypedInput } from './bench.js';
import classes from './prompts.module.css';
import { inputFaults } from './trial.js';

const OFF = {
  title: 'No answer',
  text: "The model didn't respond, or the prompt API is off or starting. Try again shortly.",
};

export interface BenchColumnProps {
  name: string;
  candidate: Candidate;
  onChange: (candidate: Candidate) => void;
  /** Number of the newest saved version; 0 for a new prompt. */
  newest: number;
  turns: readonly BenchTurn[];
  /** Message when the model's name is invalid. */
  modelFault: ReactNode;
  /** Saves an input with its answer as the expected answer. */
  onCase: (input: TypedInput, expected: string) => void;
}

/** A version with a model and parameters, and the conversation with that version. */
export function BenchColumn({ name, candidate, onChange, newest, turns, modelFault, onCase }: BenchColumnProps) {
  return (
    <Stack gap="sm" role="group" aria-label={name}>
      <CandidateInputs candidate={candidate} onChange={onChange} newest={newest} modelFault={modelFault} />
      <div role="log" aria-label={`Conversation, ${name}`} aria-busy={turns.at(-1)?.state === 'working'}>
        {turns.map((turn, index) => (
          // A saved case has one message and no earlier messages, so only the first answer can become a case.
          <Turn key={index} turn={turn} onCase={index === 0 ? onCase : undefined} />
        ))}
      </div>
    </Stack>
  );
}

interface TurnProps {
  turn: BenchTurn;
  onCase: BenchColumnProps['onCase'] | undefined;
}

function Turn({ turn: { message, input, text, state, repairs, ms, result, error }, onCase }: TurnProps) {
  const answer = result?.data.content ?? text;
  const faults = Object.entries(inputFaults(error));
  return (
    <Stack gap={6} className={classes.turn}>
      {message !== '' && (
        <Text size="sm" c="dimmed" className={classes.asked}>
          {message}
        </Text>
      )}
      {repairs.length > 0 && state === 'working' && (
        <Alert color="yellow" py="xs" role="status">
          The answer did not match the output schema: {repairs.join('; ')}. Retrying once.
        </Alert>
      )}
      {faults.length > 0 && (
        <Alert color="red" py="xs" role="alert">
          Not run. {faults.map(([field, reason]) => `${field}: ${reason}`).join(' ')}
        </Alert>
      )}
      {error && faults.length === 0 && (
        <RunError error={error} off={OFF}>
          <FailedRuns />
        </RunError>
      )}
      {answer !== '' && (
        <div className={classes.answer}>
          {result && Object.keys(result.data.structured_data).length > 0 ? (
            <pre tabIndex={0}>{indentedJson(answer)}</pre>
          ) : (
            <MessageText text={answer} />
          )}
        </div>
      )}
      {answer === '' && state === 'working' && (
        <Text size="sm" c="dimmed">
          Waiting for the model…
        </Text>
      )}
      {state === 'stopped' && (
        <Text size="sm" c="dimmed">
          You stopped following. The run continues.
        </Text>
      )}
      {result && (
        <Outcome result={result} ms={ms ?? 0}>
          {result.success && onCase && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onCase(input, answer)}>
              Save as case
            </Button>
          )}
        </Outcome>
      )}
    </Stack>
  );
}

function Outcome({ result, ms, children }: { result: DraftRunResult; ms: number; children: ReactNode }) {
  const { success, metadata, warnings, cost_usd, run } = result;
  const { usage, model } = metadata;
  return (
    <>
      {warnings.length > 0 && (
        <Alert
          role="status"
          color={success ? 'yellow' : 'red'}
          py="xs"
          title={success ? undefined : 'The answer does not match the output schema.'}
        >
          {warnings.map((warning, index) => (
            <Text key={index} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {model} · {usage.prompt_tokens.toLocaleString('en')} + {usage.completion_tokens.toLocaleString('en')} tokens ·{' '}
          {costText(cost_usd ?? null, usage.total_tokens)} · {(ms / 1_000).toFixed(1)} s
        </Text>
        <RunLink id={run} />
        {children}
      </Group>
    </>
  );
}
