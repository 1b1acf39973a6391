import { Button, Group, NativeSelect, Stack, Switch } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { areaResource } from '../../api/areas.js';
import type { Label, Prompt } from '../../api/prompt-records.js';
import { Failure } from '../../ui/failure.js';
import { ModelSelect } from '../../ui/model-select.js';
import { SchemaForm } from '../../ui/schema-form.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { TextShape } from '../../ui/loading.js';
import { Preview } from './preview.js';
import classes from './prompts.module.css';
import { RunView } from './run-view.js';
import { inputFaults, inputOf, versionOf, wantedOf, type TrialState } from './trial.js';
import { useRun } from './use-run.js';

export interface TryPromptProps extends TrialState {
  path: string;
  prompt: Prompt;
  labels: readonly Label[];
}

/** A trial of a prompt's version: inputs, the rendered messages, and the model's answer. */
export function TryPrompt({ path, prompt, labels, trial, change }: TryPromptProps) {
  const { values, set } = useUrlState(['tab', 'use']);
  const wanted = wantedOf(values.use);
  const number = versionOf(wanted, prompt, labels);
  const isNewest = number === prompt.metadata.version;
  const earlier = useQuery({ ...areaResource<Prompt>('prompt', `${path}/version/${number}`), enabled: !isNewest });
  const tried = isNewest ? prompt : earlier.data;
  const { running, run, stop } = useRun(path);
  const [goesOn, setGoesOn] = useState(false);
  const conversation = running?.result?.data.conversation.id;
  const input = tried && inputOf(trial, tried.input.schema);
  const rendered = input && { ...input, ...wanted };
  const isWorking = running?.state === 'working';
  const refused = inputFaults(running?.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!rendered) return;
    const model = trial.model.trim();
    run({ ...rendered, ...(model !== '' && { model }), ...(goesOn && conversation !== undefined && { conversation }) });
  };
  return (
    <div className={classes.columns}>
      <form
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
      >
        <Section title="Run">
          <Stack gap="md">
            <VersionSelect
              use={values.use}
              prompt={prompt}
              labels={labels}
              onChange={(use) => set({ use }, { isTyping: true })}
            />
            <TextArea
              label="Message"
              minRows={3}
              maxRows={16}
              maxLength={1_000_000}
              value={trial.message}
              error={refused['message']}
              onChange={(event) => change({ message: event.currentTarget.value })}
            />
            {earlier.error && <Failure error={earlier.error} retry={() => void earlier.refetch()} />}
            {tried ? (
              <SchemaForm
                schema={tried.input.schema}
                input={trial}
                change={change}
                label="Input"
                none="This prompt has no input properties."
                refused={refused}
              />
            ) : (
              <TextShape />
            )}
            <ModelSelect value={trial.model} onChange={(model) => change({ model })} error={refused['model']} />
            {conversation !== undefined && (
              <Switch
                label="Continue the conversation of the last run"
                checked={goesOn}
                onChange={(event) => setGoesOn(event.currentTarget.checked)}
              />
            )}
            <Group gap="xs">
              <Button
                type="submit"
                leftSection={<IconPlayerPlay size={15} />}
                loading={isWorking}
                disabled={rendered === undefined}
              >
                Run
              </Button>
              {isWorking && (
                <Button variant="default" leftSection={<IconPlayerStopFilled size={14} />} onClick={stop}>
                  Stop
                </Button>
              )}
            </Group>
          </Stack>
        </Section>
      </form>
      <div>
        <Section title="Answer">
          <RunView running={running} />
        </Section>
        <Preview path={path} body={rendered} />
      </div>
    </div>
  );
}

interface VersionSelectProps {
  use: string;
  prompt: Prompt;
  labels: readonly Label[];
  onChange: (use: string) => void;
}

const SHOWN = 20;

function VersionSelect({ use, prompt, labels, onChange }: VersionSelectProps) {
  const newest = prompt.metadata.version;
  const numbers = Array.from({ length: Math.min(SHOWN, newest - 1) }, (_, index) => newest - 1 - index);
  const options = [
    { value: '', label: `Newest (${newest})` },
    ...labels.map(({ name, version }) => ({ value: `label:${name}`, label: `${name} (${version})` })),
    ...numbers.map((number) => ({ value: `version:${number}`, label: `Version ${number}` })),
  ];
  const { version, label } = wantedOf(use);
  const isListed = options.some(({ value }) => value === use);
  const other = version !== undefined ? `Version ${version}` : (label ?? '');
  return (
    <NativeSelect
      label="Version"
      description="Unsaved changes are not included."
      value={other === '' && !isListed ? '' : use}
      data={isListed || other === '' ? options : [...options, { value: use, label: other }]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
