import { JsonArea } from '../../ui/text-area.js';
import { schemaIn } from './prompt-fields.js';

export interface SchemaInputProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  /** What the server said last, in full sentences. */
  faults: readonly string[];
}

/** A JSON schema: what is wrong with it stands below it, as JSON and as a schema. */
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
