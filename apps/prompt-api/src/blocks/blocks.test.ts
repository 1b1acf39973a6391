import type { Prompt } from '../prompts/prompts.contract.js';
import type { GenerateResult, RunResult } from '../runs/runs.contract.js';
import { greeting, startTestApp, type CallOptions, type Failure, type TestApp } from '../test-app.js';
import type { Block } from './blocks.contract.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const create = (prefix: unknown, content?: string, options: CallOptions = {}) =>
  app.call<Block & Failure>('POST', '/v1/block', { ...options, body: { prefix, content, metadata: {} } });
const promptOf = async (instruction: object, more: object = {}) =>
  (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {}, instruction, ...more } })).body;
const render = async (id: string, body: object = {}) =>
  (await app.call<GenerateResult>('POST', `/v1/prompt/${id}`, { body })).body;

describe('the prefix of a block', () => {
  it.each([undefined, '', 'a1', 'a-b', 'a b', 'ä', 'a\n', 'x'.repeat(101), 3])(
    'is refused with 400 when it is %j, and the error names the prefix',
    async (prefix) => {
      const { status, body } = await create(prefix);
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain(' prefix: ');
    },
  );

  it('is refused with 409 by POST and PUT when the project already has the prefix', async () => {
    expect((await create('taken')).status).toBe(201);
    const again = await create('taken');
    expect([again.status, again.body.error?.code]).toEqual([409, 'conflict']);
    const other = await create('Taken');
    expect(other.status).toBe(201);
    expect((await app.call('PUT', other.body._link, { body: { prefix: 'taken' } })).status).toBe(409);
    expect((await app.call<Block>('GET', other.body._link)).body).toMatchObject({
      prefix: 'Taken',
      metadata: { version: 1 },
    });
    expect((await create('taken', '', { key: await app.issueKey({ project: 'Commerce' }) })).status).toBe(201);
  });

  it('can be taken by only one of many concurrent requests, and is free again after its block is deleted', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('raced')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const winner = answers.find(({ status }) => status === 201);
    await app.call('DELETE', winner?.body._link ?? '');
    expect((await create('raced')).status).toBe(201);
  });
});

describe('a block in a prompt', () => {
  it('is inserted for each token {{prefix}} in every part of the prompt; tokens in the text of the block stay unchanged', async () => {
    await create('tone', 'Be kind. {{message}} \\{{ $&');
    await create('unused', 'never seen');
    const { id } = await promptOf({
      static: '{{tone}}',
      state: '{{ tone }}!',
      dynamic: '{{message}} {{tone}} {{toneless}}',
    });
    const { data, warnings } = await render(id, { message: 'Hi {{tone}}' });
    const tone = 'Be kind. {{message}} \\{{ $&';
    expect([data.static, data.state, data.dynamic]).toEqual([tone, `${tone}!`, `Hi {{tone}} ${tone} {{toneless}}`]);
    expect(data.parsed_tokens).toEqual(['tone', 'message', 'toneless']);
    expect(warnings).toEqual(['{{toneless}} is not defined and was left unchanged.']);
  });

  it('is not inserted when the input has a value with the name of its prefix', async () => {
    await create('city', 'Block Town');
    const { id } = await promptOf(
      { static: '{{city}}' },
      { input: { schema: { type: 'object', properties: { city: { type: 'string' } } } } },
    );
    expect((await render(id, { structured_data: { city: 'Rome' } })).data.static).toBe('Rome');
    expect((await render(id)).data.static).toBe('Block Town');
  });

  it('is never taken from another project; the token stays unchanged', async () => {
    await create('foreign_one', 'of Commerce', { key: await app.issueKey({ project: 'Commerce' }) });
    const { id } = await promptOf({ static: '{{foreign_one}}' });
    expect((await render(id)).data.static).toBe('{{foreign_one}}');
  });

  it('renders to the same bytes on two replicas, even right after one of them has changed the block', async () => {
    const other = await app.startReplica();
    const { body: block } = await create('shared', 'one');
    const { id } = await promptOf({ static: '{{shared}}' });
    for (const content of ['two', 'three']) {
      await other.call('PUT', block._link, { body: { content } });
      const [here, there] = await Promise.all([
        app.call('POST', `/v1/prompt/${id}`, { body: {} }),
        other.call('POST', `/v1/prompt/${id}`, { body: {} }),
      ]);
      expect(here.text).toBe(there.text);
      expect(here.text).toContain(`"static":"${content}"`);
    }
  });

  it('is sent to the model of a run', async () => {
    await create('rules', 'Answer in one word.');
    const { id } = await promptOf({ static: '{{rules}}', dynamic: '{{message}}' });
    app.model.requests.length = 0;
    app.model.answerWith('Yes.');
    expect((await app.call<RunResult>('POST', `/v1/prompt/${id}/openai`, { body: { message: 'Well?' } })).status).toBe(
      200,
    );
    expect(app.model.requests[0]?.body.messages[0]).toEqual({ role: 'system', content: 'Answer in one word.' });
  });

  it('leads to 400 in a render when this block, or all blocks of the prompt together, are too long', async () => {
    const large = 'x'.repeat(1_000_000);
    const names = Array.from({ length: 41 }, (_, n) => `large_${'x'.repeat(n)}`);
    for (const name of names) expect((await create(name, large)).status).toBe(201);
    for (const used of [names.slice(0, 5), names]) {
      const { id } = await promptOf({ static: used.map((name) => `{{${name}}}`).join('') });
      const { status, body } = await app.call('POST', `/v1/prompt/${id}`, { body: {} });
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    }
  });
});

