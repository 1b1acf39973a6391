import { bearer, createApiKeyVerifier, createAuthenticator, createGatewayVerifier, header } from '@millwright/auth';
import type { Spending } from '@millwright/budgets';
import { anthropicError } from '@millwright/errors';
import { createAreaRouter, credentialBelow, createServiceApp, planLimits, type AreaDeps } from '@millwright/http';
import { createWork, serviceVersion, type Capacity } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import type { ExtractionBudget } from '@millwright/documents';
import type { ProjectModels } from '@millwright/models';
import type { AskFilter } from '@millwright/guards';
import type { Express, Request } from 'express';
import type { AgentRuns } from './chat/agent-runs.js';
import type { Config } from './config.js';
import { createRoutes } from './endpoints.js';
import { createMessage } from './messages/messages.contract.js';
import type { PromptRuns } from './runs/prompt-runs.js';
import type { SchemaValidator } from '@millwright/schemas';

export interface AppDeps extends AreaDeps {
  config: Pick<
    Config,
    'BASE_URL' | 'PROMPT_API_URL' | keyof Capacity | 'TRUSTED_PROXY_HOPS' | 'AGENTS_PUBLISHED_BY_DEFAULT'
  >;
  models: ProjectModels;
  validator: SchemaValidator;
  promptRuns: PromptRuns;
  agentRuns: AgentRuns;
  spending: Pick<Spending, 'reserve'>;
  /** Calls external guards. */
  askFilter: AskFilter;
  /** Limits of the time and memory of the thread that reads a document. */
  extraction?: ExtractionBudget;
}

const limits = planLimits('prompt');

/** Creates the app that serves the prompt API. */
export function createApp({
  config,
  db,
  limiter,
  logger,
  metrics,
  work,
  counts,
  models,
  validator,
  promptRuns,
  agentRuns,
  askFilter,
  spending,
  extraction,
}: AppDeps): Express {
  const verify = createApiKeyVerifier(db, requestOrigin);
  const verifyGatewayToken = createGatewayVerifier(db, { issuer: config.BASE_URL, area: 'prompt' });
  // Clients that send `api-key` expect status 403 for a wrong key; all other clients expect status 401.
  const onInvalid = ({ headers }: Pick<Request, 'headers'>) =>
    headers['api-key'] === undefined ? ('unauthorized' as const) : ('forbidden' as const);
  const area = createAreaRouter({
    area: 'prompt',
    routes: createRoutes({
      ...{ db, models, validator, promptRuns, agentRuns, askFilter, spending, extraction },
      work: work ?? createWork(),
      publishedByDefault: config.AGENTS_PUBLISHED_BY_DEFAULT,
    }),
    accessOf: credentialBelow('/v1'),
    authenticate: createAuthenticator(
      [
        { name: 'api-key-header', read: header('api-key'), verify },
        { name: 'api-key-bearer', read: bearer, verify },
        { name: 'api-key-anthropic', read: header('x-api-key'), verify },
        { name: 'gateway-token-header', read: header('api-key'), verify: verifyGatewayToken },
        { name: 'gateway-token-bearer', read: bearer, verify: verifyGatewayToken },
      ],
      { onInvalid },
    ),
    onInvalid,
    docsUrl: `${config.BASE_URL}/docs`,
    errorFormOf: (path) => (path === createMessage.path ? anthropicError : undefined),
    challenge: 'ApiKey realm="millwright"',
    budgets: limits.budgets,
    openApi: {
      path: '/v1/openapi.json',
      info: {
        title: 'Millwright prompt API',
        description: 'Prompts, runs, conversations, artifacts and blocks.',
        version: serviceVersion,
        server: config.PROMPT_API_URL,
        limits: limits.phrases,
        security: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
    capacity: config,
    db,
    limiter,
    logger,
    metrics,
    work,
    counts,
  });
  return createServiceApp({
    area: 'prompt',
    logger,
    metrics,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    handlers: [area],
  });
}
