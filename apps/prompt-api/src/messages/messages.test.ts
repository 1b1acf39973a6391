import { like, startTestApp, type TestApp } from '../test-app.js';
import type { AnswerMessage } from './messages.contract.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  key = await app.issueKey();
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Hello, Bo.');
});

interface Refusal {
  type: string;
  error: { type: string; message: string; param: string | null };
}
const ask = <Body = AnswerMessage>(changes: object, headers: Record<string, string> = { 'x-api-key': key }) =>
  app.call<Body>('POST', '/v1/messages', {
    key: '',
    headers: { 'anthropic-version': '2023-06-01', ...headers },
    body: { model: 'fake-model', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...changes },
  });
const sent = () => app.model.requests.at(-1)?.body;
const weather = { name: 'weather', description: 'The weather', input_schema: { type: 'object', properties: {} } };
const call = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
const toolUse = { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } };

/** Returns the data of the events of an answer. */
async function events(changes: object): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${app.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      ...{ model: 'fake-model', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], stream: true },
      ...changes,
    }),
  });
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event:'));
  return blocks.map((block) => {
    const [, name, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? [];
    const parsed = JSON.parse(data) as Record<string, unknown>;
    expect(parsed['type']).toBe(name);
    return parsed;
  });
}

describe('POST /v1/messages', () => {
  it('returns each field of a message, and stores a run of the model', async () => {
    const { status, body } = await ask({
      ...{ system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }], temperature: 0.5 },
      ...{ stop_sequences: ['END'], top_p: 0.9, metadata: { user_id: 'u-1' } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: like(/^msg_[0-9A-Za-z]{22}$/),
      ...{ type: 'message', role: 'assistant', model: 'fake-model', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: 'Hello, Bo.' }],
      usage: { input_tokens: expect.any(Number) as number, output_tokens: 2 },
      run: like(/^run_/),
      warnings: [],
    });
    expect(sent()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      ...{ temperature: 0.5, top_p: 0.9, stop: ['END'], max_tokens: 100 },
    });
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(run).toMatchObject({ subject_kind: 'model', channel: 'chat', state: 'completed' });
  });

  it("returns the model's calls of the client's tools, and sends the results of these calls to the model with the next request", async () => {
    app.model.answerWith({ content: 'I look.', toolCalls: [call], finishReason: 'tool_calls' });
    const first = await ask({ tools: [weather], tool_choice: { type: 'any', disable_parallel_tool_use: true } });
    expect(first.body).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'text', text: 'I look.' }, toolUse],
    });
    expect(sent()).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather', parameters: weather.input_schema } }],
      ...{ tool_choice: 'required', parallel_tool_calls: false },
    });
    app.model.answerWith('It rains.');
    const result = { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'rain' }] };
    const { body } = await ask({
      tools: [weather],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: first.body.content },
        { role: 'user', content: [{ ...result, is_error: true }] },
      ],
    });
    expect(body.content).toMatchObject([{ text: 'It rains.' }]);
    expect(sent()?.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Error: rain' },
    ]);
  });

  it("sends the JSON schema of the request to the model, and returns the model's JSON", async () => {
    app.model.answerWith('{"a":1}');
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['a'],
      additionalProperties: false,
    };
    const { body } = await ask({ output_config: { format: { type: 'json_schema', schema } } });
    expect(body.content).toMatchObject([{ text: '{"a":1}' }]);
    expect(sent()?.['response_format']).toMatchObject({ type: 'json_schema' });
  });

  it.each([
    [{ content: null, refusal: 'No.' }, 'refusal', 'No.'],
    [{ content: 'Once', finishReason: 'length' as const }, 'max_tokens', 'Once'],
  ])('returns the stop reason of the model answer %j', async (answer, reason, text) => {
    app.model.answerWith(answer);
    expect((await ask({})).body).toMatchObject({ stop_reason: reason, content: [{ type: 'text', text }] });
  });

  it('streams the text and each tool call as a separate content block', async () => {
    app.model.answerWith({ content: 'I look.', toolCalls: [call], finishReason: 'tool_calls' });
    const all = await events({ tools: [weather] });
    const types = all.map(({ type }) => type).filter((type, index, list) => type !== list[index - 1]);
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
    expect(types).toEqual(['message_start', ...block, ...block, 'message_delta', 'message_stop']);
    const deltas = all.flatMap(({ delta }) => (delta as { text?: string; partial_json?: string } | undefined) ?? []);
    expect(deltas.map(({ text }) => text ?? '').join('')).toBe('I look.');
    expect(JSON.parse(deltas.map(({ partial_json: part }) => part ?? '').join(''))).toEqual({ city: 'Oslo' });
    expect(all.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { output_tokens: expect.any(Number) as number },
    });
  });

  it("answers errors in the form of Anthropic's API", async () => {
    for (const [changes, status, type, param] of [
      [{ top_k: 5 }, 400, 'invalid_request_error', 'top_k'],
      [{ unknown_field: 5 }, 400, 'invalid_request_error', 'unknown_field'],
      [{ max_tokens: undefined }, 400, 'invalid_request_error', 'max_tokens'],
      [
        { messages: [{ role: 'user', content: [{ type: 'image' }] }] },
        400,
        'invalid_request_error',
        'messages.0.content.0.source',
      ],
      [
        { output_config: { format: { type: 'json_schema', schema: { type: 'nothing' } } } },
        400,
        'invalid_request_error',
        'output_config.format.schema.type',
      ],
      [{ model: 'none' }, 400, 'invalid_request_error', 'model'],
      [
        { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'none' }] }] },
        400,
        'invalid_request_error',
        'messages',
      ],
      [{ model: 'agent/none' }, 404, 'not_found_error', null],
    ] as const) {
      const answer = await ask<Refusal>(changes);
      expect([answer.status, answer.body]).toMatchObject([status, { type: 'error', error: { type, param } }]);
    }
    expect((await ask<Refusal>({}, { 'x-api-key': 'wrong' })).body.error.type).toBe('authentication_error');
    expect((await ask<Refusal>({}, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask({}, { authorization: `Bearer ${key}` })).status).toBe(200);
    app.model.answerWith({ status: 400 });
    expect((await ask<Refusal>({})).body.error.type).toBe('overloaded_error');
  });
});
