import type { Project } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { listGuardPolicies } from '@millwright/guards';
import type { AgentDraft } from '../agents/agents.schema.js';
import { slugify } from '../slug.js';
import { usesOf } from './agent-uses.js';
import { listActiveSkills, type RunnableAgent } from './runnable-agents.store.js';

/**
 * Returns the agent that a draft describes. `saved`: the agent that the draft changes; when it is missing, the draft is
 * a new agent.
 */
export async function agentOfDraft(
  db: Database,
  project: Project,
  draftId: string,
  draft: AgentDraft,
  saved: RunnableAgent | undefined,
): Promise<RunnableAgent> {
  const { skill_ids, plugin_ids, mcp_server_ids, agent_ids, ...fields } = draft;
  return {
    ...fields,
    id: saved?.id ?? draftId,
    slug: saved?.slug ?? (slugify(draft.name) || 'draft'),
    status: 'active',
    version: null,
    is_stopped: saved?.is_stopped ?? false,
    stopped_at: saved?.stopped_at ?? null,
    skills: await listActiveSkills(db, skill_ids),
    guard_policies: saved?.guard_policies ?? (await listGuardPolicies(db, project)),
    uses: usesOf({ plugin_ids, mcp_server_ids, agent_ids }),
    draftId,
  };
}
