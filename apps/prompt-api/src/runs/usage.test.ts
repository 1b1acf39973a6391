import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, like, startTestApp, type Call, type TestApp } from '../test-app.js';
import type { RunResult } from './runs.contract.js';
import type { VersionUsage } from './usage.contract.js';

let app: TestApp;
let call: Call;
beforeAll(async () => {
  app = await startTestApp();
  const models = [
    { name: 'first', upstreamName: 'first-upstream', fallbacks: ['second'] },
    { name: 'second', prices: { input: 10, output: 20 } },
    { name: 'unpriced', prices: undefined },
  ];
  ({ call } = await app.startReplica({ models, modelTimeoutMs: 10_000 }));
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Two words.');
});

const create = async () => (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {} } })).body.id;
const run = async (id: string, body: object) => {
  const answer = await call<RunResult>('POST', `/v1/prompt/${id}/openai`, { body: { message: 'hi', ...body } });
  expect(answer.status).toBe(200);
  return answer.body;
};
const usage = async (id: string, version: number) => {
  const { status, body } = await app.call<VersionUsage>('GET', `/v1/prompt/${id}/version/${version}/usage`);
  expect(status).toBe(200);
  return body;
};

describe('GET /v1/prompt/{uuid}/version/{n}/usage', () => {
  it('returns zero usage before the first run', async () => {
    const id = await create();
    expect(await usage(id, 1)).toEqual({
      prompt: id,
      version: 1,
      runs: 0,
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      cost_usd: 0,
      unpriced_runs: 0,
      estimated_runs: 0,
      last_run: null,
      models: [],
    });
  });

  it('returns the runs, tokens and cost of that version, in total and by model', async () => {
    const id = await create();
    const one = await run(id, {});
    await app.call('PUT', `/v1/prompt/${id}`, { body: {} });
    await run(id, {});
    const again = await run(id, { version: 1 });
    const other = await run(id, { version: 1, model: 'second' });
    const tokens = (runs: RunResult[]) => {
      const add = (of: 'prompt_tokens' | 'completion_tokens' | 'total_tokens') =>
        runs.reduce((sum, { metadata }) => sum + metadata.usage[of], 0);
      return {
        prompt_tokens: add('prompt_tokens'),
        completion_tokens: add('completion_tokens'),
        total_tokens: add('total_tokens'),
      };
    };
    const cost = (input: number, output: number, used: ReturnType<typeof tokens>) =>
      expect.closeTo((input * used.prompt_tokens + output * used.completion_tokens) / 1e6, 9) as number;
    const [first, second] = [tokens([one, again]), tokens([other])];
    expect(await usage(id, 1)).toEqual({
      prompt: id,
      version: 1,
      runs: 3,
      usage: tokens([one, again, other]),
      cost_usd: expect.closeTo(
        (first.prompt_tokens +
          2 * first.completion_tokens +
          10 * second.prompt_tokens +
          20 * second.completion_tokens) /
          1e6,
        9,
      ) as number,
      unpriced_runs: 0,
      estimated_runs: 0,
      last_run: like(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      models: [
        { model: 'first', runs: 2, usage: first, cost_usd: cost(1, 2, first), unpriced_runs: 0, estimated_runs: 0 },
        {
          model: 'second',
          runs: 1,
          usage: second,
          cost_usd: cost(10, 20, second),
          unpriced_runs: 0,
          estimated_runs: 0,
        },
      ],
    });
    expect((await usage(id, 2)).runs).toBe(1);
  });

  it('returns the cost null, never 0, when a price is unknown; also returns the number of runs whose price is unknown', async () => {
    const id = await create();
    await run(id, { model: 'unpriced' });
    await run(id, {});
    const { cost_usd, unpriced_runs, models } = await usage(id, 1);
    expect([cost_usd, unpriced_runs]).toEqual([null, 1]);
    expect(models.map((model) => [model.model, model.cost_usd === null])).toEqual([
      ['first', false],
      ['unpriced', true],
    ]);
  });
});

describe('a model that fails', () => {
  it('is called three times; then its fallback answers, and the message, the usage and the audit row name the fallback', async () => {
    const id = await create();
    app.model.answerWith(({ body }) => (body.model === 'first-upstream' ? { status: 500 } : 'From the second.'));
    const { data, metadata, success } = await run(id, {});
    expect(app.model.requests.map(({ body }) => body.model)).toEqual([
      'first-upstream',
      'first-upstream',
      'first-upstream',
      'second',
    ]);
    expect(success).toBe(true);
    expect(data.message).toMatchObject({ content: 'From the second.', model: 'second' });
    expect(data.conversation.message.map(({ model }) => model)).toEqual(['second', 'second']);
    expect(metadata.model).toBe('second');
    expect((await usage(id, 1)).models.map(({ model, runs }) => [model, runs])).toEqual([['second', 1]]);
    const audit = await app.db.prisma.governanceDecision.findFirstOrThrow({
      where: { resource: id, action: 'prompt.run' },
    });
    expect(audit.detail).toMatchObject({ version: 1, model: 'second' });
  });

  it('is used without its fallback when one of the three calls succeeds', async () => {
    const id = await create();
    app.model.answerWith(() => (app.model.requests.length < 3 ? { status: 503 } : 'Third time.'));
    const { data } = await run(id, { model: 'second' });
    expect(data.message).toMatchObject({ content: 'Third time.', model: 'second' });
    expect(app.model.requests).toHaveLength(3);
    expect((await usage(id, 1)).runs).toBe(1);
  });

  it('leads to 503 when it fails at the repair call; the usage then includes the first call, which succeeded', async () => {
    const output = { schema: { type: 'object', required: ['sum'], properties: { sum: { type: 'integer' } } } };
    const { body: prompt } = await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {}, output } });
    app.model.answerWith(({ body }) =>
      String(body.messages.at(-1)?.content).startsWith('That answer does not fit') ? { status: 400 } : 'No JSON.',
    );
    const answer = await call('POST', `/v1/prompt/${prompt.id}/openai`, { body: { message: 'hi', model: 'second' } });
    expect(answer.status).toBe(503);
    const { runs, usage: used, cost_usd } = await usage(prompt.id, 1);
    expect([runs, used.completion_tokens]).toEqual([1, 2]);
    expect(cost_usd).toBeCloseTo((10 * used.prompt_tokens + 20 * used.completion_tokens) / 1e6, 9);
  });
});
