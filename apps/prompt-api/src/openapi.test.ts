import { createSpending } from '@millwright/budgets';
import { createDatabase } from '@millwright/db';
import { capacityWith, createLogger, createMetrics } from '@millwright/http/process';
import { committedOpenApi, DOCUMENTED_URLS, openApiFaults } from '@millwright/http-testing';
import { createModels, loadModels } from '@millwright/models';
import { createRateLimiter } from '@millwright/rate-limit';
import { createHttpClient, listen, referenceFaults } from '@millwright/testing';
import { createRunSignals } from '@millwright/runs';
import { createApp } from './app.js';
import { createAgentRuns } from './chat/agent-runs.js';
import { createPromptRuns } from './runs/prompt-runs.js';
import { createSchemaValidator } from '@millwright/schemas';

/** External guards, which are never called because no run starts. */
const NO_FILTERS = () => Promise.resolve(undefined);

describe('docs/openapi/prompt.json', () => {
  it('equals the served document and reference (run `npm run openapi` after a change) and is valid OpenAPI 3.1', async () => {
    const validator = createSchemaValidator();
    const db = createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 }); // never connected: the document is public
    const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
    const present = createModels({ models: loadModels({ MODEL_TIMEOUT_MS: 1_000 }), fetch });
    const models = { of: () => present };
    const signals = createRunSignals();
    const spending = createSpending({ db, models });
    const server = await listen(
      createApp({
        config: {
          BASE_URL: DOCUMENTED_URLS.platform,
          PROMPT_API_URL: DOCUMENTED_URLS.prompt,
          ...capacityWith(),
          TRUSTED_PROXY_HOPS: 0,
          AGENTS_PUBLISHED_BY_DEFAULT: true,
        },
        db,
        logger,
        metrics: createMetrics({ service: 'test', version: 'test' }),
        limiter: createRateLimiter(),
        models,
        promptRuns: createPromptRuns({ db, spending, signals, logger }),
        agentRuns: createAgentRuns({ db, models, signals, logger, askFilter: NO_FILTERS }),
        askFilter: NO_FILTERS,
        spending,
        validator,
      }),
    );
    const client = createHttpClient(server.url);
    const served = (await client('GET', '/v1/openapi.json')).body as object;
    const page = await client('GET', '/v1/docs');
    await server.close();
    await validator.close();
    expect(openApiFaults(served)).toEqual([]);
    expect(referenceFaults(page.text, served)).toEqual([]);
    const { committed, expected } = committedOpenApi('prompt', served);
    expect(committed).toBe(expected);
  });
});
