import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEgress, type Egress } from '@millwright/egress';
import { listen } from '@millwright/testing';

import { createModels, MODEL_ANSWER_MAX_BYTES, type ModelUse } from './index.js';

const MAX_BYTES = 200_000;

/** Returns the delta of the n-th chunk of an answer. */
let delta: (n: number) => object = () => ({});
/** Milliseconds between chunks. */
let pause = 0;
/** Number of chunks after which the answer ends with tool calls. */
let chunks = Infinity;
let [sent, connections] = [0, 0];
/** The beginning of an answer that consists of one line and continues with letters without end. */
let line: { type: string; head: string } | undefined;

let server: Awaited<ReturnType<typeof listen>>;
let egress: Egress;
beforeAll(async () => {
  server = await listen((request, response) => {
    request.resume();
    void (line ? sendLine(response, line) : stream(response));
  });
  egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
});
afterAll(async () => {
  await egress.close();
  await server.close();
});
beforeEach(() => {
  [sent, connections, pause, chunks, line] = [0, 0, 0, Infinity, undefined];
});

async function sendLine(response: ServerResponse, { type, head }: NonNullable<typeof line>): Promise<void> {
  connections += 1;
  response.on('close', () => (connections -= 1));
  response.writeHead(200, { 'content-type': type }).write(head);
  for (const letters = 'x'.repeat(4_096); !response.destroyed; sent += letters.length)
    if (!response.write(letters))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
}

async function stream(response: ServerResponse): Promise<void> {
  connections += 1;
  response.on('close', () => (connections -= 1));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'house' };
  const write = async (choice: object) => {
    const part = `data: ${JSON.stringify({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`;
    sent += part.length;
    if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  };
  for (let n = 0; n < chunks && !response.destroyed; n += 1) {
    await write({ delta: delta(n) });
    if (pause > 0) await sleep(pause);
  }
  if (response.destroyed) return;
  await write({ delta: {}, finish_reason: 'tool_calls' });
  response.end('data: [DONE]\n\n');
}

async function complete(timeoutMs: number, { maxBytes = MAX_BYTES, streaming = true } = {}) {
  const endpoint = `${server.url}/v1`;
  const house = { name: 'house', endpoint, contextWindow: 1_000, fallbacks: [], timeoutMs };
  const models = createModels({ models: [house], fetch: egress.trusted({ maxBytes }) });
  const cut: ModelUse[] = [];
  let text = '';
  const onCut = (use: ModelUse) => void cut.push(use);
  const options = streaming ? { onText: (part: string) => void (text += part), onCut } : { onCut };
  const request = { messages: [{ role: 'user' as const, content: 'hi' }] };
  const answer = await models.complete(request, options).catch((error: unknown) => error);
  await models.close();
  return { answer, cut, text };
}

/** The messages of an error and of its causes. */
function reasonsOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...reasonsOf(error.cause)] : [];
}

const call = (index: number, args: string) => ({
  tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'look', arguments: args } }],
});

const ENDLESS: [string, (n: number) => object][] = [
  ['text', () => ({ content: 'word '.repeat(20) })],
  ['the arguments of one call', () => call(0, 'x'.repeat(100))],
  ['calls of tools', (n) => call(n, '{}')],
  ['a refusal', () => ({ refusal: 'no '.repeat(30) })],
  ['chunks without content', () => ({})],
];

describe('a model that streams without an end', () => {
  it.each(ENDLESS)(
    'is cut off by the byte limit while it sends %s, and an estimated usage is reported',
    async (_what, chosen) => {
      delta = chosen;
      const { answer, cut, text } = await complete(60_000);
      expect(answer).toMatchObject({ code: 'unavailable' });
      expect(text.length).toBeLessThanOrEqual(MAX_BYTES);
      expect(cut.length).toBeGreaterThan(0);
      for (const { estimated } of cut) expect(estimated).toBe(true);
      while (connections > 0) await sleep(5);
    },
  );

  it.each(ENDLESS)('is cut off by the time limit while it slowly sends %s', async (_what, chosen) => {
    [delta, pause] = [chosen, 20];
    const { answer } = await complete(500);
    expect(answer).toMatchObject({ code: 'unavailable' });
    expect(sent).toBeLessThan(MAX_BYTES);
    while (connections > 0) await sleep(5);
  });
});

describe('a model that sends one line without an end', () => {
  const delta = '{"choices":[{"index":0,"delta":';
  it.each([
    ['an event with text', `data: ${delta}{"content":"`],
    [
      'an event with the arguments of a call',
      `data: ${delta}{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"`,
    ],
    ['a comment', ': '],
    ['an answer that is not streamed', '{"choices":[{"index":0,"message":{"role":"assistant","content":"'],
  ])(
    'is cut off at 16 MiB when the line is %s, and its answer needs less than 128 MiB of memory',
    async (_what, head) => {
      const streaming = !head.startsWith('{');
      line = { type: streaming ? 'text/event-stream' : 'application/json', head };
      const held = () => {
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      };
      const before = held();
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, held())), 5);
      const { answer, text } = await complete(60_000, { maxBytes: MODEL_ANSWER_MAX_BYTES, streaming });
      clearInterval(timer);
      expect(answer).toMatchObject({ code: 'unavailable' });
      expect(reasonsOf(answer)).toContain(`The answer is larger than ${MODEL_ANSWER_MAX_BYTES} bytes.`);
      expect([text, sent < 2 * MODEL_ANSWER_MAX_BYTES]).toEqual(['', true]);
      expect(most - before).toBeLessThan(8 * MODEL_ANSWER_MAX_BYTES);
      while (connections > 0) await sleep(5);
    },
  );
});

describe('the tool calls of a model', () => {
  it.each([
    ['numbers up to two thousand million', [2_000_000_000, 0, 1_999_999_999], ['c0', 'c1999999999', 'c2000000000']],
    ['a negative number', [-5, 3], ['c-5', 'c3']],
    ['no numbers', [undefined, undefined], ['cundefined', 'cundefined']],
    ['the same number twice', [4, 4], ['c4']],
  ])(
    'are assembled immediately, in the order of their numbers, when the model sends %s',
    async (_how, numbers, ids) => {
      delta = (n) => call(numbers[n] as number, '{}');
      chunks = numbers.length;
      const { answer } = await complete(60_000);
      expect((answer as { toolCalls: { id: string }[] }).toolCalls.map(({ id }) => id)).toEqual(ids);
    },
  );
});
