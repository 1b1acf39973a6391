import type { PluginType } from '../../api/platform-records.js';

type Schema = Readonly<Record<string, unknown>>;

/** One setting of a plugin, as a form asks for it. */
export interface ConfigField {
  name: string;
  description: string | undefined;
  kind: 'text' | 'secret' | 'integer' | 'number' | 'boolean' | 'choice' | 'json';
  isRequired: boolean;
  choices: string[];
}

/** What each type asks for by itself. Forms draw these in their own way. */
export const OWN_SETTINGS: Readonly<Record<PluginType, readonly string[]>> = {
  tool: ['url', 'headers', 'input_schema'],
  data_source: ['url', 'headers'],
  integration: ['server_id'],
};

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The settings that a plugin's own schema declares besides those of its type. */
export function configFields(type: PluginType, schema: Schema): ConfigField[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties)
    .filter(([name]) => !OWN_SETTINGS[type].includes(name))
    .map(([name, of]) => {
      const setting = isObject(of) ? of : {};
      const { description, enum: choices } = setting;
      return {
        name,
        description: typeof description === 'string' ? description : undefined,
        kind: kindOf(setting),
        isRequired: required.includes(name),
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

/** A value as the form has it. */
export const textOfValue = ({ kind }: ConfigField, value: unknown): string =>
  value === undefined
    ? ''
    : kind === 'json'
      ? JSON.stringify(value, null, 2)
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);

/** What the form's text means; `undefined` where there is none. @throws SyntaxError for what is no JSON */
export function valueOfText({ kind }: ConfigField, text: string): unknown {
  if (text === '') return undefined;
  return kind === 'text' || kind === 'secret' || kind === 'choice' ? text : (JSON.parse(text) as unknown);
}

/** What is wrong with a text; `null` when nothing is. */
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

/** A JSON object in a text; `undefined` where it holds none. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
