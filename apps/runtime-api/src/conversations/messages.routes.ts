import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { requireAgent } from '../agents/find-agent.js';
import type { RunService } from '../runs/runs.service.js';
import { sendMessage, type Progress } from './messages.contract.js';

export function messageRoutes(db: Database, runService: Pick<RunService, 'startRun' | 'executeRun'>): Route[] {
  return [
    route(sendMessage, async ({ caller, params, body, commit, idempotencyKey, emit }) => {
      const agent = await requireAgent(db, caller.project, params.agent_name);
      const run = await runService.startRun({
        caller,
        agent,
        content: body.content,
        contextId: body.context_id,
        channel: 'messages',
        idempotencyKey,
      });
      const onProgress = emit && (({ event, data }: Progress) => emit(event, data));
      return runService.executeRun(run, { onProgress }, (store) => commit(async (tx) => ({ body: await store(tx) })));
    }),
  ];
}
