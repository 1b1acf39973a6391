import { accessFields } from './access.js';
import { recordFields } from './records.js';
import { promptFields, runFields } from './runs.js';
import type { FieldWords } from './words.js';

/** All descriptions of fields. Each field name is in only one of the lists. */
export const FIELD_LISTS: readonly FieldWords[] = [recordFields, runFields, promptFields, accessFields];

const words: FieldWords = Object.assign({}, ...FIELD_LISTS) as FieldWords;

/** The description of a field of `owner`, a named schema or another field. */
export function describeField(owner: string, name: string): string | undefined {
  return words[`${owner}.${name}`] ?? words[name];
}