describe('a key without blocks:read', () => {
  let key: string;
  beforeAll(async () => {
    await create('secret_rules', 'Nobody may know.');
    key = await app.issueKey({ scopes: ['prompts:read', 'prompts:write', 'prompts:run'] });
  });
  const BODY = {
    ...greeting,
    input: {},
    instruction: { static: '{{secret_rules}} {{no_block}}', dynamic: '{{message}}' },
  };
  const deniedOn = (resource: string) =>
    app.db.prisma.governanceDecision.findMany({
      where: { resource, decision: 'deny' },
      select: { action: true, reason: true },
    });
  const reason = 'scope blocks:read is missing';

  it('saves no prompt that includes a block, and the refusal is recorded', async () => {
    expect((await app.call('POST', '/v1/prompt', { body: BODY, key })).status).toBe(403);
    const { id } = await promptOf({ static: 'Be kind.', dynamic: '{{message}}' });
    const changed = await app.call('PUT', `/v1/prompt/${id}`, {
      body: { instruction: { state: '{{ secret_rules }}' } },
      key,
    });
    expect([changed.status, changed.body.error?.code]).toEqual([403, 'forbidden']);
    expect(await deniedOn(id)).toEqual([{ action: 'prompt.update', reason }]);
    expect((await render(id)).data.state).toBe('');
  });

  it('renders no prompt that includes a block, and the refusal is recorded', async () => {
    const { id } = await promptOf(BODY.instruction);
    const answer = await app.call('POST', `/v1/prompt/${id}`, { body: {}, key });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('Nobody may know.');
    expect(await deniedOn(id)).toEqual([{ action: 'renderPrompt', reason }]);
  });

  it('changes and runs a prompt that already includes blocks, and saves and renders a prompt without blocks', async () => {
    const { id, instruction } = await promptOf(BODY.instruction);
    const body = { instruction: { ...instruction, dynamic: 'Say: {{message}}' } };
    expect((await app.call('PUT', `/v1/prompt/${id}`, { body, key })).status).toBe(200);
    expect((await app.call('POST', `/v1/prompt/${id}/openai`, { body: { message: 'Hi' }, key })).status).toBe(200);
    const own = await app.call<Prompt>('POST', '/v1/prompt', {
      body: { ...BODY, instruction: { dynamic: '{{no_block}}' } },
      key,
    });
    expect(own.status).toBe(201);
    expect((await app.call('POST', `/v1/prompt/${own.body.id}`, { body: {}, key })).status).toBe(200);
  });
});
