import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { like, startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
let openai: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: await app.issueKey(), maxRetries: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Hello, Bo.');
});

const model = 'fake-model';
const sent = () => app.model.requests.at(-1)?.body.messages.map(({ role, content }) => [role, content]);
const call = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
const weather = { type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false };
/** Sets an answer of the model that is sent only after a call of the returned function. */
function held(answer: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  app.model.answerWith(async () => {
    await promise;
    return answer;
  });
  return () => resolve(undefined);
}
async function asked(): Promise<void> {
  while (app.model.requests.length === 0) await sleep(5);
}
/** Polls a response until its run has ended. */
async function ended(id: string) {
  for (;;) {
    const response = await openai.responses.retrieve(id);
    if (response.status !== 'in_progress') return response;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
async function eventsOf(stream: AsyncIterable<ResponseStreamEvent>) {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof OpenAI.APIError ? [error.status, error.param] : error),
  );

async function statusOf(promise: Promise<unknown>) {
  const [status] = (await failureOf(promise)) as [number];
  return status;
}

describe('POST /v1/responses', () => {
  it('answers 400 to an unknown field, and the error names the field', async () => {
    for (const [param, changes] of [
      ['unknown_field', { unknown_field: 1 }],
      ['text.style', { text: { style: 'plain' } }],
      ['reasoning.budget', { reasoning: { budget: 1 } }],
      ['include.0', { include: ['message.output_text.logprobs'] }],
    ] as const)
      expect(await failureOf(openai.responses.create({ model, input: 'Hi', ...changes } as never))).toEqual([
        400,
        param,
      ]);
  });

  it('accepts and ignores an empty `reasoning`, and the value reasoning.encrypted_content in `include`', async () => {
    const response = await openai.responses.create({
      ...{ model, input: 'Hi', reasoning: {}, include: ['reasoning.encrypted_content'] },
    });
    expect(response.output_text).toBe('Hello, Bo.');
  });

  it('answers 401 for a wrong key', async () => {
    const wrong = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: 'wrong', maxRetries: 0 });
    await expect(wrong.responses.create({ model, input: 'Hi' })).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('sends the model the messages and function calls of earlier responses when the input names them by item references', async () => {
    app.model.answerWith({ content: 'I look.', toolCalls: [call], finishReason: 'tool_calls' });
    const first = await openai.responses.create({ model, input: 'Hi', tools: [weather] });
    app.model.answerWith('It rains.');
    const references = first.output.map(({ id = '' }) => ({ type: 'item_reference' as const, id }));
    await openai.responses.create({
      ...{ model, tools: [weather], store: false },
      input: [
        { role: 'user', content: 'Hi' },
        ...references,
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      ],
    });
    expect(app.model.requests.at(-1)?.body.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ]);
  });

  it('answers 400 for references to unknown items or to more than 8 MiB of items, and 403 to a key without conversations:read', async () => {
    const { output } = await openai.responses.create({ model, input: 'Hi' });
    const foreign = new OpenAI({
      ...{ baseURL: `${app.url}/v1`, apiKey: await app.issueKey({ project: 'Commerce' }), maxRetries: 0 },
    });
    const input = (id = '') => [
      { id, type: 'item_reference' as const },
      { role: 'user' as const, content: 'Hi' },
    ];
    const create = (client: OpenAI, id?: string) => client.responses.create({ model, input: input(id) });
    expect(await failureOf(create(openai, `msg_${'0'.repeat(22)}`))).toEqual([400, 'input.0.id']);
    expect(await failureOf(create(foreign, output[0]?.id))).toEqual([400, 'input.0.id']);
    const long = { role: 'user' as const, content: 'x'.repeat(900_000) };
    const kept: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      const { id } = await openai.responses.create({ model, input: [long] });
      const { data } = await openai.responses.inputItems.list(id);
      kept.push(data[0]?.id ?? '');
    }
    const many = kept.map((id) => ({ id, type: 'item_reference' as const }));
    expect(await failureOf(openai.responses.create({ model, input: many }))).toEqual([400, 'input']);
    const apiKey = await app.issueKey({ scopes: ['prompts:run'] });
    const bare = new OpenAI({ baseURL: `${app.url}/v1`, apiKey, maxRetries: 0 });
    expect(await statusOf(create(bare, output[0]?.id))).toBe(403);
  });
});

