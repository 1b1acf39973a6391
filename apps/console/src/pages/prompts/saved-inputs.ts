import { isJsonObject } from '@millwright/json';
import { currentProject } from '../../api/project.js';
import type { Trial } from './trial.js';

/** An input that the browser saves for later trials. */
export interface SavedInput extends Pick<Trial, 'message' | 'texts' | 'json'> {
  name: string;
  /** The expected answer of a case; null for an input without an expected answer. */
  expected: string | null;
}

/** Limit of the inputs of one prompt; a further input replaces the oldest. */
export const MOST_INPUTS = 20;

const isTexts = (value: unknown): value is Record<string, string> =>
  isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');

/** Parses saved inputs; invalid inputs are left out. */
export function readInputs(kept: string | null): SavedInput[] {
  let list: unknown;
  try {
    list = JSON.parse(kept ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown): SavedInput[] => {
    if (!isJsonObject(one)) return [];
    const { name, message, texts, json, expected } = one;
    if (typeof name !== 'string' || typeof message !== 'string' || !isTexts(texts)) return [];
    const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
    return [{ name, message, texts, json: textOf(json), expected: textOf(expected) }];
  });
}

/** Adds an input to the list; it replaces an input with the same name. */
export const withInput = (inputs: readonly SavedInput[], added: SavedInput): SavedInput[] =>
  [...inputs.filter(({ name }) => name !== added.name), added].slice(-MOST_INPUTS);

/** Key in the browser's storage for the inputs of a prompt of the chosen project. */
const placeOf = (promptId: string | undefined) => `workbench:${currentProject()}:${promptId ?? 'new'}`;

export const keptInputs = (promptId: string | undefined): SavedInput[] =>
  readInputs(window.localStorage.getItem(placeOf(promptId)));

export function keepInputs(promptId: string | undefined, inputs: readonly SavedInput[]): void {
  const place = placeOf(promptId);
  if (inputs.length === 0) window.localStorage.removeItem(place);
  else window.localStorage.setItem(place, JSON.stringify(inputs));
}

/** Sorts the keys of a JSON value, so that equal values become equal texts; other text is returned unchanged. */
function comparable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
      isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
    );
  } catch {
    return text.trim();
  }
}

/** Whether an answer is as expected: the same JSON value, or the same text. */
export const isExpected = (answer: string, expected: string): boolean => comparable(answer) === comparable(expected);
