import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type Failure, type TestApp } from '../test-app.js';
import type { GenerateResult, RunResult } from './runs.contract.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modelTimeoutMs: 5_000 });
});
afterAll(() => app.close());

const LARGEST = 1_000_000;
const create = (changes: object) =>
  app.call<Prompt & Failure>('POST', '/v1/prompt', { body: { ...greeting, input: {}, ...changes } });
const render = async (id: string, body: object) => {
  const answer = await app.call<GenerateResult & Failure>('POST', `/v1/prompt/${id}`, { body });
  return { status: answer.status, ...answer.body };
};

describe('a hostile template', () => {
  it('of up to a megabyte is stored and rendered, and its tokens are counted; a longer template is answered with 400 or 413', async () => {
    const text = `{{message}} ${'and so on '.repeat(LARGEST / 10 - 2)}`;
    const { status, body } = await create({ instruction: { dynamic: text } });
    expect(status).toBe(201);
    const { data, ...answer } = await render(body.id, { message: 'Hi' });
    expect([answer.status, answer.warnings]).toEqual([200, []]);
    expect(data.dynamic).toBe(text.replace('{{message}}', 'Hi'));
    expect(data.token_counts.dynamic).toBeGreaterThan(250_000);
    const longer = await create({ instruction: { static: 'x'.repeat(LARGEST + 1) } });
    expect({ status: longer.status, message: longer.body.message }).toEqual({
      status: 400,
      message: expect.stringContaining(' instruction.static: ') as string,
    });
    expect((await create({ instruction: { static: 'x'.repeat(1_100_000) } })).status).toBe(413);
  });

  it("that exceeds the model's window is answered 400 without a call of the model, and the error names the prompt", async () => {
    const { body } = await create({
      instruction: { static: 'and so on '.repeat(LARGEST / 10), dynamic: '{{message}}' },
    });
    app.model.requests.length = 0;
    const run = await app.call('POST', `/v1/prompt/${body.id}/openai`, { body: { message: 'Hi' } });
    expect([run.status, run.body.error?.code]).toEqual([400, 'validation_error']);
    expect(run.body.message).toContain(' prompt: is too long');
    expect(app.model.requests).toEqual([]);
  });

  it('with 10,000 tokens is rendered, and each token without a value is named once', async () => {
    const known = await create({ instruction: { dynamic: '{{message}},'.repeat(10_000) } });
    expect((await render(known.body.id, { message: 'a' })).data.dynamic).toBe('a,'.repeat(10_000));
    const unknown = await create({
      instruction: { dynamic: Array.from({ length: 10_000 }, (_, n) => `{{t${n}}}`).join('') },
    });
    const { status, warnings, data } = await render(unknown.body.id, {});
    expect([status, warnings.length, data.parsed_tokens.length]).toEqual([200, 10_000, 10_000]);
  });

  it('with an unclosed token is rendered and sent to the model with this token unchanged', async () => {
    const text = '{{message and {{ name }';
    const { body } = await create({ instruction: { static: text, dynamic: '{{message}}' } });
    expect((await render(body.id, { message: 'Hi' })).data).toMatchObject({ static: text, parsed_tokens: ['message'] });
    app.model.requests.length = 0;
    const run = await app.call<RunResult>('POST', `/v1/prompt/${body.id}/openai`, { body: { message: '{{name}}' } });
    expect(run.body.success).toBe(true);
    expect(app.model.requests[0]?.body.messages.map(({ content }) => content)).toEqual([text, '{{name}}']);
  });
});

describe('a hostile schema', () => {
  it('is checked in linear time even with a pattern that causes backtracking', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    const { status, body } = await create({ input: { schema } });
    expect(status).toBe(201);
    const start = performance.now();
    const refused = await render(body.id, { structured_data: { name: `${'a'.repeat(100_000)}!` } });
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(' structured_data.name: ');
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('whose check takes too long is answered 400 or 503, and other requests are served meanwhile', async () => {
    const doubled = (n: number) => ({ anyOf: [{ $ref: `#/definitions/d${n}` }, { $ref: `#/definitions/d${n}` }] });
    const definitions = Object.fromEntries([
      ...Array.from({ length: 40 }, (_, n) => [`d${n}`, doubled(n + 1)]),
      ['d40', { type: 'string' }],
    ]) as object;
    const schema = { type: 'object', properties: { name: { $ref: '#/definitions/d0' } }, definitions };
    const { status, body } = await create({ input: { schema } });
    if (status !== 201) {
      expect([400, 503]).toContain(status);
      return;
    }
    const attack = render(body.id, { structured_data: { name: 1 } });
    const other = await create({ instruction: { dynamic: 'fine' } });
    expect((await render(other.body.id, {})).data.dynamic).toBe('fine');
    expect([400, 503]).toContain((await attack).status);
  });
});
