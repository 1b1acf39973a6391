import { createModels, type ModelEvent, type ModelRequest } from '../index.js';

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
        'You wrote: "What is a mill <|endoftext|>?" I was given 1 instruction and 2 earlier messages.',
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

  it('gives the same answer to the same request', async () => {
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

  it('answers a valid instance of the output schema', async () => {
    const schema = { type: 'object', properties: { tone: { enum: ['warm', 'cold'] } }, required: ['tone'] };
    expect((await offline.complete({ ...request, output: { name: 'x', schema } })).text).toBe('{"tone":"warm"}');
  });
});
