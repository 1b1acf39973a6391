import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent } from 'react';
import { areaResource } from '../../api/areas.js';
import type { Prompt } from '../../api/prompt-records.js';
import { askName } from '../../ui/ask-name.js';
import { parameterFaults } from '../../ui/parameter-values.js';
import { SchemaForm } from '../../ui/schema-form.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { BenchColumn } from './bench-column.js';
import { BenchButtons } from '../workbench/bench-buttons.js';
import { DRAFT, type Candidate } from '../workbench/candidate.js';
import layout from '../workbench/workbench.module.css';
import { runBody, type TypedInput } from './bench.js';
import { Cases } from './cases.js';
import { schemaIn, type PromptValues } from './prompt-fields.js';
import { keepInputs, keptInputs, withInput, type SavedInput } from './saved-inputs.js';
import { inputFaults, inputOf, useTrial } from './trial.js';
import { useBenchRun, type BenchRun } from './use-bench-run.js';

export interface WorkbenchProps {
  /** The draft in the editor. */
  values: PromptValues;
  /** The saved prompt that the draft changes. */
  saved: { id: string; version: number } | undefined;
}

/** A conversation with the unsaved draft, and beside it a conversation with another version, model or parameters. */
export function Workbench({ values, saved }: WorkbenchProps) {
  const { trial, change } = useTrial();
  const [first, setFirst] = useState<Candidate>(DRAFT);
  const [second, setSecond] = useState<Candidate | null>(null);
  const [left, right] = [useBenchRun(), useBenchRun()];
  const versions = [useVersion(saved, first), useVersion(saved, second ?? DRAFT)];
  const parsed = schemaIn(values.input.schema);
  const schema = typeof parsed === 'string' ? {} : parsed;
  const input = inputOf(trial, schema);
  const bodyOf = (candidate: Candidate, version: Prompt | undefined, { turns }: BenchRun) =>
    input && runBody(candidate, values, version, { promptId: saved?.id, input, turns });
  const columns = [
    { name: 'First', candidate: first, set: setFirst, bench: left, body: bodyOf(first, versions[0], left) },
    ...(second
      ? [{ name: 'Second', candidate: second, set: setSecond, bench: right, body: bodyOf(second, versions[1], right) }]
      : []),
  ];
  const [inputs, setInputs] = useState(() => keptInputs(saved?.id));
  const setKept = (next: SavedInput[]) => {
    keepInputs(saved?.id, next);
    setInputs(next);
  };
  const keep = (added: SavedInput) => setKept(withInput(inputs, added));
  const typed = { message: trial.message, texts: trial.texts, json: trial.json };
  const isReady = columns.every(
    ({ candidate: { parameters }, body }) =>
      body !== undefined && (parameters === null || Object.keys(parameterFaults(parameters)).length === 0),
  );
  const isWorking = columns.some(({ bench }) => bench.isWorking);
  const refused = inputFaults(columns.map(({ bench }) => bench.turns.at(-1)?.error).find(Boolean));
  const run = () => {
    if (!isReady || isWorking) return;
    for (const { bench, body } of columns) if (body) bench.run(body, trial);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  return (
    <Section title="Try this draft" text="Runs what is in the editor, saved or not. Only the run is stored.">
      <Stack gap="md" onKeyDown={onKeyDown}>
        <SavedInputs inputs={inputs} onChoose={change} onSave={(name) => keep({ ...typed, name, expected: null })} />
        <TextArea
          label="Message"
          minRows={2}
          maxRows={12}
          maxLength={1_000_000}
          value={trial.message}
          error={refused['message']}
          onChange={(event) => change({ message: event.currentTarget.value })}
        />
        <SchemaForm
          schema={schema}
          input={trial}
          change={change}
          label="Input"
          none="The draft has no input properties."
          refused={refused}
        />
        <BenchButtons
          label="Run draft"
          chats={columns.map(({ bench }) => bench)}
          isReady={isReady}
          isWorking={isWorking}
          isComparing={second !== null}
          onRun={run}
          onCompare={() => {
            right.clear();
            setSecond(second ? null : first);
          }}
        />
        <div className={layout.bench}>
          {columns.map(({ name, candidate, set, bench }) => (
            <BenchColumn
              key={name}
              name={name}
              candidate={candidate}
              onChange={set}
              newest={saved?.version ?? 0}
              turns={bench.turns}
              modelFault={inputFaults(bench.turns.at(-1)?.error)['model']}
              onCase={(typed, expected) =>
                askKeptName(
                  'Save as case',
                  'The input with this answer as the expected one, kept in this browser only.',
                  (name) => keep({ ...typed, name, expected }),
                )
              }
            />
          ))}
        </div>
        <Cases
          inputs={inputs}
          bodyOf={(one) => {
            const sent = inputOf({ ...one, model: '' }, schema);
            return sent && runBody(first, values, versions[0], { promptId: saved?.id, input: sent, turns: [] });
          }}
          onRemove={(name) => setKept(inputs.filter((one) => one.name !== name))}
        />
      </Stack>
    </Section>
  );
}

function useVersion(saved: WorkbenchProps['saved'], { version }: Candidate): Prompt | undefined {
  const { data } = useQuery({
    ...areaResource<Prompt>('prompt', `/v1/prompt/${saved?.id ?? ''}/version/${version ?? 0}`),
    enabled: saved !== undefined && version !== null,
  });
  return data;
}

interface SavedInputsProps {
  inputs: readonly SavedInput[];
  onChoose: (input: TypedInput) => void;
  /** Saves the current input under a name. */
  onSave: (name: string) => void;
}

function SavedInputs({ inputs, onChoose, onSave }: SavedInputsProps) {
  return (
    <Group gap="xs" align="flex-end">
      {inputs.length > 0 && (
        <NativeSelect
          label="Saved inputs"
          flex="1 1 160px"
          value=""
          data={[
            { value: '', label: 'Choose' },
            ...inputs.map(({ name }, index) => ({ value: String(index), label: name })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = value === '' ? undefined : inputs[Number(value)];
            if (chosen) onChoose({ message: chosen.message, texts: chosen.texts, json: chosen.json });
          }}
        />
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => askKeptName('Save input', 'Kept in this browser only.', onSave)}
      >
        Save input
      </Button>
    </Group>
  );
}

const askKeptName = (title: string, text: string, onName: (name: string) => void) =>
  askName({
    ...{ title, text, label: 'Name', action: title },
    work: (name) => {
      onName(name);
      return Promise.resolve();
    },
  });
