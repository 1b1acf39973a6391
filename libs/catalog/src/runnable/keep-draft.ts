import type { Tx } from '@millwright/db';

/** Number of days for which the conversation of an unsaved agent is kept after its last message. */
export const DRAFT_DAYS = 7;

/**
 * Keeps the conversation of an unsaved agent for {@link DRAFT_DAYS} days from now. After that time, a job deletes the
 * conversation.
 */
export async function keepDraft(tx: Tx, draftId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO deleted_agents (id, at) VALUES (${draftId}::uuid, now() + make_interval(days => ${DRAFT_DAYS}::int))
    ON CONFLICT (id) DO UPDATE SET at = excluded.at`;
}
