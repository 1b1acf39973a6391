import { findRunnableAgent } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Models } from '@millwright/models';
import { answerText } from './answer-text.js';
import type { ContextStore } from './contexts.store.js';
import { modelMessages } from './instructions.js';
import { sendMessage } from './messages.contract.js';

export function messageRoutes(db: Database, contexts: ContextStore, models: Models): Route[] {
  return [
    route(sendMessage, async ({ caller, params, body, commit, idempotencyKey }) => {
      const agent = await findRunnableAgent(db, caller.project, params.agent_name);
      if (!agent) throw new AppError('not_found');
      if (agent.status !== 'active') throw invalidField('agent_name', 'is stopped');
      const model = agent.model ?? models.defaultModel;
      const windowTokens = models.contextWindow(model); // refuses an unknown model before anything is kept
      const context = await contexts.open(caller, agent, body.content, body.context_id);
      // Not tied to the client's connection: a run whose client leaves is finished and found in the context.
      const answer = await models.complete({
        model,
        messages: modelMessages(agent, context.history, body.content, windowTokens),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      const text = answerText(answer);
      return commit(async (tx) => ({
        body: await contexts.answer(tx, caller, agent, context.id, { ...answer, text }),
      }));
    }),
  ];
}
