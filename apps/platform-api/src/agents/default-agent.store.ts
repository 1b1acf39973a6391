import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { raiseAgents, readAgentRecord } from '@millwright/catalog';
import { decodeId, encodeId, lockRecord, type Target, type Tx, type Versioned } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Agent } from './agents.contract.js';

/** One mark for the installation: whoever moves it waits for whoever does. @returns the UUID of the agent that has it */
async function holdMark(tx: Tx): Promise<string | undefined> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('default-agent', 0))`;
  return (await tx.defaultAgent.findFirst())?.agent_id;
}

/** Moves the mark to this agent. The one that had it, which may be another project's, changes with it. */
export async function markDefaultAgent(tx: Tx, { project, actor }: Caller, target: Target): Promise<Versioned<Agent>> {
  const marked = await holdMark(tx);
  const { id } = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
  if (marked !== id) {
    await tx.defaultAgent.upsert({ where: { one: true }, create: { agent_id: id }, update: { agent_id: id } });
    await raiseAgents(tx, actor, marked === undefined ? [id] : [id, marked]);
    const detail = marked === undefined ? {} : { instead_of: encodeId('ag', marked) };
    await recordDecision(tx, { actor, action: 'agent.mark_default', resource: target.id, project, detail });
  }
  return readAgentRecord(tx, id);
}

/** @throws AppError not_found when the mark is not this agent's. */
export async function unmarkDefaultAgent(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
  const marked = await holdMark(tx);
  const { id } = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
  if (marked !== id) throw new AppError('not_found');
  await tx.defaultAgent.delete({ where: { one: true } });
  await raiseAgents(tx, actor, [id]);
  await recordDecision(tx, { actor, action: 'agent.unmark_default', resource: target.id, project });
}
