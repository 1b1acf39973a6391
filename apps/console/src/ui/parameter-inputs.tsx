import { Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { EFFORTS, parameterFaults, type ParameterValues } from './parameter-values.js';

export interface ParameterInputsProps {
  values: ParameterValues;
  onChange: (values: ParameterValues) => void;
  /** Message when the server refused the parameters. */
  error?: ReactNode;
}

/** Inputs for the parameters of model calls. An invalid value is marked while it is typed. */
export function ParameterInputs({ values, onChange, error }: ParameterInputsProps) {
  const faults = parameterFaults(values);
  const typed = (name: 'temperature' | 'top_p' | 'max_tokens') => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
    error: faults[name],
    autoComplete: 'off',
  });
  return (
    <Stack gap="md">
      <Group gap="md" align="flex-start" grow>
        <TextInput label="Temperature" inputMode="decimal" {...typed('temperature')} />
        <TextInput label="Top P" inputMode="decimal" {...typed('top_p')} />
        <TextInput label="Max tokens" inputMode="numeric" {...typed('max_tokens')} />
      </Group>
      <Select
        label="Reasoning effort"
        placeholder="Default"
        data={EFFORTS}
        clearable
        value={values.reasoning_effort || null}
        onChange={(effort) => onChange({ ...values, reasoning_effort: effort ?? '' })}
      />
      <TagsInput
        label="Stop sequences"
        placeholder={values.stop.length === 0 ? 'Type a text, press Enter' : ''}
        maxTags={4}
        value={values.stop}
        onChange={(stop) => onChange({ ...values, stop })}
      />
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
