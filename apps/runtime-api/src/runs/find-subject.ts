import { AgentDraft, agentAtVersion, agentOfDraft, findRunnableAgent, type RunnableAgent } from '@millwright/catalog';
import { findDeletedAgent } from '@millwright/catalog/deleted-agents';
import type { Database } from '@millwright/db';
import { isOfUnsaved, type ClaimedRun } from '@millwright/runs';
import { z } from 'zod';
import { findAgent } from '../agents/find-agent.js';

const DraftInput = z.object({ draft: AgentDraft });

/**
 * Finds the agent of a run that a process continues, in the version or the draft with which the run was started. Returns `undefined` when
 * the agent was deleted before the run began, because such a run must not continue.
 */
export async function findSubject(db: Database, run: ClaimedRun): Promise<RunnableAgent | undefined> {
  const { caller, subject, channel, contextId, startedAt } = run;
  if (!isOfUnsaved(channel, subject.version)) {
    const present = await findAgent(db, caller.project, subject.name);
    if (present?.id === subject.id) return agentAtVersion(db, present, subject.version);
    const { id: agentId, version } = subject;
    return findDeletedAgent(db, caller.project, { agentId, version, startedAt });
  }
  const { draft } = DraftInput.parse(run.input);
  const [row] = await db.prepared<{ agent_id: string | null }>(
    'find-draft-id',
    'SELECT agent_id FROM contexts WHERE id = $1',
    [contextId],
  );
  const draftId = row?.agent_id ?? subject.id;
  const saved = subject.id === draftId ? undefined : await findRunnableAgent(db, caller.project, subject.name);
  const agent = await agentOfDraft(db, caller.project, draftId, draft, saved);
  return channel === 'responses' ? { ...agent, isUnnamed: true } : agent;
}
