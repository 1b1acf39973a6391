import { encodeId, forgetConversations, newId } from '@millwright/db';
import type { Prompt } from '../prompts/prompts.contract.js';
import type { ResponseObject } from '../responses/responses.contract.js';
import { greeting, startTestApp, type Failure, type TestApp } from '../test-app.js';
import type { Conversation } from './conversations.contract.js';
import { shownMessages, modelHistory } from './messages.store.js';

const MAX_FORK_DEPTH = 500;

let app: TestApp;
let prompt: string;
beforeAll(async () => {
  app = await startTestApp();
  const body = { ...greeting, instruction: { dynamic: '{{message}}' }, input: {} };
  prompt = (await app.call<Prompt>('POST', '/v1/prompt', { body })).body.id;
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Yes.');
});

const respond = <Body = ResponseObject>(
  input: string,
  from: { previous_response_id?: string; conversation?: string } = {},
) => app.call<Body>('POST', '/v1/responses', { body: { prompt: { id: prompt }, input, ...from } });
/** Creates a response, which may continue another response. @returns the ids of the response and of its conversation */
async function say(input: string, previous?: string) {
  const { status, body } = await respond(input, previous === undefined ? {} : { previous_response_id: previous });
  expect(status).toBe(200);
  return { id: body.id, conversation: String(body.conversation?.id) };
}
const remove = (conversation: string) => app.call('DELETE', `/v1/conversation/${conversation}`);
/** Deletes the messages of deleted conversations, as an hourly job does. */
const forget = () => forgetConversations((work) => app.db.transaction(work));
const read = async (conversation: string) =>
  (await app.call<Conversation>('GET', `/v1/conversation/${conversation}`)).body.message;
/** Returns the texts of the user in a conversation. */
const userTexts = async (conversation: string) =>
  (await read(conversation)).filter(({ role }) => role === 'user').map(({ content }) => content);
const storedMessages = () => app.db.prisma.conversationMessage.count();
const removeAll = async () => {
  for (const { id } of await app.db.prisma.conversation.findMany({ select: { id: true } })) await remove(id);
  await forget();
};

/** Adds `turns` messages of `bytes` characters each to a conversation without messages. */
async function fill(conversation: string, turns: number, bytes: number): Promise<void> {
  for (let seq = 1; seq <= turns; seq += 1)
    await app.db.prisma.$executeRaw`
      INSERT INTO conversation_messages (id, conversation_id, seq, role, content, model, author)
      VALUES (${newId()}::uuid, ${conversation}::uuid, ${seq}::int, 'user', repeat('word ', ${bytes / 5}::int), 'house', 'Ada')`;
}

/**
 * Creates a chain of `depth` forks, each with one separate message.
 *
 * @returns the conversations, and a response in the last conversation
 */
async function chain(depth: number): Promise<{ ids: string[]; response: string }> {
  const ids: string[] = [];
  const first = await say('0');
  const { user_id, project } = await app.db.prisma.conversation.findUniqueOrThrow({
    where: { id: first.conversation },
  });
  ids.push(first.conversation);
  for (let level = 1; level <= depth; level += 1) {
    const id = newId();
    const data = { id, user_id, project, title: 'Fork', description: '', log_message: '', author: 'Ada' };
    const fork = { parent_id: ids.at(-1) ?? null, parent_until: level + 1, tree_id: first.conversation };
    const message = {
      id: newId(),
      seq: level + 2,
      role: 'user',
      content: String(level),
      model: 'house',
      author: 'Ada',
    };
    await app.db.prisma.conversation.create({ data: { ...data, ...fork, messages: { create: message } } });
    ids.push(id);
  }
  const uuid = newId();
  await app.db.prisma.storedResponse.create({
    data: { id: uuid, project, conversation_id: ids.at(-1) ?? '', seq: depth + 2, body: { output: [] } },
  });
  return { ids, response: encodeId('resp', uuid) };
}

describe('a fork (a second response to the same response)', () => {
  it('stores only its new messages, and no copies of the messages before the fork', async () => {
    const { body } = await app.call<Conversation>('POST', '/v1/conversation', {
      body: { metadata: { title: 'Long' } },
    });
    await fill(body.id, 12, 100_000);
    const long = await respond('And?', { conversation: body.id });
    const size = async () => {
      const [row] = await app.db.prisma.$queryRaw<[{ texts: number; disk: number }]>`
        SELECT (SELECT sum(octet_length(content))::float8 FROM conversation_messages) AS texts,
               (pg_total_relation_size('conversation_messages') + pg_total_relation_size('conversations')
                 + pg_total_relation_size('responses'))::float8 AS disk`;
      return row;
    };
    const before = await size();
    for (let n = 0; n < 10; n += 1) await say(`Take ${n}`, long.body.id);
    const after = await size();
    expect(after.texts - before.texts).toBe(10 * ('Take 0'.length + 'Yes.'.length));
    expect(after.disk - before.disk).toBeLessThan(200_000);
  });

  it('is read, listed and continued together with the messages before the fork', async () => {
    const one = await say('One');
    const two = await say('Two', one.id);
    await say('Three', two.id);
    const fork = await say('Other three', two.id);
    expect(await userTexts(fork.conversation)).toEqual(['One', 'Two', 'Other three']);
    const next = await say('Other four', fork.id);
    expect(next.conversation).toBe(fork.conversation);
    expect(app.model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user')).toMatchObject(
      ['One', 'Two', 'Other three', 'Other four'].map((content) => ({ content })),
    );
    const { body } = await app.call<Conversation[]>('GET', '/v1/conversation?limit=1');
    expect(body[0]?.message).toEqual(await read(fork.conversation));
    const messages = await read(fork.conversation);
    for (const [place, { id }] of messages.entries()) {
      const path = `/v1/conversation/${fork.conversation}?before=${id}`;
      expect((await app.call<Conversation>('GET', path)).body.message).toEqual(messages.slice(0, place));
    }
    const later = (await read(two.conversation)).at(-1)?.id;
    expect((await app.call('GET', `/v1/conversation/${fork.conversation}?before=${later}`)).status).toBe(400);
  });

  it('is answered 400 without a call of the model when it would be the 501st fork in a row', async () => {
    const { ids, response } = await chain(MAX_FORK_DEPTH);
    const last = await say('The last one', response);
    expect(last.conversation).toBe(ids.at(-1));
    const calls = app.model.requests.length;
    const { status, body } = await respond<Failure>('One too many', { previous_response_id: response });
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.error?.message).toContain('previous_response_id');
    expect(app.model.requests).toHaveLength(calls);
    expect(await say('Goes on', last.id)).toMatchObject({ conversation: ids.at(-1) });
  });
});

