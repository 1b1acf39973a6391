import { createModels, type ModelEvent, type ModelMessage, type ModelRequest } from '../index.js';

const offline = createModels({
  models: [{ name: 'offline', endpoint: null, contextWindow: 128_000, fallbacks: [], timeoutMs: 1_000 }],
  fetch: () => Promise.reject(new Error('the offline model calls nobody')),
});

const request: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'What is a mill <|endoftext|>?' },
  ],
  tools: [{ name: 'find', description: 'Finds.', parameters: {} }],
};

describe('the offline model', () => {
  it('names itself, quotes the last message and counts the tokens of the request', async () => {
    const answer = await offline.complete(request);
    expect(answer.text).toBe(
      'The offline model is answering, because no model is configured on this installation. ' +
        'You wrote: "What is a mill <|endoftext|>?" I was given 1 instruction and 2 earlier messages. ' +
        'It calls a tool when your message has the words of its name: find.',
    );
    expect(answer).toMatchObject({
      model: 'offline',
      costUsd: null,
      toolCalls: [],
      finishReason: 'stop',
      refusal: null,
    });
    expect(answer.completion).toMatchObject({ model: 'offline', object: 'chat.completion', created: 0 });
    expect(answer.usage.prompt_tokens).toBeGreaterThan(20);
    expect(answer.usage.completion_tokens).toBeGreaterThan(20);
    expect(offline.offline).toBe(true);
  });

  it('returns the same answer to the same request', async () => {
    expect(await offline.complete(request)).toEqual(await offline.complete(structuredClone(request)));
    const other = await offline.complete({ messages: [{ role: 'user', content: 'Other' }] });
    expect(other.completion.id).not.toBe((await offline.complete(request)).completion.id);
  });

  it('streams its answer word by word', async () => {
    const events: ModelEvent[] = [];
    for await (const event of offline.stream(request)) events.push(event);
    const deltas = events.flatMap((event) => (event.type === 'text' ? [event.delta] : []));
    expect(deltas.length).toBeGreaterThan(10);
    expect(deltas.join('')).toBe((await offline.complete(request)).text);
    expect(events.at(-1)).toEqual({ type: 'answer', answer: await offline.complete(request) });
  });

  it('answers with a valid instance of the output schema', async () => {
    const schema = { type: 'object', properties: { tone: { enum: ['warm', 'cold'] } }, required: ['tone'] };
    expect((await offline.complete({ ...request, output: { name: 'x', schema } })).text).toBe('{"tone":"warm"}');
  });

  describe('with tools', () => {
    const text = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
    const tool = (name: string, parameters: object = { type: 'object' }) => ({ name, description: '', parameters });
    const sum = tool('get-sum', {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    });
    const convert = tool('convertCurrency', {
      type: 'object',
      properties: {
        amount: { type: 'number' },
        to: { type: 'string', enum: ['EUR', 'USD'] },
        day: { type: 'string', format: 'date' },
        note: { type: 'string' },
      },
      required: ['amount', 'to', 'day'],
    });
    const clock = tool('current_time', { type: 'object', properties: { time_zone: { type: 'string' } } });
    const calculator = tool('calculate', {
      type: 'object',
      properties: { expression: { type: 'string' } },
      required: ['expression'],
    });
    const tools = [
      ...[tool('search_content', text), tool('delete_order', text), tool('echo', text)],
      ...[sum, convert, clock, calculator],
    ];
    const callOf = async (content: string) => {
      const { toolCalls, text: written, finishReason } = await offline.complete({ messages: [user(content)], tools });
      const [call] = toolCalls;
      return call ? [call.name, JSON.parse(call.arguments), written, finishReason] : undefined;
    };
    const user = (content: string) => ({ role: 'user', content }) as const;

    it.each([
      ['Search the content for refunds in winter?', 'search_content', { query: 'refunds in winter' }],
      ['What content is there about "gift cards" here', 'search_content', { query: 'gift cards' }],
      ['Echo: hello', 'echo', { query: 'hello' }],
      ['Please delete order 7', 'delete_order', { query: '7' }],
      ['get the sum of 2 and -3.5', 'get-sum', { a: 2, b: -3.5 }],
      ['What day is it today?', 'current_time', {}],
      ['Calculate: -2 * (3 + 4)', 'calculate', { expression: '-2 * (3 + 4)' }],
      ['convert currency: 12 to usd', 'convertCurrency', { amount: 12, to: 'USD', day: '2026-01-01' }],
    ])('calls the tool that the message names: %s', async (content, name, args) => {
      expect(await callOf(content)).toEqual([name, args, '', 'tool_calls']);
    });

    it.each(['Where is my order?', 'What is a mill?', 'summary', ''])('calls no tool for %j', async (content) => {
      expect(await callOf(content)).toBeUndefined();
    });

    it('answers with the result of the tool, and does not call the tool again', async () => {
      const { toolCalls } = await offline.complete({ messages: [user('Echo: hello')], tools });
      const messages: ModelMessage[] = [
        user('Echo: hello'),
        { role: 'assistant', content: '', tool_calls: [...toolCalls] },
        { role: 'tool', content: 'hello', tool_call_id: String(toolCalls[0]?.id) },
      ];
      const answer = await offline.complete({ messages, tools });
      expect(answer).toMatchObject({ toolCalls: [], finishReason: 'stop' });
      expect(answer.text).toMatch(/The tool echo answered: hello$/);
      const next = await offline.complete({ messages: [...messages, user('Echo: again')], tools });
      expect(next.toolCalls).toMatchObject([{ name: 'echo', arguments: '{"query":"again"}' }]);
      expect(next.toolCalls[0]?.id).not.toBe(toolCalls[0]?.id);
    });

    it('streams a call without text', async () => {
      const events: ModelEvent[] = [];
      for await (const event of offline.stream({ messages: [user('Echo: hello')], tools })) events.push(event);
      expect(events).toMatchObject([{ type: 'answer', answer: { toolCalls: [{ name: 'echo' }] } }]);
    });

    it('calls a tool even when the schema of its parameters has an unusual form', async () => {
      const strange = [
        tool('echo', { type: 'object', properties: [], required: 'x' }),
        tool('open', {
          properties: { a: true, b: { $ref: '#/$defs/b' } },
          required: ['b'],
          $defs: { b: { const: 1 } },
        }),
      ];
      const named = (content: string) => offline.complete({ messages: [user(content)], tools: strange });
      expect((await named('echo it')).toolCalls).toMatchObject([{ arguments: '{}' }]);
      expect((await named('open it')).toolCalls).toMatchObject([{ arguments: '{"b":1}' }]);
    });
  });

  it('quotes the sentence of its knowledge that has the most words in common with the question', async () => {
    const knowledge = [
      '<knowledge 0f>',
      '"Opening hours":\nWe open at nine. The workshop closes at six.',
      '"Returns":\nGoods are returned within 30 days. Shipping of returned goods is free.',
      'Sale items stay.',
      '"Rules [1] › Parcels" (https://console.test/build/content/ct_1):\nParcels to Iceland take nine days.',
      '</knowledge 0f>',
    ].join('\n\n');
    const ask = async (content: string) =>
      (
        await offline.complete({
          messages: [
            { role: 'user', content: knowledge },
            { role: 'user', content },
          ],
        })
      ).text;
    expect(await ask('Is shipping of returned goods free?')).toMatch(
      /0 instructions and 0 earlier messages\. From "Returns": Shipping of returned goods is free\.$/,
    );
    expect(await ask('When does the workshop close?')).toMatch(/From "Opening hours": The workshop closes at six\.$/);
    expect(await ask('Sale?')).toMatch(/From "Returns": Sale items stay\.$/);
    expect(await ask('How long do parcels take?')).toMatch(
      /From \[Rules 1 › Parcels\]\(https:\/\/console\.test\/build\/content\/ct_1\): Parcels to Iceland take nine days\.$/,
    );
    expect(await ask('Why?')).toMatch(/earlier messages\.$/);
  });
});
