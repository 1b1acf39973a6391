import { Prisma, type Tx } from '@millwright/db';
import { createGuards, selectBuiltInPolicies, type GuardPolicy } from '@millwright/guards';

const POLICIES = Prisma.raw(
  selectBuiltInPolicies(
    't.project',
    ' OR g.agent_id = (SELECT a.id FROM agents a WHERE a.project = t.project AND a.slug = t.agent)',
  ),
);

/**
 * Redacts the message of a firing before it is stored. Returns `undefined` when a guard of the agent blocks the
 * message.
 */
export async function guardMessage(tx: Tx, triggerId: string, message: string): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ policies: GuardPolicy[] }[]>`
    SELECT ${POLICIES} AS policies FROM triggers t WHERE t.id = ${triggerId}::uuid`;
  const { value, blocked } = await createGuards(row?.policies ?? []).text('input', message);
  return blocked ? undefined : value;
}
