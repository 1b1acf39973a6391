import { encodeId, type Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Models } from '@millwright/models';
import { findAgent } from '../concierge/find-agent.js';
import type { ContextStore } from './contexts.store.js';
import { refuseTooLong } from './instructions.js';
import { sendMessage, type Progress } from './messages.contract.js';
import type { RunService } from './run.service.js';

export function messageRoutes(db: Database, contexts: ContextStore, models: Models, runs: RunService): Route[] {
  return [
    route(sendMessage, async ({ caller, params, body, commit, idempotencyKey, emit }) => {
      const agent = await findAgent(db, caller.project, params.agent_name);
      if (!agent) throw new AppError('not_found');
      if (agent.status !== 'active') throw invalidField('agent_name', 'is stopped');
      const model = agent.model ?? models.defaultModel;
      const { content } = body;
      await refuseTooLong(agent, content, models.contextWindow(model));
      const context = await contexts.open(caller, agent, { content, contextId: body.context_id, idempotencyKey });
      const report = emit && (({ event, data }: Progress) => emit(event, data));
      report?.({ event: 'message.started', data: { agent: agent.slug, context_id: encodeId('ctx', context.id) } });
      // Not tied to the client's connection: a run whose client leaves is finished and found in the context.
      const answer = await runs.run({ caller, agent, context, content, model, idempotencyKey, report });
      return commit(async (tx) => ({ body: await contexts.answer(tx, caller, agent, context.id, answer) }));
    }),
  ];
}
