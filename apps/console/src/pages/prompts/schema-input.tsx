import { JsonArea } from '../../ui/text-area.js';
import { schemaIn } from './prompt-fields.js';

export interface SchemaInputProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  /** Faults from the server's last answer, as sentences. */
  faults: readonly string[];
}

/** Input for a JSON Schema, with its faults below. */
export function SchemaInput({ label, description, value, onChange, faults }: SchemaInputProps) {
  const found = schemaIn(value);
  const errors = typeof found === 'string' ? [found] : faults;
  return (
    <JsonArea
      label={label}
      description={description}
      placeholder={'{ "type": "object", "properties": { "city": { "type": "string" } } }'}
      minRows={4}
      maxRows={24}
      formatOnBlur
      spellCheck={false}
      value={value}
      onChange={onChange}
      error={errors.length > 0 ? errors.map((error, index) => <span key={index}>{error} </span>) : undefined}
      styles={{ error: { overflowWrap: 'anywhere' } }}
    />
  );
}
