import OpenAI from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, like, startTestApp, type TestApp } from '../test-app.js';

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

const sent = () => app.model.requests.at(-1)?.body;
const model = 'fake-model';
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { type: 'function' as const, name: 'weather', description: 'The weather', parameters, strict: false };
const call = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
const asks = () => app.model.answerWith({ content: null, toolCalls: [call], finishReason: 'tool_calls' });

describe('responses.create without a stored prompt', () => {
  it('runs the model named in the request, stores the conversation, and continues it', async () => {
    const first = await openai.responses.create({
      ...{ model, input: 'Hi', instructions: 'Be kind.', top_p: 0.5 },
      ...{ reasoning: { effort: 'low' }, text: { verbosity: 'low' } },
    });
    expect(first).toMatchObject({
      output_text: 'Hello, Bo.',
      prompt: null,
      model,
      top_p: 0.5,
      reasoning: { effort: 'low' },
    });
    expect(sent()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      ...{ top_p: 0.5, reasoning_effort: 'low', verbosity: 'low' },
    });
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(run).toMatchObject({ subject_kind: 'model', subject_name: model, channel: 'responses', state: 'completed' });
    expect(run.conversation_id).toBe(first.conversation?.id);
    await openai.responses.create({ model, input: 'And now?', previous_response_id: first.id });
    expect(sent()?.messages.map(({ content }) => content)).toEqual(['Hi', 'Hello, Bo.', 'And now?']);
  });

  it('runs the prompt named in the field model', async () => {
    const body = { ...greeting, instruction: { static: 'Be brief.', dynamic: '{{message}}' }, input: {} };
    const { id } = (await app.call<Prompt>('POST', '/v1/prompt', { body })).body;
    const response = await openai.responses.create({ model: `prompt/${id}`, input: 'Hi' });
    expect(response.output_text).toBe('Hello, Bo.');
    expect(sent()?.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  });

  it.each([
    ['input', { model }],
    ['input', { model, input: [] }],
    ['model', { model: 'none', input: 'Hi' }],
  ])('answers 400, and the error names %s, for %j', async (param, body) => {
    const answer = await app.call<{ error: { param: string } }>('POST', '/v1/responses', { body });
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
  });
});

describe("responses.create with the client's functions", () => {
  it('returns the function calls of the model; a request with previous_response_id and the outputs of the calls continues the turn', async () => {
    asks();
    const asked = await openai.responses.create({
      ...{ model, input: 'Hi', tools: [weather], parallel_tool_calls: false },
      tool_choice: { type: 'function', name: 'weather' },
    });
    const item = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' };
    expect(asked.output).toEqual([{ ...item, id: like(/^fc_/), status: 'completed' }]);
    expect([asked.status, asked.tools]).toEqual(['completed', [weather]]);
    expect(sent()).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather', description: 'The weather', parameters } }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
    });
    app.model.answerWith('It rains.');
    const answered = await openai.responses.create({
      ...{ model, previous_response_id: asked.id, tools: [weather] },
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'rain' }],
    });
    expect(answered.output_text).toBe('It rains.');
    const turn = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ];
    expect(sent()?.messages).toEqual(turn);
    await openai.responses.create({ model, input: 'Thanks', previous_response_id: answered.id });
    expect(sent()?.messages).toEqual([
      ...turn,
      { role: 'assistant', content: 'It rains.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('accepts calls and outputs as input items, and sends the calls to the model in one message', async () => {
    const second = { ...call, id: 'call_2' };
    const input: ResponseInputItem[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'I look.' },
      ...[call, second].map(({ id, function: made }) => ({ type: 'function_call' as const, call_id: id, ...made })),
      ...[call, second].map(({ id }) => ({ type: 'function_call_output' as const, call_id: id, output: 'rain' })),
    ];
    await openai.responses.create({ model, input, tools: [weather], store: false });
    expect(sent()?.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'I look.', tool_calls: [call, second] },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_2', content: 'rain' },
    ]);
  });

  it('streams the calls after the text', async () => {
    app.model.answerWith({ content: 'I look.', toolCalls: [call], finishReason: 'tool_calls' });
    const stream = openai.responses.stream({ model, input: 'Hi', tools: [weather] });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types.slice(-7)).toEqual([
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const { output, output_text: text } = await stream.finalResponse();
    expect([text, output[1]]).toMatchObject(['I look.', { type: 'function_call', arguments: '{"city":"Oslo"}' }]);
  });

  it('answers 400 for an output without its call, and for the choice of an unknown function', async () => {
    const output = { type: 'function_call_output', call_id: 'none', output: '' };
    for (const [param, body] of [
      ['input', { model, input: [output] }],
      ['tool_choice', { model, input: 'Hi', tools: [weather], tool_choice: { type: 'function', name: 'x' } }],
    ] as const) {
      const answer = await app.call<{ error: { param: string } }>('POST', '/v1/responses', { body });
      expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    }
    expect(app.model.requests).toHaveLength(0);
  });
});
