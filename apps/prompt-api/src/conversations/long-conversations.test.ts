import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { forgetConversations, newId } from '@millwright/db';
import type { Prompt } from '../prompts/prompts.contract.js';
import type { RunResult } from '../runs/runs.contract.js';
import { greeting, startTestApp, type Failure, type TestApp } from '../test-app.js';
import type { Conversation } from './conversations.contract.js';

const MIB = 1_048_576;
const MOST = 8 * MIB;

/** Every connection that this process opened: the service's connections to the database, and this test's connections to the service. */
const sockets: Socket[] = [];
const collectSocket = (message: unknown): void => {
  if (typeof message === 'object' && message && 'socket' in message && message.socket instanceof Socket)
    sockets.push(message.socket);
};

let app: TestApp;
beforeAll(async () => {
  subscribe('net.client.socket', collectSocket);
  app = await startTestApp();
});
afterAll(async () => {
  unsubscribe('net.client.socket', collectSocket);
  await app.close();
});

async function begin(): Promise<string> {
  const { body } = await app.call<Conversation>('POST', '/v1/conversation', { body: { metadata: { title: 'Long' } } });
  return body.id;
}

/** Adds `turns` pairs of a message and an answer. Each answer is a number with `bytes` characters after it. */
async function fill(id: string, turns: number, bytes: number): Promise<void> {
  const newIds = () => Array.from({ length: turns }, newId);
  await app.database.run(
    `INSERT INTO conversation_messages (id, conversation_id, seq, role, content, model, author)
     SELECT q.id, $1::uuid, 2 * q.n - 1, 'user', q.n || '?', 'house', 'Ada'
       FROM unnest($2::uuid[]) WITH ORDINALITY AS q (id, n)
     UNION ALL
     SELECT a.id, $1::uuid, 2 * a.n, 'assistant', a.n || '!' || repeat('x', $4::int), 'house', 'Ada'
       FROM unnest($3::uuid[]) WITH ORDINALITY AS a (id, n)`,
    [id, newIds(), newIds(), bytes],
  );
}

async function say(conversation_id: string, seq: number, content: string): Promise<void> {
  const message = { id: newId(), conversation_id, seq, role: 'user', content, model: 'house', author: 'Ada' };
  await app.db.prisma.conversationMessage.create({ data: message });
}

const startsOf = ({ message }: Conversation) => message.map(({ content }) => content.slice(0, 3).replaceAll('x', ''));
const turnsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => [`${first + n}?`, `${first + n}!`]).flat();
/** Bytes that the service and this test received. Unlike the memory of the process, this number is the same in every run. */
const received = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);

async function chat(contextWindow = 400_000) {
  const { call } = await app.startReplica({ models: [{ contextWindow }] });
  const body = { ...greeting, instruction: { dynamic: '{{message}}' }, input: {} };
  const prompt = await app.call<Prompt>('POST', '/v1/prompt', { body });
  return (message: string, conversation: string) =>
    call<RunResult & Failure>('POST', `/v1/prompt/${prompt.body.id}/openai`, { body: { message, conversation } });
}

describe('conversations of hundreds of megabytes', () => {
  it('are listed with as many of their newest messages as fit into an equal share of 8 MiB; the other messages are not read', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const id = await begin();
      ids.push(id);
      await fill(id, 4, MIB);
      if (n % 2 === 1) await say(id, 9, 'Bye');
    }
    const before = received();
    const { status, text, body } = await app.call<Conversation[]>('GET', '/v1/conversation?limit=100');
    expect({ status, listed: body.length }).toEqual({ status: 200, listed: 60 });
    expect(text.length).toBeLessThan(MOST);
    expect(received() - before).toBeLessThan(MOST);
    const listed = new Map(body.map((conversation) => [conversation.id, startsOf(conversation)]));
    // In every second conversation, the newest message is short, and each older message is longer than the conversation's share.
    expect(ids.map((id) => listed.get(id))).toEqual(ids.map((_, n) => (n % 2 === 1 ? ['Bye'] : [])));
  });

  it('are read from the end to the beginning by following links, each message once', async () => {
    const id = await begin();
    await fill(id, 20, MIB);
    let path: string | undefined = `/v1/conversation/${id}`;
    const pages: string[][] = [];
    while (path !== undefined) {
      const { status, text, headers, body }: Awaited<ReturnType<typeof app.call<Conversation>>> =
        await app.call<Conversation>('GET', path);
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(MOST);
      pages.unshift(startsOf(body));
      path = /^<([^>]+)>; rel="prev"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual(turnsFrom(1, 20));
  });

  it('are refused with 400 when `before` is not one of their messages', async () => {
    const [one, two] = [await begin(), await begin()];
    await fill(two, 1, 1);
    const [message] = await app.db.prisma.conversationMessage.findMany({ where: { conversation_id: two } });
    for (const before of [newId(), message?.id, 'x']) {
      const { status, body } = await app.call('GET', `/v1/conversation/${one}?before=${before}`);
      expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.message).toContain('before');
    }
  });

  it('continue with the turns that fit the model, without reading the other turns, and the warnings count all omitted turns', async () => {
    const run = await chat();
    const id = await begin();
    await fill(id, 150, MIB);
    await app.database.run(
      `UPDATE conversation_messages SET content = replace(content, 'x', '') WHERE conversation_id = $1::uuid AND seq > 296`,
      [id],
    );
    const before = received();
    const { status, body } = await run('Next?', id);
    expect(status).toBe(200);
    expect(received() - before).toBeLessThan(4 * MOST);
    const sent = app.model.requests.at(-1)?.body.messages.map(({ content }) => String(content).slice(0, 4)) ?? [];
    expect(sent.slice(-5)).toEqual(['149?', '149!', '150?', '150!', 'Next']);
    const kept = sent.filter((text) => /^\d+\?/.test(text)).length;
    expect(body.warnings.join()).toContain(`its oldest ${150 - kept} turns were left out`);
    expect(startsOf(body.data.conversation).length).toBeLessThan(30);
    expect(body.data.conversation.message.at(-1)).toEqual(body.data.message);
  });
});

