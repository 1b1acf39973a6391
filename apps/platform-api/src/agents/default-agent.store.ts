import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { AGENTS, bumpAgentVersions, readAgentRecord } from '@millwright/catalog';
import { ADVISORY_LOCKS, encodeId, type Target, type Tx, type Versioned } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Agent } from './agents.contract.js';

/** Locks the installation's single default mark until the transaction ends. @returns the UUID of the default agent */
async function lockMark(tx: Tx): Promise<string | undefined> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('default-agent', ${ADVISORY_LOCKS.named}))`;
  return (await tx.defaultAgent.findFirst())?.agent_id;
}

/** Makes this agent the default. The former default agent, possibly of another project, gets a new version too. */
export async function markDefaultAgent(tx: Tx, caller: Caller, target: Target): Promise<Versioned<Agent>> {
  const { project, actor } = caller;
  const marked = await lockMark(tx);
  const { id } = await AGENTS.lock(tx, caller, target);
  if (marked !== id) {
    await tx.defaultAgent.upsert({ where: { one: true }, create: { agent_id: id }, update: { agent_id: id } });
    await bumpAgentVersions(tx, actor, marked === undefined ? [id] : [id, marked]);
    const detail = marked === undefined ? {} : { instead_of: encodeId('ag', marked) };
    await recordDecision(tx, { actor, action: 'agent.mark_default', resource: target.id, project, detail });
  }
  return readAgentRecord(tx, id);
}

/** @throws AppError not_found when this agent is not the default. */
export async function unmarkDefaultAgent(tx: Tx, caller: Caller, target: Target): Promise<void> {
  const { project, actor } = caller;
  const marked = await lockMark(tx);
  const { id } = await AGENTS.lock(tx, caller, target);
  if (marked !== id) throw new AppError('not_found');
  await tx.defaultAgent.delete({ where: { one: true } });
  await bumpAgentVersions(tx, actor, [id]);
  await recordDecision(tx, { actor, action: 'agent.unmark_default', resource: target.id, project });
}
