import { deleteInSteps, Prisma, type Step } from '@millwright/db';

/** Conversations that are deleted together. */
const TOGETHER = 500;

/**
 * Deletes the conversations of deleted agents, and those that their users deleted, with their messages, tasks and runs. Nobody reaches them:
 * they are read by their agent. A deleted agent is kept in mind for an hour more, because a message that was on its way may have begun a
 * conversation.
 *
 * @returns how many conversations.
 */
export async function forgetAgents(step: Step): Promise<{ contexts: number }> {
  let contexts = 0;
  for (let ids = await nextContexts(step); ids.length > 0; ids = await nextContexts(step)) {
    // One conversation may be longer than a cascade has time for.
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
      SELECT c.id FROM deleted_agents d JOIN contexts c ON c.agent_id = d.id LIMIT ${TOGETHER}`,
  );
  return rows.map(({ id }) => id);
}

const deletion = (table: string, column: string, ids: readonly string[]) => (limit: number) => Prisma.sql`
  DELETE FROM ${Prisma.raw(table)} WHERE id = ANY(ARRAY(
    SELECT id FROM ${Prisma.raw(table)} WHERE ${Prisma.raw(column)} = ANY(${ids}::uuid[]) LIMIT ${limit}))`;
