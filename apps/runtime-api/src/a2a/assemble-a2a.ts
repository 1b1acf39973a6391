import { findDeletedAgentNamed } from '@millwright/catalog/deleted-agents';
import { encodeId, type Database } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import { createGate, type Budgets, type GateOptions } from '@millwright/http';
import { createWork, type Logger, type Work } from '@millwright/http/process';
import type { SecretBox } from '@millwright/secrets';
import type { RequestHandler } from 'express';
import { findAgent } from '../agents/find-agent.js';
import { inboxAt } from '@millwright/runs/approvals';
import type { ApprovalService } from '../runs/approvals/decide-approval.js';
import type { RunService } from '../runs/runs.service.js';
import { a2aEndpoint } from './a2a.endpoint.js';
import { createA2AChallenge } from './access.js';
import { createJsonRpc } from './json-rpc.endpoint.js';
import { createPushConfigs } from './push-configs.js';
import { createPushConfigStore } from './push-configs.store.js';
import { createRequestHandler } from './request-handler.js';
import { createRest } from './rest.endpoint.js';
import { createTaskStore } from './tasks.store.js';

export interface A2AOptions {
  db: Database;
  gating: GateOptions & { budgets: Required<Budgets> };
  runtimeUrl: string;
  runService: RunService;
  approvals: ApprovalService;
  /** Address of the console. */
  baseUrl: string;
  egress: Pick<Egress, 'checkReachable'>;
  secretBox: SecretBox;
  logger: Logger;
  work?: Work | undefined;
}

/** Assembles the A2A endpoints of the agents. */
export function a2aEndpoints(options: A2AOptions): RequestHandler[] {
  const { db, gating, runtimeUrl, runService, logger, work = createWork() } = options;
  const { limiter, budgets } = gating;
  const configs = createPushConfigStore(db, options.secretBox);
  const push = { ...configs, ...createPushConfigs(configs, options.egress) };
  const handler = createRequestHandler({
    ...{ db, push, runService, logger, work },
    tasks: createTaskStore(db),
    approvals: options.approvals,
    inboxUrl: inboxAt(options.baseUrl),
    imageUrl: (context, id) => `${runtimeUrl}/api/v1/contexts/${context}/images/${encodeId('img', id)}`,
  });
  return [
    a2aEndpoint({
      db,
      gate: createGate({ ...gating, challenge: createA2AChallenge(runtimeUrl) }),
      limiter,
      messages: budgets.messages,
      runtimeUrl,
      findAgent: (project, slug) => findAgent(db, project, slug),
      findDeleted: (project, slug) => findDeletedAgentNamed(db, project, slug),
      jsonRpc: createJsonRpc(handler),
      rest: createRest(handler),
    }),
  ];
}
