import type { Caller } from '@millwright/auth';
import { decodeId, newId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Finds conversations with drafts of agents. A job deletes these conversations some days after their last message. */
export function createDraftStore(db: Database) {
  return {
    /**
     * Returns the draft id of the conversation, or a new id when `contextId` is undefined. @throws AppError not_found when the user has no such
     * conversation with a draft
     */
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
  };
}
export type DraftStore = ReturnType<typeof createDraftStore>;
