import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, type ReactNode } from 'react';
import type { Part } from '../../api/prompt-records.js';
import { MetadataInputs } from '../../ui/metadata-inputs.js';
import { ParameterInputs } from '../../ui/parameter-inputs.js';
import { parameterFaults } from '../../ui/parameter-values.js';
import { Section } from '../../ui/section.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { fieldLabel } from '../versions/field-label.js';
import { DefinitionInputs } from './definition-inputs.js';
import { NameUnknown } from './name-unknown.js';
import { schemaIn, type DefinitionValues, type PromptValues } from './prompt-fields.js';
import { RenderedView } from './rendered-view.js';
import { TemplateInput } from './template-input.js';
import { useDraft } from './use-draft.js';
import { EditorColumns } from '../workbench/editor-columns.js';
import { useRawVariables, useTokens } from './use-tokens.js';

const Workbench = lazy(async () => ({ default: (await import('./workbench.js')).Workbench }));

export interface PromptFormProps {
  prompt: PromptValues;
  isNew?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
  onSave: (prompt: PromptValues, saved: () => void) => void;
  /** The saved prompt that is edited. */
  saved?: { id: string; version: number };
  /** Content below the preview. */
  aside?: ReactNode;
}

const INSTRUCTIONS: readonly { part: Part; label: string; description: string; lines: number }[] = [
  {
    part: 'static',
    label: fieldLabel('instruction.static'),
    description: 'First system message: who the model is.',
    lines: 5,
  },
  {
    part: 'state',
    label: fieldLabel('instruction.state'),
    description: 'Second system message: the current situation.',
    lines: 3,
  },
  {
    part: 'dynamic',
    label: fieldLabel('instruction.dynamic'),
    description: 'User message: what each run asks for.',
    lines: 5,
  },
];

const jsonFault = ({ schema }: DefinitionValues) => {
  const found = schemaIn(schema);
  return typeof found === 'string' ? found : null;
};

export function PromptForm({ prompt, isNew = false, isSaving, onSave, saved: edited, aside }: PromptFormProps) {
  const form = useForm({
    initialValues: prompt,
    validate: {
      title: (title) => (title.trim() === '' ? 'Enter a title.' : null),
      model_parameters: (values) =>
        Object.keys(parameterFaults(values)).length > 0 ? 'Correct the parameters.' : null,
      input: jsonFault,
      output: jsonFault,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const draft = useDraft(form.values);
  const tokens = useTokens(form.values);
  const { data } = draft;
  const rawVariables = useRawVariables(
    (data?.data.tokens ?? []).flatMap(({ name, source }) => (source === 'block' ? [name] : [])),
  );
  const sources = new Map(data?.data.tokens.map(({ name, source }) => [name, source]));
  const faultsOf = (kind: 'input' | 'output') =>
    (data?.faults ?? [])
      .filter(({ field }) => field.startsWith(`${kind}.`))
      .map(({ field, reason }) => ({ path: field.slice(kind.length + 1), reason }));
  const definition = (kind: 'input' | 'output') => ({
    values: form.values[kind],
    onChange: (values: DefinitionValues) => form.setFieldValue(kind, values),
    faults: faultsOf(kind),
  });
  const isInvalid = ['title', 'model_parameters', 'input', 'output'].some((field) => form.errors[field] !== undefined);
  return (
    <EditorColumns
      workbench={<Workbench values={form.values} saved={edited} />}
      aside={
        <>
          {data && (
            <Section title="Preview" text="With blocks filled in. Variables filled at run time are shown as they are.">
              <RenderedView rendered={data.data} />
            </Section>
          )}
          {aside}
        </>
      }
    >
      <form onSubmit={form.onSubmit((values) => onSave(values, saved))}>
        <Section title="Details">
          <Stack gap="md">
            <MetadataInputs form={form} about="Shown in the list of prompts." />
          </Stack>
        </Section>
        <Section
          title="Instructions"
          text="Three messages to the model. Variables such as {{message}} are filled at run time."
        >
          <Stack gap="lg">
            {INSTRUCTIONS.map(({ part, label, description, lines }) => (
              <TemplateInput
                key={part}
                label={label}
                description={description}
                lines={lines}
                value={form.values[part]}
                onChange={(text) => form.setFieldValue(part, text)}
                sources={sources}
                findings={(data?.findings ?? []).filter((finding) => finding.part === part)}
                tokenCount={data?.data.token_counts[part]}
                tokens={tokens}
              />
            ))}
            <NameUnknown
              tokens={data?.data.tokens ?? []}
              schema={form.values.input.schema}
              onChange={(schema) => form.setFieldValue('input', { ...form.values.input, schema })}
            />
            {rawVariables.map(({ block, names }) => (
              <Alert key={block} color="yellow" py="xs" role="status">
                The block <bdi>{block}</bdi> has{' '}
                {names
                  .slice(0, 10)
                  .map((name) => `{{${name}}}`)
                  .join(', ')}
                , sent as plain text: variables in blocks are not filled.
              </Alert>
            ))}
            {draft.error && (
              <Alert color="gray" py="xs" role="status">
                Checking as you type failed: {draft.error.message}
              </Alert>
            )}
          </Stack>
        </Section>
        <Section title="Input" text="Structured data sent with each message. Each property can be used as a variable.">
          <DefinitionInputs
            label="Input"
            schemaText="JSON Schema (draft-07). Leave empty to accept anything."
            {...definition('input')}
          />
        </Section>
        <Section title="Output" text="The structure of the answer. Each answer is validated against it.">
          <DefinitionInputs
            label="Output"
            schemaText="JSON Schema (draft-07). Leave empty to accept any text."
            {...definition('output')}
          />
        </Section>
        <Section title="Model parameters" text="What is empty is left to the model. A run's own come first.">
          <ParameterInputs
            values={form.values.model_parameters}
            onChange={(values) => form.setFieldValue('model_parameters', values)}
            error={form.errors['model_parameters']}
          />
        </Section>
        {isInvalid && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="sm">
            Not saved. Fix the errors above first.
          </Text>
        )}
        {isNew ? (
          <CreateActions isSaving={isSaving} cancelTo="/prompts">
            Create prompt
          </CreateActions>
        ) : (
          <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset}>
            <TextInput
              aria-label="Change note"
              placeholder="Change note (optional)"
              maxLength={2_000}
              autoComplete="off"
              {...form.getInputProps('log_message')}
            />
          </SaveActions>
        )}
      </form>
    </EditorColumns>
  );
}
