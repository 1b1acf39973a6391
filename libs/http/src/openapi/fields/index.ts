import { accessFields } from './access.js';
import { recordFields } from './records.js';
import { promptFields, runFields } from './runs.js';
import type { FieldWords } from './words.js';

/** All descriptions of fields. Each field name is in only one of the lists. */
export const FIELD_LISTS: readonly FieldWords[] = [recordFields, runFields, promptFields, accessFields];

const words: FieldWords = Object.assign({}, ...FIELD_LISTS) as FieldWords;

/**
 * Returns the name of the record for a schema's name: `Trigger` for `NewTrigger`, `CreatedTrigger`, `TriggerChanges`,
 * `TriggerReplacement` and `TriggerSummary`.
 */
function recordOf(schema: string): string {
  return schema.replace(/^(New|Created)(?=[A-Z])/, '').replace(/(Changes|Replacement|Summary)$/, '');
}

/** The description of a field. `owner` is the named schema, the operation or the field that contains it. */
export function describeField(owner: string, name: string): string | undefined {
  return words[`${owner}.${name}`] ?? words[`${recordOf(owner)}.${name}`] ?? words[name];
}
