import { decodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';

/** Limit of the messages that one statement replaces. It is also the number of turns that a conversation shows to its user. */
const MOST_REPLACED = 500;

interface Target {
  seq: number;
  was_replaced: boolean;
  last: number;
  is_busy: boolean;
  /** Number of messages to replace. Counting stops at one above the limit. */
  count: number;
}

/**
 * Marks a user's message and all later messages of a locked context as replaced, except answers to earlier messages. The next message that is stored
 * takes their place. The rows are not deleted, because earlier runs have read them.
 *
 * @returns whether the message had been replaced before, in which case nothing changes
 * @throws AppError validation_error when the context has no such message of a user, or too many messages follow it; conflict while a run of the
 * context has not ended.
 */
export async function replaceMessages(tx: Tx, contextId: string, messageId: string): Promise<boolean> {
  const [target] = await tx.$queryRaw<Target[]>`
    SELECT m.seq, m.replaced_by IS NOT NULL AS was_replaced,
           (SELECT max(seq) FROM context_messages WHERE context_id = m.context_id) AS last,
           EXISTS (SELECT FROM runs WHERE context_id = m.context_id AND state IN ('queued', 'running', 'waiting')) AS is_busy,
           (SELECT count(*) FROM (SELECT FROM context_messages n WHERE n.context_id = m.context_id AND n.seq >= m.seq
             AND n.replaced_by IS NULL LIMIT ${MOST_REPLACED + 1}) after)::int AS count
      FROM context_messages m
     WHERE m.id = ${decodeId('msg', messageId) ?? null}::uuid AND m.context_id = ${contextId}::uuid AND m.role = 'user'`;
  if (!target) throw invalidField('replaces', 'is not a message of yours in this conversation');
  if (target.was_replaced) return true;
  if (target.is_busy)
    throw new AppError('conflict', {
      fields: [{ field: 'context_id', reason: 'has a run that has not ended: cancel it or wait for it' }],
    });
  if (target.count > MOST_REPLACED)
    throw invalidField('replaces', `has more than ${MOST_REPLACED} messages after it: begin a new conversation`);
  await tx.$executeRaw`
    UPDATE context_messages m SET replaced_by = ${target.last + 1}
     WHERE context_id = ${contextId}::uuid AND seq >= ${target.seq} AND replaced_by IS NULL
       AND NOT EXISTS (SELECT FROM context_messages a WHERE a.id = m.answers_to AND a.seq < ${target.seq})`;
  return false;
}
