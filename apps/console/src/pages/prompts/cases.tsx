import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { DraftRunResult } from '../../api/prompt-records.js';
import { streamRun } from '../../api/stream-run.js';
import { indentedJson } from '../../ui/indented-json.js';
import classes from './prompts.module.css';
import { isExpected, type SavedInput } from './saved-inputs.js';

/** Result of a case's last run. A result without an answer means that the run failed. */
interface Outcome {
  answer?: string;
  fault?: string;
}

export interface CasesProps {
  inputs: readonly SavedInput[];
  /** Returns the body of the request for a case; undefined while the draft or the input cannot be run. */
  bodyOf: (input: SavedInput) => object | undefined;
  onRemove: (name: string) => void;
}

/** Saved inputs with their expected answers. A button runs these cases one after the other with the settings of the first column. */
export function Cases({ inputs, bodyOf, onRemove }: CasesProps) {
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const [running, setRunning] = useState<string>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const cases = inputs.filter(({ expected }) => expected !== null);
  if (cases.length === 0) return null;

  const runAll = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setOutcomes({});
    for (const one of cases) {
      setRunning(one.name);
      const outcome = await runCase(bodyOf(one), controller.signal);
      if (controller.signal.aborted) break;
      setOutcomes((now) => ({ ...now, [one.name]: outcome }));
    }
    setRunning(undefined);
  };
  return (
    <div role="group" aria-label="Cases">
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" fw={600}>
          Cases
        </Text>
        {running === undefined ? (
          <Button size="compact-sm" variant="default" onClick={() => void runAll()}>
            Run cases
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => abort.current?.abort()}>
            Stop
          </Button>
        )}
      </Group>
      {cases.map(({ name, expected }) => {
        const outcome = outcomes[name];
        return (
          <details key={name} className={classes.case}>
            <summary>
              <bdi className={classes.caseName}>{name}</bdi>
              <State isRunning={running === name} outcome={outcome} expected={expected ?? ''} />
            </summary>
            <Shown title="Expected" text={expected ?? ''} />
            {outcome?.answer !== undefined && <Shown title="Answer" text={outcome.answer} />}
            {outcome?.fault !== undefined && <Shown title="Failed" text={outcome.fault} />}
            <Button size="compact-xs" variant="subtle" color="gray" mt={4} onClick={() => onRemove(name)}>
              Remove case
            </Button>
          </details>
        );
      })}
    </div>
  );
}

async function runCase(body: object | undefined, signal: AbortSignal): Promise<Outcome> {
  if (!body) return { fault: 'The draft or the input of the case is not valid.' };
  try {
    const { success, data, warnings } = await streamRun<DraftRunResult>('/v1/run', body, {
      ...{ onText: () => undefined, onRepair: () => undefined, signal },
      lost: 'The connection was lost.',
    });
    return success ? { answer: data.content } : { answer: data.content, fault: warnings.join(' ') };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function State({
  isRunning,
  outcome,
  expected,
}: {
  isRunning: boolean;
  outcome: Outcome | undefined;
  expected: string;
}) {
  if (isRunning) return <Badge color="blue">Running</Badge>;
  if (!outcome) return <Badge color="gray">Not run</Badge>;
  if (outcome.fault !== undefined || outcome.answer === undefined) return <Badge color="red">Failed</Badge>;
  return isExpected(outcome.answer, expected) ? <Badge>As expected</Badge> : <Badge color="yellow">Differs</Badge>;
}

function Shown({ title, text }: { title: string; text: string }) {
  return (
    <>
      <Text size="xs" c="dimmed" mt="xs" mb={4}>
        {title}
      </Text>
      <Code block>{indentedJson(text)}</Code>
    </>
  );
}
