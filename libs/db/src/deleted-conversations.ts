import { Prisma } from './generated/client.js';
import { changeInSteps, deleteInSteps, type Step } from './delete-in-steps.js';

/**
 * Statements that delete the data of deleted conversations, at most `limit` rows each. `of` is a condition on
 * conversations `c`. A conversation with forks is kept, together with the messages that its forks share.
 */
export const deletedConversations = {
  /** SQL for messages that no fork shows. */
  messages: (of: Prisma.Sql, limit: number) => Prisma.sql`
    DELETE FROM conversation_messages WHERE id = ANY(ARRAY(
      SELECT m.id FROM conversations c
        CROSS JOIN LATERAL (SELECT coalesce(max(f.parent_until), 0) AS shared FROM conversations f WHERE f.parent_id = c.id) forks
        JOIN conversation_messages m ON m.conversation_id = c.id AND m.seq > forks.shared
       WHERE c.deleted_at IS NOT NULL AND ${of} LIMIT ${limit}))`,

  responses: (of: Prisma.Sql, limit: number) => Prisma.sql`
    DELETE FROM responses WHERE id = ANY(ARRAY(
      SELECT r.id FROM conversations c JOIN responses r ON r.conversation_id = c.id
       WHERE c.deleted_at IS NOT NULL AND ${of} LIMIT ${limit}))`,

  /** Deletes the texts of the conversations' runs; the figures of the runs are kept. */
  runs: (of: Prisma.Sql, limit: number) => Prisma.sql`
    UPDATE runs SET content_removed_at = now() WHERE id = ANY(ARRAY(
      SELECT r.id FROM conversations c JOIN runs r ON r.conversation_id = c.id
       WHERE c.deleted_at IS NOT NULL AND ${of} AND r.content_removed_at IS NULL AND r.ended_at IS NOT NULL LIMIT ${limit}))`,

  /** Deletes conversations without forks, after their messages and responses. */
  rows: (of: Prisma.Sql, limit: number) => Prisma.sql`
    DELETE FROM conversations WHERE id = ANY(ARRAY(
      SELECT c.id FROM conversations c
       WHERE c.deleted_at IS NOT NULL AND ${of}
         AND NOT EXISTS (SELECT FROM conversations f WHERE f.parent_id = c.id)
         AND NOT EXISTS (SELECT FROM conversation_messages m WHERE m.conversation_id = c.id)
         AND NOT EXISTS (SELECT FROM responses r WHERE r.conversation_id = c.id)
       ORDER BY c.id LIMIT ${limit}))`,
};

/**
 * Hides the conversations whose ids `due` selects, in the same way as a deletion by their user, and subtracts them from
 * the total of the list. `deletedConversations` deletes their rows later.
 */
export const hideConversations = (due: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH gone AS (
    UPDATE conversations SET deleted_at = now() WHERE id = ANY(ARRAY(${due})) AND deleted_at IS NULL RETURNING project, status),
  counted AS (
    INSERT INTO record_counts (project, kind, status, slot, n)
    SELECT project, 'conversations', status, 0, -count(*) FROM gone GROUP BY project, status ORDER BY project, status
    ON CONFLICT (project, kind, status, slot) DO UPDATE SET n = record_counts.n + excluded.n)
  SELECT FROM gone`;

/** Number of conversations per batch. */
const TOGETHER = 500;
/** A UUID that is greater than every id. The list of conversations, newest first, begins below it. */
const FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Removes the rows of deleted conversations, with their messages, responses and the texts of their runs. From a
 * conversation with forks, only the data that no fork shows are removed. The rest is removed after the forks.
 *
 * @returns the number of removed conversations.
 */
export async function forgetConversations(step: Step): Promise<{ conversations: number }> {
  let conversations = 0;
  // The newest conversations come first. A fork is newer than its parent, so the forks are removed before the parent.
  for (let last: string | undefined = FIRST; ;) {
    const ids = await deletedBefore(step, last);
    last = ids.at(-1);
    if (last === undefined) return { conversations };
    const among = Prisma.sql`c.id = ANY(${ids}::uuid[])`;
    await changeInSteps(step, (limit) => deletedConversations.runs(among, limit));
    await deleteInSteps(step, (limit) => deletedConversations.responses(among, limit));
    for (let gone = -1; gone !== 0; conversations += gone) {
      await deleteInSteps(step, (limit) => deletedConversations.messages(among, limit));
      gone = await deleteInSteps(step, (limit) => deletedConversations.rows(among, limit));
    }
  }
}

async function deletedBefore(step: Step, last: string): Promise<string[]> {
  const rows = await step(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM conversations WHERE deleted_at IS NOT NULL AND id < ${last}::uuid ORDER BY id DESC LIMIT ${TOGETHER}`,
  );
  return rows.map(({ id }) => id);
}
