import { decodeAnyId } from '@millwright/db';
import { isJsonObject } from '@millwright/json';

/** Depth to which an answer is searched for ids of records, as in `data.conversation.id`. */
const LEVELS = 3;

/**
 * UUIDs of the records that an answer contains: the `id` of each object, and the conversation that a message of an
 * agent names.
 */
export function recordsIn(body: unknown, levels = LEVELS): string[] {
  if (levels === 0 || !isJsonObject(body)) return [];
  const own = [body['id'], body['context_id']].flatMap((id) => (typeof id === 'string' ? (decodeAnyId(id) ?? []) : []));
  return [...own, ...Object.values(body).flatMap((value) => recordsIn(value, levels - 1))];
}
