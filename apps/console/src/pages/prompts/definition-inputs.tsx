import { Group, Stack, TextInput } from '@mantine/core';
import { TextArea } from '../../ui/text-area.js';
import type { DefinitionValues } from './prompt-fields.js';
import { PromptPicker } from './prompt-picker.js';
import { SchemaBuilder } from './schema-builder.js';

export interface DefinitionInputsProps {
  /** Name of the definition. */
  label: 'Input' | 'Output';
  schemaText: string;
  values: DefinitionValues;
  onChange: (values: DefinitionValues) => void;
  /** Faults from the server, by the path within the definition. */
  faults: readonly { path: string; reason: string }[];
}

/** Inputs for a prompt's input or output definition. */
export function DefinitionInputs({ label, schemaText, values, onChange, faults }: DefinitionInputsProps) {
  const set = (changes: Partial<DefinitionValues>) => onChange({ ...values, ...changes });
  const ofReference = faults.filter(({ path }) => path.startsWith('reference'));
  const ofSchema = faults.filter((fault) => !ofReference.includes(fault));
  return (
    <Stack gap="md">
      <Group gap="md" align="flex-start" wrap="wrap">
        <TextInput
          label={`${label} name`}
          maxLength={200}
          autoComplete="off"
          flex="1 1 200px"
          value={values.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextArea
          label={`${label} description`}
          minRows={1}
          maxRows={6}
          maxLength={10_000}
          flex="2 1 280px"
          value={values.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      </Group>
      <SchemaBuilder
        label={`${label} schema`}
        description={schemaText}
        value={values.schema}
        onChange={(schema) => set({ schema })}
        faults={ofSchema.map(({ path, reason }) => `${path.replace(/^schema\.?/, '') || 'The schema'}: ${reason}.`)}
      />
      <PromptPicker
        kind={label === 'Input' ? 'input' : 'output'}
        label={`${label} references`}
        description={`Prompts whose ${label.toLowerCase()} schemas apply as well.`}
        max={20}
        value={values.reference}
        onChange={(reference) => set({ reference })}
        error={ofReference.length > 0 ? ofReference.map(({ reason }) => `${reason}.`).join(' ') : undefined}
      />
    </Stack>
  );
}
