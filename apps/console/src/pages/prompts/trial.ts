import { useState } from 'react';
import { objectIn } from '../../api/json-schema.js';
import type { Label, Prompt, Schema } from '../../api/prompt-records.js';
import { fieldFaults } from '../../ui/field-faults.js';
import { fieldsOf, readInput } from '../../ui/schema-fields.js';
import type { SchemaInput } from '../../ui/schema-form.js';

/** The inputs of a run as they were typed. */
export interface Trial extends SchemaInput {
  message: string;
  model: string;
}

/** Keeps the inputs while the prompt's page is open, also while the user looks at another tab of the page. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial>({ message: '', texts: {}, json: null, model: '' });
  return { trial, change: (changes: Partial<Trial>) => setTrial((now) => ({ ...now, ...changes })) };
}
export type TrialState = ReturnType<typeof useTrial>;

/** The version to run: a label, a number, or the newest. */
export type Wanted = { label?: string; version?: number };

export function wantedOf(use: string): Wanted {
  const [kind, ...rest] = use.split(':');
  const name = rest.join(':');
  if (kind === 'label' && name !== '') return { label: name };
  return kind === 'version' && /^[1-9]\d{0,8}$/.test(name) ? { version: Number(name) } : {};
}

/** Returns the number of the version to run. */
export function versionOf({ label, version }: Wanted, prompt: Prompt, labels: readonly Label[]): number {
  return version ?? labels.find(({ name }) => name === label)?.version ?? prompt.metadata.version;
}

/** Makes the input of a run; `undefined` while it is not valid JSON. */
export function inputOf({ message, texts, json }: Trial, schema: Schema): Record<string, unknown> | undefined {
  const sent = message === '' ? {} : { message };
  if (json !== null) {
    const structured_data = objectIn(json);
    return structured_data && { ...sent, structured_data };
  }
  const fields = fieldsOf(schema);
  const { value, faults } = readInput(fields, texts);
  if (Object.keys(faults).length > 0) return undefined;
  return fields.length === 0 ? sent : { ...sent, structured_data: value };
}

/** The faults of a refused run by the name of their input: a property, `message` or `model`. */
export function inputFaults(error: Error | null | undefined): Record<string, string> {
  const faults = Object.entries(fieldFaults(error));
  return Object.fromEntries(
    faults.map(([field, reason]) => [field.replace(/^structured_data\.([^.]+).*$/, '$1'), reason]),
  );
}
