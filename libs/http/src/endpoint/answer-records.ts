import { decodeAnyId } from '@millwright/db';
import { isJsonObject } from '@millwright/json';

/** Depth to which an answer is searched for ids of records: `data.conversation.id`. */
const LEVELS = 3;

/** UUIDs of the records that an answer shows, each at the `id` of its object; a message of an agent names its conversation. */
export function recordsIn(body: unknown, levels = LEVELS): string[] {
  if (levels === 0 || !isJsonObject(body)) return [];
  const own = [body['id'], body['context_id']].flatMap((id) => (typeof id === 'string' ? (decodeAnyId(id) ?? []) : []));
  return [...own, ...Object.values(body).flatMap((value) => recordsIn(value, levels - 1))];
}
