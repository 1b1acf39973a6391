import { fuzzArea, fuzzSettings } from '@millwright/http-testing/fuzz';
import { createHttpClient } from '@millwright/testing';
import type { Prompt } from './prompts/prompts.contract.js';
import type { ResponseObject } from './responses/responses.contract.js';
import type { RunResult } from './runs/runs.contract.js';
import { startTestApp, type TestApp } from './test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ limitMultiplier: 100_000 });
});
afterAll(() => app.close());

const settings = fuzzSettings();

/** Fields of OpenAI that are refused unless they have no effect. */
const UNSUPPORTED = [
  ...['access_programs', 'background', 'context_management', 'image', 'include', 'max_tool_calls', 'moderation'],
  ...['prompt_cache_options', 'prompt_cache_retention', 'reasoning', 'service_tier', 'stream_options', 'tools'],
  ...['top_logprobs', 'top_p', 'verbosity'],
];
/** Number of responses to create: as many as a long run of this test deletes. */
const RESPONSES = 40;
const LABELS = ['staging', 'beta'];

async function newPrompt(): Promise<Prompt> {
  const body = { instruction: { dynamic: 'Greet {{name}}. {{message}}' }, input: {}, output: {}, metadata: {} };
  const schema = { properties: { name: { type: 'string' } } };
  const { body: prompt } = await app.call<Prompt>('POST', '/v1/prompt', { body: { ...body, input: { schema } } });
  for (const title of ['Second', 'Third'])
    await app.call('PUT', `/v1/prompt/${prompt.id}`, { body: { metadata: { title } } });
  for (const name of LABELS) await app.call('PUT', `/v1/prompt/${prompt.id}/label/${name}`, { body: { version: 2 } });
  return prompt;
}

/** Creates the records that the operations need: prompts with versions and labels, and the records of their runs. */
async function seed() {
  const [kept, ...prompts] = [await newPrompt(), await newPrompt(), await newPrompt(), await newPrompt()];
  const ofKept = { prompt: { id: kept.id }, input: 'Hi' };
  const run = await app.call<RunResult>('POST', `/v1/prompt/${kept.id}/openai`, { body: { message: 'Hi' } });
  const responses: string[] = [];
  for (let n = 0; n < RESPONSES; n += 1)
    responses.push((await app.call<ResponseObject>('POST', '/v1/responses', { body: ofKept })).body.id);
  const [previous = '', ...others] = responses;
  const known = {
    '/v1/prompt': prompts.map(({ id }) => id),
    '/v1/input': prompts.map(({ input }) => input.id),
    '/v1/output': prompts.map(({ output }) => output.id),
    '/v1/responses': others,
    '/v1/user': [app.author.id],
  };
  const examples = {
    ...Object.fromEntries(UNSUPPORTED.map((name) => [name, [null]])),
    '{name}': LABELS,
    label: LABELS,
    model: ['fake-model'],
    conversation: [run.body.data.conversation.id],
    previous_response_id: [previous],
    prompt: [
      { id: kept.id },
      { id: kept.id, version: '1', variables: { name: 'Bo' } },
      { id: kept.id, version: 'staging' },
    ],
  };
  return { known, examples };
}

describe('the prompt API under generated requests', () => {
  it(
    'answers each request as the OpenAPI document describes, and never with a server error',
    async () => {
      const document = (await createHttpClient(app.url)('GET', '/v1/openapi.json')).body as object;
      const credential = { 'api-key': await app.issueKey() };
      const report = await fuzzArea({ document, baseUrl: app.url, credential, ...(await seed()), ...settings });
      process.stdout.write(`prompt API fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
