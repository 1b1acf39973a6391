import type { PluginType } from '../../api/platform-records.js';
import { propertiesOf, type Schema } from '../../api/json-schema.js';

/** A form field for one setting of a plugin. */
export interface ConfigField {
  name: string;
  description: string | undefined;
  kind: 'text' | 'secret' | 'integer' | 'number' | 'boolean' | 'choice' | 'json';
  isRequired: boolean;
  choices: string[];
}

/** Settings that have their own inputs in the form, by plugin type. */
export const OWN_SETTINGS: Readonly<Record<PluginType, readonly string[]>> = {
  tool: ['url', 'headers', 'input_schema'],
  data_source: ['url', 'headers'],
  integration: ['server_id'],
  filter: ['url', 'headers', 'secret', 'timeout_ms', 'calls_per_minute'],
};

/** Returns the settings that a plugin's own schema declares in addition to the settings of its type. */
export function configFields(type: PluginType, schema: Schema): ConfigField[] {
  return propertiesOf(schema)
    .filter(({ name }) => !OWN_SETTINGS[type].includes(name))
    .map(({ name, schema: setting, isRequired }) => {
      const { description, enum: choices } = setting;
      return {
        name,
        description: typeof description === 'string' ? description : undefined,
        kind: kindOf(setting),
        isRequired,
        choices: Array.isArray(choices) ? choices.map(String) : [],
      };
    });
}

function kindOf({ type, format, writeOnly, enum: choices }: Schema): ConfigField['kind'] {
  if (writeOnly === true || format === 'password') return 'secret';
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) return 'choice';
  if (type === 'string') return 'text';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'json';
}

/** Formats a setting's value as text of its form field. */
export const textOfValue = ({ kind }: ConfigField, value: unknown): string =>
  value === undefined
    ? ''
    : kind === 'json'
      ? JSON.stringify(value, null, 2)
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);

/** Parses a field's text; `undefined` when the text is empty. @throws SyntaxError for invalid JSON */
export function valueOfText({ kind }: ConfigField, text: string): unknown {
  if (text === '') return undefined;
  return kind === 'text' || kind === 'secret' || kind === 'choice' ? text : JSON.parse(text);
}

/** Returns the fault of a field's text, or null. */
export function faultOfText(field: ConfigField, text: string): string | null {
  if (text === '') return field.isRequired ? 'Required.' : null;
  try {
    const value = valueOfText(field, text);
    if (field.kind === 'integer' && !Number.isInteger(value)) return 'Enter an integer.';
    if (field.kind === 'number' && typeof value !== 'number') return 'Enter a number.';
    return null;
  } catch {
    return field.kind === 'json' ? 'Enter valid JSON.' : 'Enter a number.';
  }
}