describe('GET /v1/responses/{response_id}/input_items', () => {
  it('lists the messages before the answer of the response in pages, newest or oldest first', async () => {
    app.model.answerWith({ content: null, toolCalls: [call, { ...call, id: 'call_2' }], finishReason: 'tool_calls' });
    const first = await openai.responses.create({ model, input: 'Hi', instructions: 'Be kind.', tools: [weather] });
    app.model.answerWith('It rains.');
    const output = (call_id: string) => ({ type: 'function_call_output' as const, call_id, output: 'rain' });
    const second = await openai.responses.create({
      ...{ model, previous_response_id: first.id, tools: [weather], input: [output('call_1'), output('call_2')] },
    });
    const described = async (order: 'asc' | 'desc', limit: number) => {
      const items: unknown[] = [];
      for await (const item of openai.responses.inputItems.list(second.id, { order, limit }))
        items.push(item.type === 'message' ? item.content[0] : [item.type, 'call_id' in item && item.call_id]);
      return items;
    };
    const expected = [
      { type: 'input_text', text: 'Hi' },
      ...[
        ['function_call', 'call_1'],
        ['function_call', 'call_2'],
      ],
      ...[
        ['function_call_output', 'call_1'],
        ['function_call_output', 'call_2'],
      ],
    ];
    for (const limit of [1, 2, 100]) {
      expect(await described('asc', limit)).toEqual(expected);
      expect(await described('desc', limit)).toEqual(expected.toReversed());
    }
    const { data } = await openai.responses.inputItems.list(second.id, { order: 'asc', limit: 2 });
    expect(data[0]).toMatchObject({ id: like(/^msg_/), role: 'user', status: 'completed' });
    expect(data[1]).toMatchObject({ id: first.output[0]?.id });
  });

  it('returns a long conversation in pages of at most 8 MiB', async () => {
    const input = Array.from({ length: 11 }, (_, n) => ({ role: 'user' as const, content: `${n}` }));
    const { id, conversation } = await openai.responses.create({ model, input });
    await app.db.prisma.$executeRaw`
      UPDATE conversation_messages SET content = repeat('x', 900000) WHERE conversation_id = ${conversation?.id}::uuid`;
    const page = await app.call<{ data: object[]; has_more: boolean }>(
      'GET',
      `/v1/responses/${id}/input_items?limit=100`,
    );
    expect(page.text.length).toBeLessThan(9 * 1_048_576);
    expect([page.body.data.length, page.body.has_more]).toEqual([9, true]);
    let count = 0;
    for await (const item of openai.responses.inputItems.list(id, { limit: 100 }))
      count += item.type === 'message' ? 1 : 0;
    expect(count).toBe(11);
  });

  it('answers 400 when `after` is the id of no item', async () => {
    const { id } = await openai.responses.create({ model, input: 'Hi' });
    for (const after of ['x', `msg_${'0'.repeat(22)}`])
      expect(await statusOf(openai.responses.inputItems.list(id, { after }))).toBe(400);
  });
});

describe('GET /v1/responses/{response_id}?stream=true', () => {
  it('sends the events of a stored response, including its text and its function calls', async () => {
    app.model.answerWith({ content: 'I look.', toolCalls: [call], finishReason: 'tool_calls' });
    const created = await openai.responses.create({ model, input: 'Hi', tools: [weather] });
    const events = await eventsOf(await openai.responses.retrieve(created.id, { stream: true }));
    expect(events.map(({ sequence_number: place }) => place)).toEqual(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)]).toMatchObject([
      'response.created',
      { type: 'response.completed', response: { id: created.id, output: created.output } },
    ]);
    const text = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
    expect(text).toBe('I look.');
  });

  it('answers 400 for starting_after without background, and 404 for an unknown response', async () => {
    const { id } = await openai.responses.create({ model, input: 'Hi' });
    const from = { stream: true as const, starting_after: 1 };
    expect(await failureOf(openai.responses.retrieve(id, from))).toEqual([400, 'query.starting_after']);
    expect(await statusOf(openai.responses.retrieve(`resp_${'0'.repeat(22)}`, { stream: true }))).toBe(404);
  });
});

