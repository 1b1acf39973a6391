import { generateKeyPairSync } from 'node:crypto';
import { createAgentTokenSigner } from '@millwright/auth/agent-tokens';
import { createSpending } from '@millwright/budgets';
import { openPluginConfig } from '@millwright/catalog';
import { asRole, createDatabase } from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { createAskFilter } from '@millwright/guards';
import { createLogger } from '@millwright/http/process';
import { createMcpServers } from '@millwright/mcp';
import { createModels } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { createSchemaValidator } from '@millwright/schemas';
import { createSecretBox } from '@millwright/secrets';
import { createContextImages } from '../conversations/context-images.store.js';
import { createContextStore } from '../conversations/contexts.store.js';
import { createImageReader } from '../conversations/model-images.js';
import { createAgentLoop } from '../runs/agent-loop.js';
import { createApprovalGate } from '../runs/approvals/approval-gate.js';
import { createApprovalStore } from '@millwright/runs/approvals';
import { createRunSignals } from '@millwright/runs';
import { createRunService } from '../runs/runs.service.js';
import { createToolsets } from '../tools/agent-toolset.js';
import { createTriggerRunner } from './trigger-runner.js';

/**
 * A process that fires triggers and executes runs, so that tests can kill it. Its arguments are the URL of the database and the address of
 * the model.
 */
const [, , databaseUrl = '', endpoint = ''] = process.argv;

const db = createDatabase({ url: asRole(databaseUrl, 'runtime-api'), poolMax: 8, acquireTimeoutMs: 30_000 });
const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
const secrets = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
const signingKey = { kid: 'test', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), publicJwk: {} };
const definition = { name: 'house', endpoint, contextWindow: 128_000, fallbacks: [], timeoutMs: 30_000 };
const present = createModels({ models: [{ ...definition, prices: undefined }], fetch: egress.trusted() });
const models = { of: () => present };
const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
const contexts = createContextStore(db);
const askFilter = createAskFilter({
  ...{ fetch: egress.fetch, limiter: createRateLimiter() },
  openConfig: (filter) => openPluginConfig(secrets, filter),
});
const toolsets = createToolsets({
  ...{ db, secrets, askFilter, fetch: egress.fetch, validator: createSchemaValidator({ workers: 0 }) },
  servers: createMcpServers({ db, egress, secrets, maxMessageBytes: 1_048_576 }),
  agentTokenIssuer: { issuer: 'http://runtime.test', sign: createAgentTokenSigner(signingKey) },
  ...{ runtimeUrl: 'http://runtime.test', baseUrl: 'http://console.test', toolTimeoutMs: 1_000, unmarkedTools: 'ask' },
  approvalHours: 1,
  findSearchVector: () => Promise.resolve(undefined),
});
const approvals = createApprovalStore(db, { hours: 1, baseUrl: 'http://console.test' });
const loop = createAgentLoop(
  models,
  toolsets,
  createApprovalGate(approvals),
  createImageReader(createContextImages(db)),
);
const runService = createRunService({
  ...{ db, models, contexts, logger, loop, askFilter, signals: createRunSignals() },
  spending: createSpending({ db, models }),
  limits: { process: 200, project: 1_000, depth: 5 },
});
runService.start();
createTriggerRunner({ db, runService, logger }).start();
process.stdout.write('ready\n');
