import { decodeId, encodeId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import type { Context, ContextDetail } from './contexts.contract.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Hello.')]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
  await runtime.newAgent({ name: 'Helper', description: 'Helps.' });
  await runtime.newAgent({ name: 'Other', description: 'Helps too.' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const say = async (content: string, context_id?: string, agent = 'helper') =>
  (
    (await call('POST', `/api/v1/agents/${agent}/messages`, { json: { content, ...(context_id && { context_id }) } }))
      .body as { context_id: string }
  ).context_id;
const list = async (agent = 'helper', query = '', by = call) => {
  const { status, body } = await by('GET', `/api/v1/agents/${agent}/contexts${query}`);
  return { status, ...(body as { items: Context[]; total: number }) };
};
const read = (id: string, agent = 'helper', by = call) => by('GET', `/api/v1/agents/${agent}/contexts/${id}`);

describe('GET /api/v1/agents/{agent_name}/contexts', () => {
  it('lists the caller’s conversations with the agent, latest first, titled by their first message', async () => {
    const first = await say('First question');
    const second = await say('x'.repeat(500));
    await say('Elsewhere', undefined, 'other');
    expect((await list()).items.map(({ id, title }) => [id, title])).toEqual([
      [second, 'x'.repeat(120)],
      [first, 'First question'],
    ]);
    await say('More', first);
    const page = await list('helper', '?limit=1');
    expect([page.total, page.items.map(({ id }) => id)]).toEqual([2, [first]]);
    expect((await list('other')).total).toBe(1);
  });

  it('answers 200 for the built-in agent and 404 for an unknown agent', async () => {
    const id = await say('Who are you?', undefined, 'concierge');
    expect((await list('concierge')).items).toMatchObject([{ id, title: 'Who are you?' }]);
    expect((await list('nobody')).status).toBe(404);
  });
});

describe('GET /api/v1/agents/{agent_name}/contexts/{context_id}', () => {
  it('returns the messages, oldest first', async () => {
    const id = await say('What is a mill?');
    await say('And then?', id);
    const { status, body } = await read(id);
    expect(status).toBe(200);
    const { messages, agent, title } = body as ContextDetail;
    expect([agent, title]).toEqual(['helper', 'What is a mill?']);
    expect(messages.map(({ role, content, tools }) => [role, content, tools])).toEqual([
      ['user', 'What is a mill?', []],
      ['assistant', 'Hello.', []],
      ['user', 'And then?', []],
      ['assistant', 'Hello.', []],
    ]);
  });

  it('returns an ETag that changes with each message', async () => {
    const id = await say('What is a mill?');
    const tag = String((await read(id)).headers.get('etag'));
    expect(tag).toMatch(/^"c-0-[0-9a-f]{32}"$/);
    expect((await read(id)).headers.get('etag')).toBe(tag);
    await say('And then?', id);
    expect((await read(id)).headers.get('etag')).not.toBe(tag);
  });

  it("shows tool calls with the model's message that requested them", async () => {
    const id = await say('Use a tool');
    const [context] = await runtime.db.prisma.context.findMany({
      orderBy: { created_at: 'desc' },
      take: 1,
    });
    const calls = [{ id: 'call_1', name: 'grind', arguments: '{"kilos":2}' }];
    const rows = [
      { seq: 3, role: 'user', content: 'Grind' },
      { seq: 4, role: 'assistant', content: 'A moment.', tool_calls: calls },
      { seq: 5, role: 'tool', content: 'y'.repeat(3_000), call_id: 'call_1' },
      { seq: 6, role: 'assistant', content: 'Done.' },
    ];
    for (const row of rows) {
      await runtime.db.prisma.contextMessage.create({
        data: { id: crypto.randomUUID(), context_id: context?.id ?? '', ...row },
      });
    }
    const { messages } = (await read(id)).body as ContextDetail;
    expect(messages.slice(3).map(({ content, tools }) => [content, tools])).toEqual([
      [
        'A moment.',
        [{ id: 'call_1', tool: 'grind', arguments: '{"kilos":2}', answer: 'y'.repeat(2_000), failed: false }],
      ],
      ['Done.', []],
    ]);
  });

  it('shows with each tool call the answer from the same step, even when later steps reuse the id of the call, and marks failed calls', async () => {
    const id = await say('Use tools');
    const tool_calls = [{ id: 'call_1', name: 'grind', arguments: '{}' }];
    const rows = [
      { seq: 3, role: 'user', content: 'Grind' },
      { seq: 4, role: 'assistant', content: '', tool_calls },
      { seq: 5, role: 'tool', content: 'first', call_id: 'call_1' },
      { seq: 6, role: 'assistant', content: '', tool_calls },
      { seq: 7, role: 'tool', content: '{"error":"second"}', call_id: 'call_1', failed: true, untrusted: true },
      { seq: 8, role: 'assistant', content: '', tool_calls },
    ];
    for (const row of rows) {
      await runtime.db.prisma.contextMessage.create({
        data: { id: crypto.randomUUID(), context_id: decodeId('ctx', id) ?? '', ...row },
      });
    }
    const { messages } = (await read(id)).body as ContextDetail;
    expect(messages.slice(3).flatMap(({ tools }) => tools.map(({ answer, failed }) => [answer, failed]))).toEqual([
      ['first', false],
      ['{"error":"second"}', true],
      [null, false],
    ]);
  });

  it('shows with each message of a user the latest run that answers it, and the state of that run', async () => {
    const id = await say('What is a mill?');
    model.answerWith({ status: 500 });
    await say('And then?', id);
    model.answerWith('Hello.');
    const { db } = runtime;
    const shown = async () =>
      ((await read(id)).body as ContextDetail).messages.map(({ content, run }) => [content, run && run.state]);
    expect(await shown()).toEqual([
      ['What is a mill?', 'completed'],
      ['Hello.', null],
      ['And then?', 'failed'],
    ]);
    // Sending the same message again starts another run for it.
    await say('And then?', id);
    expect((await shown()).at(-2)).toEqual(['And then?', 'completed']);
    const where = { context_id: decodeId('ctx', id) ?? '' };
    const last = await db.prisma.run.findFirstOrThrow({ where, orderBy: { id: 'desc' } });
    await db.prisma.run.update({
      where: { id: last.id },
      data: { state: 'waiting', waiting_for: 'outcome', ended_at: null },
    });
    const { messages } = (await read(id)).body as ContextDetail;
    expect(messages.at(-2)?.run).toEqual({
      id: encodeId('run', last.id),
      state: 'waiting',
      waiting_for: 'outcome',
      feedback: null,
    });
  });

  it('answers 404 to another user, another agent and another project', async () => {
    const id = await say('Mine');
    const other = await runtime.newUser('other@example.com');
    const stranger = runtime.as(await runtime.newToken({ userId: other.id }));
    const foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    const statuses = [
      await read(id, 'helper', stranger),
      await read(id, 'other'),
      await read(id, 'helper', foreign),
      await read('ctx_0000000000000000000000'),
      await read('nonsense'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
    expect((await list('helper', '', stranger)).total).toBe(0);
  });
});

describe('DELETE /api/v1/agents/{agent_name}/contexts/{context_id}', () => {
  const remove = (id: string, agent = 'helper', by = call) => by('DELETE', `/api/v1/agents/${agent}/contexts/${id}`);

  it.each(['helper', 'concierge'])(
    'hides a conversation with %s from every list and answer, leaves the deletion of its rows to a job, and writes an audit row',
    async (agent) => {
      const [id, kept] = [await say('Forget this', undefined, agent), await say('Keep this', undefined, agent)];
      const uuid = decodeId('ctx', id) ?? '';
      const answer = await remove(id, agent);
      expect([answer.status, answer.body]).toEqual([200, { id }]);
      expect((await read(id, agent)).status).toBe(404);
      expect((await read(kept, agent)).status).toBe(200);
      const { items } = await list(agent);
      expect([items.some((item) => item.id === id), items.some((item) => item.id === kept)]).toEqual([false, true]);
      const more = { content: 'Forget this', context_id: id };
      expect((await call('POST', `/api/v1/agents/${agent}/messages`, { json: more })).status).toBe(404);
      const waiting = await runtime.db.prisma.$queryRaw<{ id: string }[]>`
        SELECT c.id FROM deleted_agents d JOIN contexts c ON c.agent_id = d.id WHERE c.id = ${uuid}::uuid`;
      expect(waiting).toEqual([{ id: uuid }]);
      const auditRows = await runtime.db.prisma.governanceDecision.findMany({
        where: { resource: id, action: 'context.delete' },
      });
      expect(auditRows).toMatchObject([{ user_id: runtime.owner.id, decision: 'allow', detail: { agent } }]);
      expect((await remove(id, agent)).status).toBe(404);
    },
  );

  it('makes the request of a message fail with 404 when the model is still answering the message; no answer is stored', async () => {
    const id = await say('First');
    let answer: (text: string) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      model.answerWith(() => {
        resolve();
        return new Promise<string>((done) => (answer = done));
      });
    });
    const sending = call('POST', '/api/v1/agents/helper/messages', { json: { content: 'Second', context_id: id } });
    await asked;
    await remove(id);
    answer('Too late.');
    expect((await sending).status).toBe(404);
    model.answerWith('Hello.');
    const messages = await runtime.db.prisma.contextMessage.findMany({
      where: { context_id: decodeId('ctx', id) ?? '' },
      orderBy: { seq: 'asc' },
    });
    expect(messages.map(({ content }) => content)).toEqual(['First', 'Hello.', 'Second']);
  });

  it('answers 404 to another user, another agent and another project, and deletes nothing', async () => {
    const id = await say('Mine');
    const other = await runtime.newUser('eraser@example.com');
    const answers = [
      await remove(id, 'helper', runtime.as(await runtime.newToken({ userId: other.id }))),
      await remove(id, 'other'),
      await remove(id, 'helper', runtime.as(await runtime.newToken({ project: 'Commerce' }))),
      await remove('nonsense'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await read(id)).status).toBe(200);
  });
});
