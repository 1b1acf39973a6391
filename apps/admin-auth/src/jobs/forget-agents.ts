import { deleteInSteps, Prisma, type Step } from '@millwright/db';

/**
 * Deletes the conversations of deleted agents, with their messages and tasks. Nobody reaches them: they are read by their agent. An
 * agent is kept in mind for an hour more, because a message that was on its way may have begun a conversation.
 *
 * @returns how many conversations.
 */
export async function forgetAgents(step: Step): Promise<{ contexts: number }> {
  const agents = await step((tx) => tx.$queryRaw<{ id: string }[]>`SELECT id FROM deleted_agents`);
  let contexts = 0;
  for (const { id } of agents) {
    contexts += await deleteInSteps(
      step,
      (limit) => Prisma.sql`
        DELETE FROM contexts WHERE id = ANY(ARRAY(SELECT id FROM contexts WHERE agent_id = ${id}::uuid LIMIT ${limit}))`,
    );
    await step(
      (tx) => tx.$executeRaw`DELETE FROM deleted_agents WHERE id = ${id}::uuid AND at < now() - interval '1 hour'`,
    );
  }
  return { contexts };
}
