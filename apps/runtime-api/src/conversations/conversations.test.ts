import { decodeId, encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import type { Conversation, ConversationDetail } from './conversations.contract.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;
/** HTTP clients of another user in the same project, and of a user in another project. */
let neighbour: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Hello.')]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
  const { id: userId } = await runtime.newUser('neighbour@example.com');
  neighbour = runtime.as(await runtime.newToken({ userId }));
  const { id: otherId } = await runtime.newUser('stranger@example.com', { project: 'Commerce' });
  stranger = runtime.as(await runtime.newToken({ userId: otherId, project: 'Commerce' }));
  await runtime.newAgent({ name: 'Helper', description: 'Helps.' });
  await runtime.newAgent({ name: 'Other', description: 'Helps too.' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const send = (json: { content: string; context_id?: string; replaces?: string }, agent = 'helper') =>
  call('POST', `/api/v1/agents/${agent}/messages`, { json });
const begin = async (content: string, agent = 'helper') =>
  ((await send({ content }, agent)).body as { context_id: string }).context_id;
const list = async (query = '', by = call) =>
  (await by('GET', `/api/v1/contexts${query}`)).body as { items: Conversation[]; total: number };
const read = async (id: string, by = call) => {
  const { status, body } = await by('GET', `/api/v1/contexts/${id}`);
  return { status, body: body as ConversationDetail };
};
const update = (id: string, json: object, by = call) => by('PATCH', `/api/v1/contexts/${id}`, { json });
const idsOf = ({ items }: { items: Conversation[] }) => items.map(({ id }) => id);

describe('GET /api/v1/contexts', () => {
  it('lists the conversations with all agents, pinned conversations first, then the latest', async () => {
    const [first, second, third] = [await begin('One'), await begin('Two', 'other'), await begin('Three', 'concierge')];
    await update(first, { pinned: true });
    const page = await list();
    expect(page.items.map(({ id, agent, pinned, shared }) => [id, agent, pinned, shared])).toEqual([
      [first, 'helper', true, false],
      [third, 'concierge', false, false],
      [second, 'other', false, false],
    ]);
    expect([page.total, idsOf(await list('?limit=1&offset=1'))]).toEqual([3, [third]]);
    expect((await list('', neighbour)).total).toBe(0);
  });

  it('filters by agent, and by a part of the title in upper or lower case', async () => {
    const [meal, named] = [await begin('A meal of 100%'), await begin('Whatever', 'other')];
    await update(named, { title: 'Grain PRICES' });
    expect(idsOf(await list('?agent=other&search=e'))).toEqual([named]);
    expect((await list('?agent=nobody')).total).toBe(0);
    expect(idsOf(await list('?agent=concierge&limit=1'))).toHaveLength(1);
    expect(idsOf(await list('?search=prices'))).toEqual([named]);
    expect(idsOf(await list('?search=100%25'))).toEqual([meal]);
    expect((await list('?search=whatever')).total).toBe(0);
  });

  it('leaves out conversations with agents that were deleted', async () => {
    const agent = await runtime.newAgent({ name: 'Leaver' });
    const id = await begin('Still there?', 'leaver');
    expect(idsOf(await list('?search=still'))).toEqual([id]);
    await runtime.db.prisma.agent.delete({ where: { id: agent.id } });
    expect(await list('?search=still')).toMatchObject({ items: [], total: 0 });
    expect((await read(id)).status).toBe(404);
    expect((await update(id, { pinned: true })).status).toBe(404);
  });
});

describe('GET /api/v1/contexts/{context_id}', () => {
  it("returns the messages with the agent and the title, and states whether the conversation is the caller's and whether it is shared", async () => {
    const id = await begin('What is a mill?');
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, agent: 'helper', title: 'What is a mill?', own: true, shared: false });
    expect(body.messages.map(({ role, content, run }) => [role, content, run?.state])).toEqual([
      ['user', 'What is a mill?', 'completed'],
      ['assistant', 'Hello.', undefined],
    ]);
  });

  it('answers 404 to other users until the conversation is shared, and afterwards only to users of other projects', async () => {
    const id = await begin('Secret?');
    const statuses = async () => [(await read(id, neighbour)).status, (await read(id, stranger)).status];
    expect(await statuses()).toEqual([404, 404]);
    await update(id, { shared: true });
    expect(await statuses()).toEqual([200, 404]);
    await update(id, { shared: false });
    expect(await statuses()).toEqual([404, 404]);
  });

  it('shows readers of a shared conversation neither runs nor tool results', async () => {
    const id = await begin('Use a tool');
    const context_id = (await runtime.db.prisma.context.findFirstOrThrow({ orderBy: { created_at: 'desc' } })).id;
    const tool_calls = [{ id: 'call_1', name: 'grind', arguments: '{"secret":1}' }];
    const rows = [
      { seq: 3, role: 'assistant', content: 'A moment.', tool_calls },
      { seq: 4, role: 'tool', content: 'hidden', call_id: 'call_1' },
    ];
    for (const row of rows)
      await runtime.db.prisma.contextMessage.create({ data: { id: newId(), context_id, ...row } });
    await update(id, { shared: true });
    const [own, others] = [(await read(id)).body, (await read(id, neighbour)).body];
    expect(JSON.stringify(own)).toContain('hidden');
    expect(others).toMatchObject({ own: false, user_name: own.user_name });
    expect(others.messages.map(({ content, tools, run }) => [content, tools, run])).toEqual([
      ['Use a tool', [], null],
      ['Hello.', [], null],
      ['A moment.', [], null],
    ]);
  });
});

describe('PATCH /api/v1/contexts/{context_id}', () => {
  it('renames, pins and shares a conversation without changing its time of last activity, and writes an audit row for each request', async () => {
    const id = await begin('Draft');
    const before = (await read(id)).body.updated_at;
    const changes = { title: '  Plan  ', pinned: true, shared: true };
    const { status, body } = await update(id, changes);
    expect([status, body]).toMatchObject([200, { id, title: 'Plan', pinned: true, shared: true, updated_at: before }]);
    expect(((await update(id, { pinned: false })).body as Conversation).title).toBe('Plan');
    const entries = await runtime.db.prisma.governanceDecision.findMany({
      where: { resource: id, action: 'context.update' },
      orderBy: { seq: 'asc' },
    });
    expect(entries.map(({ detail }) => detail)).toMatchObject([
      { agent: 'helper', changed: ['title', 'pinned', 'shared'], shared: true },
      { changed: ['pinned'] },
    ]);
  });

  it('answers 400 for an empty title, 200 to a request without changes, and 404 to other users, even when the conversation is shared', async () => {
    const id = await begin('Mine');
    expect((await update(id, { title: ' ' })).status).toBe(400);
    expect((await update(id, {})).status).toBe(200);
    await update(id, { shared: true });
    expect((await update(id, { title: 'Yours' }, neighbour)).status).toBe(404);
    expect((await neighbour('DELETE', `/api/v1/contexts/${id}`)).status).toBe(404);
    expect((await update(encodeId('ctx', newId()), { title: 'None' })).status).toBe(404);
    const reply = { content: 'Me too', context_id: id };
    expect((await neighbour('POST', '/api/v1/agents/helper/messages', { json: reply })).status).toBe(404);
  });
});

describe('DELETE /api/v1/contexts/{context_id}', () => {
  it('deletes the conversation and writes an audit row', async () => {
    const id = await begin('Forget me');
    expect(await call('DELETE', `/api/v1/contexts/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect((await read(id)).status).toBe(404);
    expect((await list('?search=forget')).total).toBe(0);
    expect((await call('DELETE', `/api/v1/contexts/${id}`)).status).toBe(404);
    const where = { resource: id, action: 'context.delete' };
    expect(await runtime.db.prisma.governanceDecision.count({ where })).toBe(1);
  });
});

describe('POST /api/v1/agents/{agent_name}/messages with `replaces`', () => {
  it('answers 400 when more than 500 messages follow the message to replace, and changes nothing', async () => {
    const id = await begin('First');
    const [first] = (await read(id)).body.messages;
    const context_id = decodeId('ctx', id) ?? '';
    await runtime.db.prisma.contextMessage.createMany({
      data: Array.from({ length: 500 }, (_, n) => ({
        ...{ id: newId(), context_id, seq: n + 10, role: 'assistant', content: 'x' },
      })),
    });
    expect((await send({ content: 'New', context_id: id, replaces: first?.id ?? '' })).status).toBe(400);
    expect(await runtime.db.prisma.contextMessage.count({ where: { context_id, replaced_by: null } })).toBe(502);
  });

  const shown = async (id: string) => (await read(id)).body.messages.map(({ content }) => content);

  it('replaces the named message and all messages after it with the new message', async () => {
    const id = await begin('What is a mil?');
    await send({ content: 'And then?', context_id: id });
    const [first] = (await read(id)).body.messages;
    const { status } = await send({ content: 'What is a mill?', context_id: id, replaces: first?.id ?? '' });
    expect(status).toBe(200);
    expect(await shown(id)).toEqual(['What is a mill?', 'Hello.']);
    expect((await read(id)).body.title).toBe('What is a mill?');
    const sent = JSON.stringify(model.requests.at(-1));
    expect([sent.includes('What is a mill?'), sent.includes('mil?'), sent.includes('And then?')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('creates a new answer even for an unchanged message; each run still shows the messages that its model read', async () => {
    const id = await begin('Question');
    await send({ content: 'Again', context_id: id });
    const former = (await read(id)).body.messages[2];
    await send({ content: 'Again', context_id: id, replaces: former?.id ?? '' });
    expect(await shown(id)).toEqual(['Question', 'Hello.', 'Again', 'Hello.']);
    const current = (await read(id)).body.messages[2];
    expect(current?.id).not.toBe(former?.id);
    for (const run of [former?.run?.id, current?.run?.id]) {
      const { body } = await call('GET', `/api/v1/runs/${run ?? ''}/steps/1`);
      const { messages } = body as { messages: { role: string; content: string }[] };
      const conversation = messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
      expect(conversation).toEqual(['Question', 'Hello.', 'Again']);
    }
  });

  it('answers 400 when `replaces` names an answer, a message of another conversation or a replaced message, or without context_id', async () => {
    const [id, other] = [await begin('One'), await begin('Two')];
    const [asked, answer] = (await read(id)).body.messages;
    const [elsewhere] = (await read(other)).body.messages;
    const replace = async (replaces = '', content = 'New') =>
      (await send({ content, context_id: id, replaces })).status;
    expect(await replace(answer?.id)).toBe(400);
    expect(await replace(elsewhere?.id)).toBe(400);
    expect(await replace('msg_x')).toBe(400);
    expect((await send({ content: 'New', replaces: asked?.id ?? '' })).status).toBe(400);
    expect(await replace(asked?.id)).toBe(200);
    expect(await replace(asked?.id, 'Newer')).toBe(400);
  });

  it('answers 409 while a run of the conversation has not ended', async () => {
    const id = await begin('Wait');
    const [asked] = (await read(id)).body.messages;
    const context = await runtime.db.prisma.context.findFirstOrThrow({ orderBy: { created_at: 'desc' } });
    await runtime.db.prisma.run.updateMany({
      where: { context_id: context.id },
      data: { state: 'waiting', waiting_for: 'outcome', ended_at: null },
    });
    const { status } = await send({ content: 'Now', context_id: id, replaces: asked?.id ?? '' });
    expect([status, await shown(id)]).toEqual([409, ['Wait', 'Hello.']]);
  });
});