describe('responses.create with background', () => {
  it('answers immediately, and the response completes without its client', async () => {
    const release = held('Done.');
    const started = await openai.responses.create({ model, input: 'Hi', background: true });
    expect(started).toMatchObject({ status: 'in_progress', background: true, output: [] });
    await asked();
    expect((await openai.responses.retrieve(started.id)).status).toBe('in_progress');
    expect(await failureOf(openai.responses.create({ model, input: 'Hi', previous_response_id: started.id }))).toEqual([
      ...[400, 'previous_response_id'],
    ]);
    release();
    const done = await ended(started.id);
    expect(done).toMatchObject({ status: 'completed', output_text: 'Done.', conversation: started.conversation });
    await openai.responses.create({ model, input: 'And?', previous_response_id: done.id });
    expect(sent()).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Done.'],
      ['user', 'And?'],
    ]);
  });

  it('continues a conversation', async () => {
    const first = await openai.responses.create({ model, input: 'Hi' });
    const next = await openai.responses.create({
      model,
      input: 'On',
      previous_response_id: first.id,
      background: true,
    });
    expect((await ended(next.id)).conversation).toEqual(first.conversation);
    const items = await openai.responses.inputItems.list(next.id, { order: 'asc' });
    expect(items.data.map((item) => item.type === 'message' && item.content[0])).toMatchObject([
      ...[{ text: 'Hi' }, { text: 'Hello, Bo.' }, { text: 'On' }],
    ]);
  });

  it('is refused immediately when the model is unknown or `store` is false', async () => {
    const create = (changes: object) =>
      failureOf(openai.responses.create({ model, input: 'Hi', background: true, ...changes }));
    expect(await create({ model: 'none' })).toEqual([400, 'model']);
    expect(await create({ store: false })).toEqual([400, 'store']);
    expect(await app.db.prisma.storedResponse.count({ where: { seq: 0 } })).toBe(0);
  });

  it('fails when the model fails', async () => {
    app.model.answerWith({ status: 400 });
    const { id } = await openai.responses.create({ model, input: 'Hi', background: true });
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'unavailable' } });
  });

  it('is canceled by responses.cancel, which ends the call of the model', async () => {
    const release = held('Too late.');
    const { id } = await openai.responses.create({ model, input: 'Hi', background: true });
    await asked();
    expect(await openai.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    expect((await openai.responses.retrieve(id)).status).toBe('cancelled');
    release();
    expect((await openai.responses.cancel(id)).status).toBe('cancelled');
    const types = (await eventsOf(await openai.responses.retrieve(id, { stream: true }))).map(({ type }) => type);
    expect(types).toEqual(['response.created', 'response.in_progress', 'response.incomplete']);
    const where = { action: 'response.cancel', resource: id };
    expect(await app.db.prisma.governanceDecision.count({ where })).toBe(1);
  });

  it('answers 400 to the cancellation of a response that was created without background', async () => {
    const { id } = await openai.responses.create({ model, input: 'Hi' });
    expect(await failureOf(openai.responses.cancel(id))).toEqual([400, 'response_id']);
  });

  it('streams its events, and resumes after the last event that the client has received', async () => {
    const release = held('Done.');
    const stream = await openai.responses.create({ model, input: 'Hi', background: true, stream: true });
    let id = '';
    for await (const event of stream) {
      if (event.type !== 'response.created') continue;
      ({ id } = event.response);
      break;
    }
    const again = openai.responses.retrieve(id, { stream: true, starting_after: 1 });
    release();
    const events = await eventsOf(await again);
    expect(events[0]).toMatchObject({ type: 'response.output_item.added', sequence_number: 2 });
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id, status: 'completed' } });
  });

  it('starts only one response for the same Idempotency-Key', async () => {
    const options = { headers: { 'Idempotency-Key': 'background-1' } };
    const create = () => openai.responses.create({ model, input: 'Hi', background: true }, options);
    const first = await create();
    expect((await create()).id).toBe(first.id);
    await ended(first.id);
    expect(app.model.requests).toHaveLength(1);
  });

  it('is refused with 429 while the project has twenty unfinished background responses', async () => {
    const release = held('Done.');
    const create = () => openai.responses.create({ model, input: 'Hi', background: true });
    const started = [];
    for (let n = 0; n < 20; n += 1) started.push(await create());
    expect(await statusOf(create())).toBe(429);
    release();
    for (const { id } of started) await ended(id);
    expect((await create()).status).toBe('in_progress');
  });
});
