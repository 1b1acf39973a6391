import type { Database } from '@millwright/db';
import { preferencesOf, route, type Route } from '@millwright/http';
import { requireAgent } from '../agents/find-agent.js';
import { acceptRun, acceptStored, type MessageDeps } from '../runs/start-run.js';
import { readGivenImages } from '../conversations/given-images.js';
import type { Progress } from '../conversations/progress.js';
import { sendMessage } from './messages.contract.js';

export function messageRoutes(db: Database, deps: MessageDeps): Route[] {
  const { service } = deps;
  return [
    route(sendMessage, async ({ caller, params, body, headers, commit, idempotencyKey, emit }) => {
      const agent = await requireAgent(db, caller.project, params.agent_name);
      const request = {
        caller,
        agent,
        content: body.content,
        images: readGivenImages(body.images, body.context_id),
        contextId: body.context_id,
        replaces: body.replaces,
        channel: 'messages' as const,
        idempotencyKey,
      };
      if (preferencesOf(headers.prefer).respondAsync && !emit)
        return acceptRun(deps, request, commit, { 'Preference-Applied': 'respond-async' });
      const onProgress = emit && (({ event, data }: Progress) => emit(event, data));
      const onWaiting = (runId: string) => acceptStored(deps, caller, runId, commit);
      const run = await service.startRun(request);
      return service.executeRun(run, { onProgress, onWaiting }, (store) =>
        commit(async (tx) => ({ body: await store(tx) })),
      );
    }),
  ];
}
