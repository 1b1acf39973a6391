import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { requireAgent } from '../agents/find-agent.js';
import type { AskAgentService } from './ask-agent.service.js';
import { sendMessage, type Progress } from './messages.contract.js';

export function messageRoutes(db: Database, askAgent: Pick<AskAgentService, 'open' | 'answer'>): Route[] {
  return [
    route(sendMessage, async ({ caller, params, body, commit, idempotencyKey, emit }) => {
      const agent = await requireAgent(db, caller.project, params.agent_name);
      const request = await askAgent.open({
        caller,
        agent,
        content: body.content,
        contextId: body.context_id,
        idempotencyKey,
      });
      const onProgress = emit && (({ event, data }: Progress) => emit(event, data));
      return askAgent.answer(request, { onProgress }, (store) => commit(async (tx) => ({ body: await store(tx) })));
    }),
  ];
}
