import type { Database } from '@millwright/db';
import { createGate, createWork, type GateOptions, type Logger, type Work } from '@millwright/http';
import type { Models } from '@millwright/models';
import type { RequestHandler } from 'express';
import { findAgent } from '../concierge/find-agent.js';
import type { ContextStore } from '../messages/contexts.store.js';
import type { RunService } from '../messages/run.service.js';
import { a2aEndpoint } from './a2a.endpoint.js';
import { createA2AChallenge } from './access.js';
import { createJsonRpc } from './json-rpc.endpoint.js';
import { createRequestHandler } from './request-handler.js';
import { createRest } from './rest.endpoint.js';
import { createTaskRunner } from './task-runner.js';
import type { TaskSignals } from './task-signals.js';
import { createTaskStore } from './tasks.store.js';

export interface A2AOptions {
  db: Database;
  gating: GateOptions;
  runtimeUrl: string;
  models: Models;
  contexts: ContextStore;
  runs: RunService;
  signals: Pick<TaskSignals, 'watch'>;
  logger: Logger;
  work?: Work | undefined;
}

/** The agents' A2A endpoints. */
export function a2aEndpoints(options: A2AOptions): RequestHandler[] {
  const { db, gating, runtimeUrl, models, contexts, runs, signals, logger, work = createWork() } = options;
  const { limiter, budgets } = gating;
  const tasks = createTaskStore(db);
  const runner = createTaskRunner({ db, tasks, contexts, runs, signals, logger, work });
  const handler = createRequestHandler({ tasks, contexts, models, runner, signals });
  return [
    a2aEndpoint({
      db,
      gate: createGate({ ...gating, challenge: createA2AChallenge(runtimeUrl) }),
      limiter,
      messages: budgets.messages ?? { name: 'messages', limit: 60 },
      runtimeUrl,
      findAgent: (project, slug) => findAgent(db, project, slug),
      jsonRpc: createJsonRpc(handler),
      rest: createRest(handler),
    }),
  ];
}
