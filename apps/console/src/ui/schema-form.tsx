import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { objectIn, type Schema } from '../api/json-schema.js';
import { fieldsOf, readInput, type InputField } from './schema-fields.js';
import { JsonArea, TextArea } from './text-area.js';

/** An input as it was typed. */
export interface SchemaInput {
  /** Typed values by property name. */
  texts: Record<string, string>;
  /** The whole input as JSON, used instead of the fields. */
  json: string | null;
}

export interface SchemaFormProps {
  schema: Schema;
  input: SchemaInput;
  change: (changes: Partial<SchemaInput>) => void;
  /** Label of the input for the whole value as JSON. */
  label: string;
  /** Text that is shown when the schema has no properties. */
  none: string;
  /** Faults from the server, by property name. */
  refused?: Readonly<Record<string, string>>;
}

/** One field for each property of a schema, or one input for the whole value as JSON. */
export function SchemaForm({ schema, input: trial, change, label, none, refused = {} }: SchemaFormProps) {
  const fields = fieldsOf(schema);
  const { value, faults } = readInput(fields, trial.texts);
  if (trial.json !== null) {
    return (
      <Stack gap="xs">
        <JsonArea
          label={label}
          description="A JSON object that the schema accepts."
          minRows={4}
          maxRows={20}
          value={trial.json}
          onChange={(json) => change({ json })}
          error={objectIn(trial.json) ? undefined : 'Enter a JSON object.'}
        />
        <Switch to="fields" onClick={() => change({ json: null })} />
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={trial.texts[field.name] ?? field.preset}
          onChange={(text) => change({ texts: { ...trial.texts, [field.name]: text } })}
          error={faults[field.name] ?? refused[field.name]}
        />
      ))}
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <Switch to="JSON" onClick={() => change({ json: JSON.stringify(value, null, 2) })} />
    </Stack>
  );
}

function Switch({ to, onClick }: { to: 'JSON' | 'fields'; onClick: () => void }) {
  return (
    <div>
      <Button size="compact-xs" variant="subtle" color="gray" ml={-8} onClick={onClick}>
        {to === 'JSON' ? 'Edit as JSON' : 'Edit as form'}
      </Button>
    </div>
  );
}

interface FieldProps {
  field: InputField;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

function Field({ field: { name, description, kind, isRequired, choices }, value, onChange, error }: FieldProps) {
  const shared = { label: name, description, error, withAsterisk: isRequired, value };
  if (kind === 'choice' || kind === 'boolean') {
    const options = kind === 'boolean' ? ['true', 'false'] : choices;
    return (
      <NativeSelect
        {...shared}
        data={[{ value: '', label: 'Not set' }, ...options.filter((option) => option !== '')]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'json') return <JsonArea {...shared} minRows={2} maxRows={12} onChange={onChange} />;
  if (kind === 'text') {
    return (
      <TextArea
        {...shared}
        minRows={1}
        maxRows={10}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
