import { NativeSelect, TextInput } from '@mantine/core';
import type { SkillParameter } from '../../api/platform-records.js';
import { valueFault } from './try-message.js';

export interface ParameterInputProps {
  name: string;
  parameter: SkillParameter;
  value: string;
  onChange: (value: string) => void;
}

/** Input for the value of a parameter. Empty values are left out of the message. */
export function ParameterInput({ name, parameter, value, onChange }: ParameterInputProps) {
  const choices = parameter.enum?.map(String) ?? (parameter.type === 'boolean' ? ['true', 'false'] : undefined);
  const shared = {
    label: name,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (choices) {
    return (
      <NativeSelect
        {...shared}
        data={[{ value: '', label: 'Not set' }, ...choices.map((choice) => ({ value: choice, label: choice }))]}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      maxLength={10_000}
      inputMode={parameter.type === 'string' ? 'text' : 'decimal'}
      error={valueFault(parameter, value)}
    />
  );
}
