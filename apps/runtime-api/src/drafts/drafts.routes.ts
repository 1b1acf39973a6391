import { agentOfDraft, findRunnableAgent, recordRefusal, type AgentRules } from '@millwright/catalog';
import { keepDraft } from '@millwright/catalog/drafts';
import type { Database, Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { requireAccess, route, type Route } from '@millwright/http';
import { readGivenImages } from '../conversations/given-images.js';
import { acceptRun, waitAsPreferred, type StartDeps } from '../runs/start-run.js';
import { runAgentDraft } from './drafts.contract.js';
import type { DraftStore } from './drafts.store.js';

const ACTION = 'run.draft';

/** Endpoints for runs of unsaved agents. They require the same scopes and valid fields as saving the agent and then running it. */
export function draftRoutes(db: Database, drafts: DraftStore, rules: AgentRules, start: StartDeps): Route[] {
  return [
    route(runAgentDraft, async ({ principal, caller, from, body, headers, commit, idempotencyKey, signal }) => {
      const { agent: name, content, images: given, context_id: contextId, budget, ...draft } = body;
      await requireAccess(db, { scope: 'agents:message' }, principal, {
        ...from,
        path: runAgentDraft.path,
        action: ACTION,
      });
      const saved = name === undefined ? undefined : await findRunnableAgent(db, caller.project, name);
      if (name !== undefined && !saved) throw invalidField('agent', 'does not exist');
      await recordRefusal(db, caller, { action: ACTION, resource: name ?? 'agent' }, () =>
        db.transaction((tx) => rules.checkDraft(tx, caller, draft, saved?.id)),
      );
      const draftId = await drafts.idFor(caller, contextId);
      const agent = await agentOfDraft(db, caller.project, draftId, draft, saved);
      const alongside = (tx: Tx) => keepDraft(tx, draftId);
      const images = readGivenImages(given, contextId);
      const message = {
        content,
        images,
        contextId,
        budget,
        idempotencyKey,
        agentField: 'agent',
        channel: 'draft',
      } as const;
      const reply = await acceptRun(start, { caller, agent, draft, alongside, ...message }, commit);
      return waitAsPreferred(start, caller, reply, { ...headers, signal });
    }),
  ];
}