describe('DELETE /v1/conversation/{uuid}', () => {
  /** Makes a conversation of 5,000 messages, each of which takes a millisecond to delete: too long for one statement. */
  async function tooLong(): Promise<string> {
    const id = await begin();
    await app.database.run(
      `INSERT INTO conversation_messages (id, conversation_id, seq, role, content, model, author)
       SELECT gen_random_uuid(), $1::uuid, n, 'user', 'x', 'm', 'Ada' FROM generate_series(1, 5000) n`,
      [id],
    );
    return id;
  }

  it('answers 204 for any length of conversation; a job deletes the messages in steps', async () => {
    await app.db.prisma.$executeRawUnsafe(`
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.001); RETURN OLD; END'`);
    await app.db.prisma.$executeRawUnsafe(
      'CREATE TRIGGER slow BEFORE DELETE ON conversation_messages FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    const id = await tooLong();
    expect((await app.call('DELETE', `/v1/conversation/${id}`)).status).toBe(204);
    let steps = 0;
    const forgotten = await forgetConversations((work) => {
      steps += 1;
      return app.db.transaction(work);
    });
    expect([forgotten, steps > 5]).toEqual([{ conversations: 1 }, true]);
    await app.db.prisma.$executeRaw`DROP TRIGGER slow ON conversation_messages`;
    expect(await app.db.prisma.conversationMessage.count({ where: { conversation_id: id } })).toBe(0);
  });

  it('hides the conversation and its responses from every operation immediately', async () => {
    const { body: prompt } = await app.call<Prompt>('POST', '/v1/prompt', {
      body: { ...greeting, instruction: { dynamic: '{{message}}' }, input: {} },
    });
    app.model.answerWith('Yes.');
    const key = { 'idempotency-key': 'hidden' };
    const respond = (body: object, headers = {}) =>
      app.call<{ id: string; conversation: { id: string } }>('POST', '/v1/responses', {
        body: { prompt: { id: prompt.id }, input: 'Hidden words', ...body },
        headers,
      });
    const first = (await respond({}, key)).body;
    const { id } = first.conversation;
    expect((await app.call('DELETE', `/v1/conversation/${id}`)).status).toBe(204);
    const calls = app.model.requests.length;
    const requests: [string, string, object?][] = [
      ['GET', `/v1/conversation/${id}`],
      ['PUT', `/v1/conversation/${id}`, { metadata: { title: 'x' } }],
      ['DELETE', `/v1/conversation/${id}`],
      ['GET', `/v1/responses/${first.id}`],
      ['DELETE', `/v1/responses/${first.id}`],
      ['POST', `/v1/prompt/${prompt.id}/run`, { conversation: id, message: 'x' }],
      ['POST', '/v1/responses', { prompt: { id: prompt.id }, input: 'x', conversation: id }],
      ['POST', '/v1/responses', { prompt: { id: prompt.id }, input: 'x', previous_response_id: first.id }],
    ];
    for (const [method, path, body] of requests) {
      const { status } = await app.call(method, path, { ...(body && { body }) });
      // For POST /v1/responses, an unknown conversation or response is an invalid field of the body: the answer is 400 in place of 404.
      const expected = method === 'POST' && path === '/v1/responses' ? 400 : 404;
      expect({ method, path, status }).toEqual({ method, path, status: expected });
    }
    expect((await respond({}, key)).status).toBe(404);
    expect(app.model.requests).toHaveLength(calls);
    const after = await app.call<Conversation[]>('GET', '/v1/conversation?limit=100');
    expect(after.body.map((conversation) => conversation.id)).not.toContain(id);
    expect(Number(after.headers.get('x-total-count'))).toBe(after.body.length);
  });
});
