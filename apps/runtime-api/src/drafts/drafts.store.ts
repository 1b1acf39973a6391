import type { Caller } from '@millwright/auth';
import { decodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Days after its last message for which a conversation with a draft is kept. */
export const DRAFT_DAYS = 7;

/** The conversations with drafts of agents. A job deletes them. */
export function createDraftStore(db: Database) {
  return {
    /** The id of the draft in its conversation; a new id without a conversation. @throws AppError not_found */
    async idFor({ project, actor }: Caller, contextId: string | undefined): Promise<string> {
      if (contextId === undefined) return newId();
      const [row] = await db.prepared<{ id: string }>(
        'find-draft',
        `SELECT d.id FROM contexts c JOIN deleted_agents d ON d.id = c.agent_id AND d.at > now()
          WHERE c.id = $1 AND c.project = $2 AND c.user_id = $3`,
        [decodeId('ctx', contextId) ?? null, project, actor.userId],
      );
      if (!row) throw new AppError('not_found');
      return row.id;
    },

    /** Keeps the conversation of a draft for {@link DRAFT_DAYS} days from now. */
    keep: (tx: Tx, draftId: string) => tx.$executeRaw`
      INSERT INTO deleted_agents (id, at) VALUES (${draftId}::uuid, now() + make_interval(days => ${DRAFT_DAYS}::int))
      ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
  };
}
export type DraftStore = ReturnType<typeof createDraftStore>;
