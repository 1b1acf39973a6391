import { isJsonObject } from '@millwright/json';
import type { Trial } from './trial.js';

/** An input that a browser keeps for later trials. */
export interface SavedInput extends Pick<Trial, 'message' | 'texts' | 'json'> {
  name: string;
}

/** Limit of the inputs of one prompt; the oldest makes room. */
export const MOST_INPUTS = 20;

const isTexts = (value: unknown): value is Record<string, string> =>
  isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');

/** Inputs as they were kept; what is no input is left out. */
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
    const { name, message, texts, json } = one;
    if (typeof name !== 'string' || typeof message !== 'string' || !isTexts(texts)) return [];
    return [{ name, message, texts, json: typeof json === 'string' ? json : null }];
  });
}

/** The inputs with this one, which replaces one of the same name. */
export const withInput = (inputs: readonly SavedInput[], added: SavedInput): SavedInput[] =>
  [...inputs.filter(({ name }) => name !== added.name), added].slice(-MOST_INPUTS);
