import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Part } from '../../api/prompt-records.js';
import { MetadataInputs } from '../../ui/metadata-inputs.js';
import { Section } from '../../ui/section.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { DefinitionInputs } from './definition-inputs.js';
import { NameUnknown } from './name-unknown.js';
import { schemaIn, type DefinitionValues, type PromptValues } from './prompt-fields.js';
import classes from './prompts.module.css';
import { RenderedView } from './rendered-view.js';
import { TemplateInput } from './template-input.js';
import { useDraft } from './use-draft.js';
import { useTokens } from './use-tokens.js';

export interface PromptFormProps {
  prompt: PromptValues;
  isNew?: boolean;
  isSaving: boolean;
  /** `saved` has to be called before another page opens. */
  onSave: (prompt: PromptValues, saved: () => void) => void;
}

const INSTRUCTIONS: readonly { part: Part; label: string; description: string; lines: number }[] = [
  { part: 'static', label: 'Static', description: 'Who the model is: the first system message.', lines: 5 },
  { part: 'state', label: 'State', description: 'Where things stand: the second system message.', lines: 3 },
  { part: 'dynamic', label: 'Dynamic', description: 'What each run asks for: the user message.', lines: 5 },
];

const jsonFault = ({ schema }: DefinitionValues) => {
  const found = schemaIn(schema);
  return typeof found === 'string' ? found : null;
};

export function PromptForm({ prompt, isNew = false, isSaving, onSave }: PromptFormProps) {
  const form = useForm({
    initialValues: prompt,
    validate: {
      title: (title) => (title.trim() === '' ? 'Give it a title: it is found by it.' : null),
      input: jsonFault,
      output: jsonFault,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const draft = useDraft(form.values);
  const tokens = useTokens(form.values);
  const { data } = draft;
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
  return (
    <form onSubmit={form.onSubmit((values) => onSave(values, saved))}>
      <Section title="What it is">
        <Stack gap="md">
          <MetadataInputs form={form} about="What it is for, and who runs it." />
        </Stack>
      </Section>
      <Section
        title="Instructions"
        text="Three messages to a model. A token such as {{message}} is filled when the prompt is run."
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
          {draft.error && (
            <Alert color="gray" py="xs" role="status">
              It could not be checked as you typed: {draft.error.message}
            </Alert>
          )}
        </Stack>
      </Section>
      <Section title="Input" text="What a run brings besides its message. Each property can be a token.">
        <DefinitionInputs label="Input" schemaText="JSON Schema draft-07. Empty: anything." {...definition('input')} />
      </Section>
      <Section title="Output" text="The form that an answer must have. Each answer is checked against it.">
        <DefinitionInputs
          label="Output"
          schemaText="JSON Schema draft-07. Empty: any text."
          {...definition('output')}
        />
      </Section>
      {data && (
        <Section title="How it reads" text="As it is now, with its blocks. Tokens that a run fills stand as they are.">
          <RenderedView rendered={data.data} />
        </Section>
      )}
      <div className={classes.save}>
        {!isNew && (
          <TextInput
            label="What changed"
            placeholder="Kept with the version"
            maxLength={2_000}
            autoComplete="off"
            flex="1 1 280px"
            maw={520}
            {...form.getInputProps('log_message')}
          />
        )}
        <Button type="submit" loading={isSaving} disabled={!isNew && !form.isDirty()}>
          {isNew ? 'Create prompt' : 'Save'}
        </Button>
        {(form.errors['title'] ?? form.errors['input'] ?? form.errors['output']) !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            Not saved: something above is not right yet.
          </Text>
        )}
      </div>
    </form>
  );
}
