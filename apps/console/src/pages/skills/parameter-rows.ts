import type { ParameterType, ParameterValue, SkillParameter } from '../../api/platform-records.js';

/** A parameter as a form edits it: all values are texts. */
export interface ParameterRow {
  /** React key of the row. */
  key: string;
  name: string;
  type: ParameterType;
  /** Allowed values; empty when any value is allowed. */
  choices: string[];
  /** Default value; empty without a default value. */
  preset: string;
}

export const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

let keys = 0;
export const newRow = (): ParameterRow => ({
  key: `row-${(keys += 1)}`,
  name: '',
  type: 'string',
  choices: [],
  preset: '',
});

export function rowsOf(parameters: Record<string, SkillParameter>): ParameterRow[] {
  return Object.entries(parameters).map(([name, { type, enum: choices = [], default: preset }]) => ({
    ...newRow(),
    name,
    type,
    choices: choices.map(String),
    preset: preset === undefined ? '' : String(preset),
  }));
}

/** Parses the text as a value of the type; `undefined` when it is invalid. */
export function valueOf(type: ParameterType, text: string): ParameterValue | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const number = text.trim() === '' ? NaN : Number(text);
  const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}

const KINDS: Readonly<Record<ParameterType, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
};

/** Returns the fault of a row, such as a name that another row has; null if there is no fault. */
export function faultOf(row: ParameterRow, rows: readonly ParameterRow[]): string | null {
  const { name, type, choices, preset } = row;
  if (!PARAMETER_NAME.test(name)) return 'A name starts with a letter or _, followed by letters, digits, _ . or -.';
  if (rows.some((other) => other !== row && other.name === name)) return 'Another parameter has this name.';
  const odd = choices.find((choice) => valueOf(type, choice) === undefined);
  if (odd !== undefined) return `“${odd}” is not ${KINDS[type]}.`;
  if (preset === '') return null;
  if (valueOf(type, preset) === undefined) return `The default “${preset}” is not ${KINDS[type]}.`;
  const isChoice = choices.some((choice) => valueOf(type, choice) === valueOf(type, preset));
  return choices.length === 0 || isChoice ? null : 'The default is not one of the allowed values.';
}

/** Makes the parameters that the API expects. The rows must have no fault. */
export function parametersOf(rows: readonly ParameterRow[]): Record<string, SkillParameter> {
  const entries = rows.map(({ name, type, choices, preset }): [string, SkillParameter] => {
    const values = choices.map((choice) => valueOf(type, choice)).filter((value) => value !== undefined);
    const value = preset === '' ? undefined : valueOf(type, preset);
    return [name, { type, ...(values.length > 0 && { enum: values }), ...(value !== undefined && { default: value }) }];
  });
  return Object.fromEntries(entries);
}
