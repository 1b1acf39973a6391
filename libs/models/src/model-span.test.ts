import { createEgress } from '@millwright/egress';
import { inSpan, telemetryEvents, startTracing, type Tracing } from '@millwright/telemetry';
import { createFakeModel, createTraceCollector, type FakeModel, type TraceCollector } from '@millwright/testing';
import { createModels, type Models } from './index.js';

let collector: TraceCollector;
let tracing: Tracing;
let fake: FakeModel;
let models: Models;
const tokens: object[] = [];
telemetryEvents.modelTokens.listen((event) => tokens.push(event));
const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });

beforeEach(async () => {
  tokens.length = 0;
  [collector, fake] = await Promise.all([createTraceCollector(), createFakeModel()]);
  const config = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
  tracing = await startTracing({ service: 'models', version: '1', config, onError: () => undefined });
  const house = { name: 'house', upstreamName: 'upstream-7b', contextWindow: 8_000, fallbacks: [], timeoutMs: 5_000 };
  models = createModels({
    models: [{ ...house, endpoint: fake.url }],
    fetch: egress.trusted(),
    sleep: () => Promise.resolve(),
  });
});

afterEach(async () => {
  await models.close();
  await tracing.close();
  await Promise.all([collector.close(), fake.close()]);
});
afterAll(() => egress.close());

const messages = [{ role: 'user' as const, content: 'a question of nobody’s concern' }];
const asked = <Result>(work: () => Promise<Result>) => inSpan('request', { parent: 'root' }, work);

async function tries() {
  await tracing.close();
  expect(collector.written()).not.toMatch(/nobody|told in confidence/);
  return collector.spans.filter(({ name }) => name === 'chat house');
}

const answered = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'upstream-7b',
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.usage.input_tokens': expect.any(Number) as number,
  'gen_ai.usage.output_tokens': expect.any(Number) as number,
};

describe('span of a try at a model', () => {
  it('contains the model and the numbers of tokens, but no content', async () => {
    fake.answerWith('told in confidence');
    const { usage } = await asked(() => models.complete({ messages }));
    expect(await tries()).toMatchObject([{ kind: 3, failed: false, attributes: answered }]);
    expect(tokens).toEqual([{ model: 'house', input: usage.prompt_tokens, output: usage.completion_tokens }]);
  });

  it('lasts until the stream of the answer ends', async () => {
    fake.answerWith('told in confidence');
    await asked(async () => {
      const kinds: string[] = [];
      for await (const { type } of models.stream({ messages })) kinds.push(type);
      expect(kinds.at(-1)).toBe('answer');
    });
    expect(await tries()).toMatchObject([{ failed: false, attributes: answered }]);
    expect(tokens).toHaveLength(1);
  });

  it('is recorded for each try, with the type of the error of a failed try', async () => {
    fake.answerWith({ status: 429 });
    await expect(asked(() => models.complete({ messages }))).rejects.toMatchObject({ code: 'unavailable' });
    const failures = (await tries()).map(({ failed, attributes }) => [failed, attributes['error.type']]);
    expect(failures).toEqual(Array.from({ length: 3 }, () => [true, 'rate_limited']));
    expect(tokens).toEqual([]);
  });
});
