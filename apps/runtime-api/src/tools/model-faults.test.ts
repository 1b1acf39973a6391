import { decodeId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type ModelAnswer,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';
import type { ContextDetail } from '../conversations/contexts.contract.js';

const STOPPED = 'I stopped here: a message may take at most 8 steps, and this one needs more.';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => model.requests.splice(0));

const call = (id: string, name = 'list_offers', args = '{}') =>
  ({ id, type: 'function', function: { name, arguments: args } }) as const;
const many = (count: number, id = (n: number) => `call_${n}`, name?: string) =>
  Array.from({ length: count }, (_, n) => call(id(n), name));
/** A model that makes these calls in the first step, and then answers. */
const once = (...calls: ReturnType<typeof call>[]): ModelAnswer => {
  return () => (model.requests.length === 1 ? { toolCalls: calls } : 'Done.');
};

interface Outcome {
  status: number;
  detail: ContextDetail;
  rows: number;
}

/** Sends a message to the built-in agent, whose model behaves like `answer`. */
async function run(answer: ModelAnswer, streamed: boolean, by: Replica): Promise<Outcome> {
  model.answerWith(answer);
  const query = streamed ? '?stream=true' : '';
  const sent = await by.as(token)('POST', `/api/v1/agents/concierge/messages${query}`, { json: { content: 'Go' } });
  const [context] = /ctx_[0-9A-Za-z]{22}/.exec(sent.text + String(sent.headers.get('x-context-id'))) ?? [''];
  const { body } = await runtime.as(token)('GET', `/api/v1/agents/concierge/contexts/${context}`);
  const rows = await runtime.db.prisma.contextMessage.count({ where: { context_id: decodeId('ctx', context) ?? '' } });
  const isError = streamed && sent.text.includes('event: error');
  return { status: isError ? 503 : sent.status, detail: body as ContextDetail, rows };
}

const ways = [
  ['in one piece', false],
  ['streamed', true],
] as const;

describe.each(ways)('a model whose answers arrive %s', (_way, streamed) => {
  it.each<[string, ModelAnswer, { answer: string; calls: number; failed: number }]>([
    [
      'calls unknown tools for ever',
      () => ({ toolCalls: [call('a', 'rm')] }),
      { answer: STOPPED, calls: 7, failed: 7 },
    ],
    ['calls a tool for ever', () => ({ toolCalls: [call('a')] }), { answer: STOPPED, calls: 7, failed: 0 }],
    ['repeats the ids of its calls', once(...many(3, () => 'same')), { answer: 'Done.', calls: 3, failed: 0 }],
    ['leaves ids out', once(...many(3, () => '')), { answer: 'Done.', calls: 3, failed: 0 }],
    ['sends malformed ids', once(call('\u0000 ü')), { answer: 'Done.', calls: 1, failed: 0 }],
    ['makes 2,000 calls at once', once(...many(2_000)), { answer: 'Done.', calls: 32, failed: 16 }],
    [
      'sends truncated arguments',
      once(call('a', 'list_offers', '{"query": "mi')),
      { answer: 'Done.', calls: 1, failed: 1 },
    ],
    [
      'sends arguments of a million characters',
      once(call('a', 'list_offers', JSON.stringify({ query: 'x'.repeat(1_000_000) }))),
      { answer: 'Done.', calls: 1, failed: 1 },
    ],
    [
      'calls a tool with a very long name',
      once(call('a', 'x'.repeat(100_000))),
      { answer: 'Done.', calls: 1, failed: 1 },
    ],
  ])(
    'and that %s cannot exceed the limits of a run; failed calls are stored as failed',
    async (_what, behaviour, wanted) => {
      const { status, detail, rows } = await run(behaviour, streamed, runtime);
      const tools = detail.messages.flatMap((message) => message.tools);
      expect({
        status,
        answer: detail.messages.at(-1)?.content,
        calls: tools.length,
        failed: tools.filter(({ failed }) => failed).length,
      }).toEqual({ status: 200, ...wanted });
      expect(tools.every(({ answer }) => answer !== null)).toBe(true);
      expect(rows).toBeLessThanOrEqual(35);
      expect(JSON.stringify(detail).length).toBeLessThan(100_000);
      const ids = detail.messages.map((message) => message.tools.map(({ id }) => id));
      for (const step of ids) expect(new Set(step).size).toBe(step.length);
      expect(model.requests.length).toBeLessThanOrEqual(8);
    },
  );

  it.each<[string, ModelAnswer]>([
    ['answers no JSON', { garbage: true }],
    ['cuts the connection', { reset: true }],
    ['never answers', { hang: true }],
    ['never ends', { content: 'word '.repeat(5_000), trickleMs: 100 }],
    ['refuses the request', { status: 400 }],
    ['answers nothing', { content: '' }],
  ])(
    'and that %s leads to 503 within the time limit of the model; the message is stored as failed',
    async (_what, behaviour) => {
      const by = await runtime.start({ modelTimeoutMs: 500 });
      const { status, detail } = await run(behaviour, streamed, by);
      expect([status, detail.messages.map(({ role, failed }) => [role, failed])]).toEqual([503, [['user', true]]]);
    },
  );
});
