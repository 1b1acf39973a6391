import { deleteInSteps, Prisma, type Step } from '@millwright/db';

/** Number of conversations that one step deletes. */
const TOGETHER = 500;

/**
 * SQL condition: the conversation `c` still needs one of its runs. This is a run that finishes although its agent was deleted, a run whose
 * parent has not read its answer yet, or a run that ended within the last hour and may still be followed.
 */
const IS_UNDER_WAY =
  Prisma.raw(`EXISTS (SELECT FROM deleted_agent_versions k WHERE k.agent_id = c.agent_id) AND EXISTS (
  SELECT FROM runs r LEFT JOIN runs above ON above.id = r.parent_id
   WHERE r.context_id = c.id AND (r.ended_at IS NULL OR r.ended_at > now() - interval '1 hour' OR (above.id IS NOT NULL AND above.ended_at IS NULL)))`);

/**
 * Deletes three kinds of conversations, with their messages, tasks and runs: those of deleted agents, those that their users deleted, and
 * expired conversations with drafts. Nobody can read them, because conversations are read through their agent. When a run still finishes on
 * a version of a deleted agent, its conversation is deleted an hour after that run. The record of a deleted agent, with its versions, is
 * kept as long as its conversations and for another hour, because a concurrent message may have started a conversation.
 * @returns the number of deleted conversations.
 */
export async function forgetAgents(step: Step): Promise<{ contexts: number }> {
  let contexts = 0;
  for (let ids = await nextContexts(step); ids.length > 0; ids = await nextContexts(step)) {
    // Dependent rows are deleted first and in steps, because a cascade over a long conversation could exceed the statement timeout.
    await deleteInSteps(step, deletion('context_messages', 'context_id', ids));
    await deleteInSteps(step, deletion('tasks', 'context_id', ids));
    await deleteInSteps(step, deletion('runs', 'context_id', ids));
    contexts += await deleteInSteps(step, deletion('contexts', 'id', ids));
  }
  await deleteInSteps(
    step,
    (limit) => Prisma.sql`
      DELETE FROM deleted_agents WHERE id = ANY(ARRAY(
        SELECT id FROM deleted_agents d WHERE at < now() - interval '1 hour'
           AND NOT EXISTS (SELECT FROM contexts c WHERE c.agent_id = d.id) LIMIT ${limit}))`,
  );
  return { contexts };
}

async function nextContexts(step: Step): Promise<string[]> {
  const rows = await step(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      SELECT c.id FROM deleted_agents d JOIN contexts c ON c.agent_id = d.id 
       WHERE d.at <= now() AND NOT (${IS_UNDER_WAY}) LIMIT ${TOGETHER}`,
  );
  return rows.map(({ id }) => id);
}

const deletion = (table: string, column: string, ids: readonly string[]) => (limit: number) => Prisma.sql`
  DELETE FROM ${Prisma.raw(table)} WHERE id = ANY(ARRAY(
    SELECT id FROM ${Prisma.raw(table)} WHERE ${Prisma.raw(column)} = ANY(${ids}::uuid[]) LIMIT ${limit}))`;
