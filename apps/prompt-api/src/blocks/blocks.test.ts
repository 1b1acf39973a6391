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

describe('a prefix', () => {
  it.each([undefined, '', 'a1', 'a-b', 'a b', 'ä', 'a\n', 'x'.repeat(101), 3])(
    'that is %j answers 400 naming it',
    async (prefix) => {
      const { status, body } = await create(prefix);
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain(' prefix: ');
    },
  );

  it('that is taken in the project answers 409, to POST and to PUT', async () => {
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

  it('is won by one of many at once, and free again when its block is deleted', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('raced')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const winner = answers.find(({ status }) => status === 201);
    await app.call('DELETE', winner?.body._link ?? '');
    expect((await create('raced')).status).toBe(201);
  });
});

describe('a block in a prompt', () => {
  it('fills the token of its prefix in every part, and is never expanded again', async () => {
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
    expect(warnings).toEqual(['Unknown token "toneless": left as it stands.']);
  });

  it('gives way to the value of an input of the same name', async () => {
    await create('city', 'Block Town');
    const { id } = await promptOf(
      { static: '{{city}}' },
      { input: { schema: { type: 'object', properties: { city: { type: 'string' } } } } },
    );
    expect((await render(id, { structured_data: { city: 'Rome' } })).data.static).toBe('Rome');
    expect((await render(id)).data.static).toBe('Block Town');
  });

  it("is this project's own", async () => {
    await create('foreign_one', 'of Commerce', { key: await app.issueKey({ project: 'Commerce' }) });
    const { id } = await promptOf({ static: '{{foreign_one}}' });
    expect((await render(id)).data.static).toBe('{{foreign_one}}');
  });

  it('renders to the same bytes on another replica, also right after it has changed there', async () => {
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

  it('reaches the model of a run', async () => {
    await create('rules', 'Answer in one word.');
    const { id } = await promptOf({ static: '{{rules}}', dynamic: '{{message}}' });
    app.model.requests.length = 0;
    app.model.answerWith('Yes.');
    expect((await app.call<RunResult>('POST', `/v1/prompt/${id}/openai`, { body: { message: 'Well?' } })).status).toBe(
      200,
    );
    expect(app.model.requests[0]?.body.messages[0]).toEqual({ role: 'system', content: 'Answer in one word.' });
  });

  it('that is too long to be rendered, alone or with others, answers 400', async () => {
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
