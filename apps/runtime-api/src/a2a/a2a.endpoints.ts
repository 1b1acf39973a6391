import type { Database } from '@millwright/db';
import { createGate, type Budgets, type GateOptions } from '@millwright/http';
import { createWork, type Logger, type Work } from '@millwright/http/process';
import type { RequestHandler } from 'express';
import { findAgent } from '../agents/find-agent.js';
import type { AskAgentService } from '../conversations/ask-agent.service.js';
import { a2aEndpoint } from './a2a.endpoint.js';
import { createA2AChallenge } from './access.js';
import { createChunkWriter } from './chunk-writer.js';
import { createJsonRpc } from './json-rpc.endpoint.js';
import { createRequestHandler } from './request-handler.js';
import { createRest } from './rest.endpoint.js';
import { createTaskNotifier } from './task-notifier.js';
import { createTaskRunner } from './task-runner.js';
import type { TaskSignals } from './task-signals.js';
import { createTaskStore } from './tasks.store.js';

export interface A2AOptions {
  db: Database;
  gating: GateOptions & { budgets: Required<Budgets> };
  runtimeUrl: string;
  askAgent: AskAgentService;
  signals: Pick<TaskSignals, 'watch'>;
  logger: Logger;
  work?: Work | undefined;
}

/** The agents' A2A endpoints. */
export function a2aEndpoints(options: A2AOptions): RequestHandler[] {
  const { db, gating, runtimeUrl, askAgent, signals, logger, work = createWork() } = options;
  const { limiter, budgets } = gating;
  const notifier = createTaskNotifier({
    db,
    onError: (err) => logger.warn({ err }, 'changes of tasks could not be notified'),
  });
  const tasks = createTaskStore(db, notifier);
  const chunks = createChunkWriter({
    write: (added) => tasks.addChunks(added),
    onError: (err) => logger.warn({ err }, "parts of tasks' answers could not be stored"),
  });
  const runner = createTaskRunner({ tasks, chunks, askAgent, signals, logger, work });
  const handler = createRequestHandler({ tasks, askAgent, runner, signals });
  return [
    a2aEndpoint({
      db,
      gate: createGate({ ...gating, challenge: createA2AChallenge(runtimeUrl) }),
      limiter,
      messages: budgets.messages,
      runtimeUrl,
      findAgent: (project, slug) => findAgent(db, project, slug),
      jsonRpc: createJsonRpc(handler),
      rest: createRest(handler),
    }),
  ];
}