describe('a conversation with many forks', () => {
  it('is read with as many SQL statements as a conversation without forks', async () => {
    const { ids } = await chain(200);
    let statements = 0;
    const reads = new Proxy(app.db.prisma, {
      get: (prisma, name) => {
        if (name === '$queryRaw') statements += 1;
        const member: unknown = Reflect.get(prisma, name);
        return typeof member === 'function' ? (member.bind(prisma) as unknown) : member;
      },
    });
    const counts: number[] = [];
    for (const id of [ids[0], ids.at(-1)]) {
      statements = 0;
      const messages = await shownMessages(reads, String(id));
      const { history, unread } = await modelHistory(reads, String(id));
      expect(history.map(({ content }) => content)).toEqual(messages.map(({ content }) => content));
      expect({ unread, read: messages.length }).toEqual({ unread: 0, read: id === ids[0] ? 2 : 202 });
      counts.push(statements);
    }
    expect(counts).toEqual([3, 3]);
  });
});

describe('DELETE /conversation/{uuid} of a conversation with forks', () => {
  beforeEach(async () => {
    await app.db.prisma.$executeRaw`TRUNCATE conversations CASCADE`;
  });

  it('leaves each fork unchanged, and deletes the messages that no fork shares', async () => {
    const one = await say('One');
    const two = await say('Two', one.id);
    await say('Three', two.id);
    const [early, late] = [await say('After one', one.id), await say('After two', two.id)];
    const deep = await say('Deep', (await say('Deeper', late.id)).id);
    const nested = await say('Instead', late.id);
    const kept = [early, late, deep, nested].map(({ conversation }) => conversation);
    const before = await Promise.all(kept.map(read));
    expect((await remove(one.conversation)).status).toBe(204);
    expect(await Promise.all(kept.map(read))).toEqual(before);
    await forget();
    expect(await Promise.all(kept.map(read))).toEqual(before);
    expect(await app.db.prisma.conversationMessage.count({ where: { content: 'Three' } })).toBe(0);
    expect((await remove(late.conversation)).status).toBe(204);
    await forget();
    expect(await read(nested.conversation)).toEqual(before[3]);
    expect(await read(early.conversation)).toEqual(before[0]);
    await removeAll();
    expect(await storedMessages()).toBe(0);
  });

  it('answers 204 to concurrent deletions of all forks, and keeps none of their messages', async () => {
    const responses = [await say('Root')];
    for (let n = 0; n < 24; n += 1) responses.push(await say(`Turn ${n}`, responses[Math.floor(n / 2)]?.id));
    const ids = [...new Set(responses.map(({ conversation }) => conversation))];
    expect(ids.length).toBeGreaterThan(8);
    const answers = await Promise.all(ids.map(remove));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
    await forget();
    expect(await storedMessages()).toBe(0);
  });

  it('leaves, for generated forks and deletions, the same messages as if every fork were a full copy', async () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const expected = new Map<string, string[]>();
    let places: { id: string; conversation: string; texts: string[] }[] = [];
    for (let step = 0; step < 80; step += 1) {
      const from = places[random(places.length + 1)];
      const doomed = step % 5 === 4 ? [...expected.keys()][random(expected.size)] : undefined;
      if (doomed === undefined) {
        const texts = [...(from?.texts ?? []), `Step ${step}`];
        const made = await say(`Step ${step}`, from?.id);
        expected.set(made.conversation, texts);
        places.push({ ...made, texts });
      } else {
        expect((await remove(doomed)).status).toBe(204);
        if (random(2) === 0) await forget();
        expected.delete(doomed);
        places = places.filter(({ conversation }) => conversation !== doomed);
      }
      if (step % 20 === 19)
        for (const [id, texts] of expected) expect({ id, texts: await userTexts(id) }).toEqual({ id, texts });
    }
    expect(await app.db.prisma.conversation.count({ where: { parent_id: { not: null } } })).toBeGreaterThan(5);
    await removeAll();
    expect(await storedMessages()).toBe(0);
  });
});
