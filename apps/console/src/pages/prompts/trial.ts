import { useState } from 'react';
import type { Label, Prompt, Schema } from '../../api/prompt-records.js';
import { fieldsOf, objectIn, readInput } from './input-fields.js';

/** What a run brings, as it was typed. */
export interface Trial {
  message: string;
  /** By the name of the property. */
  texts: Record<string, string>;
  /** All of the input as JSON, in place of the fields. */
  json: string | null;
  model: string;
}

/** Kept while the prompt's page is open, so that one goes from trying to editing and back. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial>({ message: '', texts: {}, json: null, model: '' });
  return { trial, change: (changes: Partial<Trial>) => setTrial((now) => ({ ...now, ...changes })) };
}
export type TrialState = ReturnType<typeof useTrial>;

/** Which version is tried: a label, a number, or the newest. */
export type Wanted = { label?: string; version?: number };

export function wantedOf(use: string): Wanted {
  const [kind, ...rest] = use.split(':');
  const name = rest.join(':');
  if (kind === 'label' && name !== '') return { label: name };
  return kind === 'version' && /^[1-9]\d{0,8}$/.test(name) ? { version: Number(name) } : {};
}

/** Its number. */
export function versionOf({ label, version }: Wanted, prompt: Prompt, labels: readonly Label[]): number {
  return version ?? labels.find(({ name }) => name === label)?.version ?? prompt.metadata.version;
}

/** What is sent; `undefined` while the input is not one. */
export function inputOf({ message, texts, json }: Trial, schema: Schema): Record<string, unknown> | undefined {
  const said = message === '' ? {} : { message };
  if (json !== null) {
    const structured_data = objectIn(json);
    return structured_data && { ...said, structured_data };
  }
  const fields = fieldsOf(schema);
  const { value, faults } = readInput(fields, texts);
  if (Object.keys(faults).length > 0) return undefined;
  return fields.length === 0 ? said : { ...said, structured_data: value };
}
