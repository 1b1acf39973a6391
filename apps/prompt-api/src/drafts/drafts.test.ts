import type { Prompt } from '../prompts/prompts.contract.js';
import type { GenerateResult } from '../runs/runs.contract.js';
import { greeting, like, startTestApp, type CallOptions, type TestApp } from '../test-app.js';
import type { DraftResult } from './drafts.contract.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.call('POST', '/v1/block', { body: { prefix: 'house_rules', content: 'Be kind.', metadata: {} } });
});
afterAll(() => app.close());

const check = (body: object, options: CallOptions = {}) =>
  app.call<DraftResult>('POST', '/v1/render', { ...options, body });
const { instruction, input } = greeting;

describe('POST /v1/render', () => {
  it('renders like the saved prompt, names the source of each token, and stores nothing', async () => {
    const sent = { message: 'be kind', structured_data: { name: 'Bo' } };
    const draft = { ...greeting, instruction: { ...instruction, static: '{{house_rules}}' } };
    const before = await app.db.prisma.prompt.count();
    const { status, body } = await check({ ...draft, ...sent });
    expect([status, await app.db.prisma.prompt.count()]).toEqual([200, before]);

    const prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body: draft })).body;
    const saved = (await app.call<GenerateResult>('POST', `/v1/prompt/${prompt.id}`, { body: sent })).body;
    const { tokens, ...data } = body.data;
    expect({ ...data, prompt }).toEqual(saved.data);
    expect(body).toMatchObject({ success: true, warnings: saved.warnings, faults: [], findings: [] });
    expect(tokens).toEqual([
      { name: 'house_rules', source: 'block' },
      { name: 'conversation.history', source: 'built_in' },
      { name: 'name', source: 'input' },
      { name: 'message', source: 'built_in' },
    ]);
  });

  it('reports the positions of malformed tokens and unknown names', async () => {
    const { body } = await check({
      instruction: { state: 'Fine.', dynamic: 'Hi {{name}},\n{{nobody}} and {{open' },
      input,
    });
    expect(body).toMatchObject({
      success: true,
      findings: [
        { part: 'dynamic', line: 2, column: 1, reason: like(/{{nobody}}/) },
        { part: 'dynamic', line: 2, column: 16, reason: like(/never closed/) },
      ],
    });
    expect(body.data.tokens).toContainEqual({ name: 'nobody', source: null });
  });

  it("names all faults of both schemas and of the run's input in one answer", async () => {
    const schema = { properties: { a: { type: 'text' } } };
    const both = await check({ instruction, input: { schema }, output: { schema } });
    expect(both.body).toMatchObject({ success: false, data: { output_schema: {}, tokens: [] }, findings: [] });
    expect(both.body.faults.map(({ field }) => field)).toEqual([
      'input.schema.properties.a.type',
      'output.schema.properties.a.type',
    ]);
    const { body } = await check({ instruction, input, structured_data: { name: 1 } });
    expect(body).toMatchObject({ success: false, faults: [{ field: 'structured_data.name' }] });
    expect(body.data.static).toBe('You greet people.');
  });

  it('reads properties from referenced definitions, and reports a reference to a definition of another project', async () => {
    const other = (await app.call<Prompt>('POST', '/v1/prompt', { body: greeting })).body.input.id;
    const draft = { instruction: { dynamic: '{{name}}' }, input: { reference: [other] } };
    const { body } = await check(draft);
    expect([body.data.tokens, body.findings]).toEqual([[{ name: 'name', source: 'input' }], []]);
    const key = await app.issueKey({ project: 'Commerce' });
    const foreign = await check({ ...draft }, { key });
    expect(foreign.body).toMatchObject({
      success: false,
      faults: [{ field: 'input.reference', reason: `${other} does not exist` }],
    });
  });

  it('returns no block contents to a key without blocks:read', async () => {
    const key = await app.issueKey({ scopes: ['prompts:read'] });
    const { body } = await check({ instruction: { static: '{{house_rules}}' } }, { key });
    expect(body.data).toMatchObject({ static: '{{house_rules}}', tokens: [{ name: 'house_rules', source: null }] });
  });

  it('reports values for which the rendered text exceeds its limit', async () => {
    const { body } = await check({
      instruction: { dynamic: '{{message}}'.repeat(100) },
      message: 'x'.repeat(100_000),
    });
    expect(body).toMatchObject({ success: false, faults: [{ field: 'message', reason: like(/too long/) }] });
  });

  it.each([
    [{}, 'instruction'],
    [{ instruction: { static: 1 } }, 'instruction.static'],
    [{ instruction: {}, input: { schema: [] } }, 'input.schema'],
    [{ instruction: {}, structured_data: [] }, 'structured_data'],
  ])('answers 400 and names the invalid field for %j', async (body, field) => {
    const answer = await app.call('POST', '/v1/render', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(`${field}:`);
  });
});
