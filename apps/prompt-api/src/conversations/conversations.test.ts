import type { Prompt } from '../prompts/prompts.contract.js';
import type { RunResult } from '../runs/runs.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';
import type { Conversation } from './conversations.contract.js';

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';

let app: TestApp;
let commerce: string;
beforeAll(async () => {
  app = await startTestApp();
  commerce = await app.issueKey({ project: 'Commerce' });
});
afterAll(() => app.close());

/** Creates a conversation by running a new prompt. */
async function talk(message: string, options: { key?: string } = {}) {
  const body = {
    ...greeting,
    instruction: { dynamic: '{{message}}' },
    input: {},
    metadata: { ...greeting.metadata, title: `On ${message}` },
  };
  const prompt = await app.call<Prompt>('POST', '/v1/prompt', { ...options, body });
  const run = await app.call<RunResult>('POST', `/v1/prompt/${prompt.body.id}/openai`, {
    ...options,
    body: { message },
  });
  expect(run.status).toBe(200);
  return run.body.data.conversation;
}

describe('GET /v1/conversation/{uuid}', () => {
  it("returns the conversation as its run returned it, with the conversation's version as ETag", async () => {
    const conversation = await talk('tea');
    const { status, headers, body } = await app.call<Conversation>('GET', `/v1/conversation/${conversation.id}`);
    expect({ status, body, tag: headers.get('etag') }).toEqual({ status: 200, body: conversation, tag: '"d-1"' });
    const [message] = body.message;
    expect(Object.keys(body)).toEqual(['id', 'message', 'metadata', '_link']);
    expect(Object.keys(body.metadata)).toEqual([
      'title',
      'description',
      'tag',
      'log_message',
      'created',
      'updated',
      'version',
      'status',
      'author',
    ]);
    expect(Object.keys(message ?? {})).toEqual(['id', 'role', 'content', 'reference', 'model', 'metadata']);
    expect(message?.metadata.created).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(Math.abs(Date.parse(`${message?.metadata.created}Z`) - Date.now())).toBeLessThan(60_000);
  });

  it("answers 304 when If-None-Match is the conversation's current ETag", async () => {
    const { _link } = await talk('tea');
    expect((await app.call('GET', _link, { headers: { 'if-none-match': '"d-1"' } })).status).toBe(304);
  });

  it('answers 404 with the same body for an unknown id and an id of another project, and 400 for an id that is not a UUID', async () => {
    const { _link } = await talk('tea');
    const foreign = await app.call('GET', _link, { key: commerce });
    const unknown = await app.call('GET', `/v1/conversation/${UNKNOWN}`);
    expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: unknown.text });
    const { status, body } = await app.call('GET', '/v1/conversation/nope');
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
  });
});

describe('GET /v1/conversation', () => {
  it("returns this project's conversations as an array, newest first, with messages, total and links", async () => {
    const made: Conversation[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift(await talk(`turn ${n}`, { key: commerce }));
    await talk('of Core');
    const first = await app.call<Conversation[]>('GET', '/v1/conversation?limit=3', { key: commerce });
    expect(first.status).toBe(200);
    expect(first.body).toEqual(made.slice(0, 3));
    expect(first.headers.get('x-total-count')).toBe('5');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await app.call<Conversation[]>('GET', next, { key: commerce });
    expect(second.body).toEqual(made.slice(3));
    expect(second.headers.get('link')).toMatch(/page=1[^>]*>; rel="prev"/);
  });

  it.each(['limit=101', 'limit=0', 'page=0', 'page=x', 'limit=2&limit=3'])('answers 400 to ?%s', async (query) => {
    const { status, body } = await app.call('GET', `/v1/conversation?${query}`);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'validation_error' });
  });

  it('answers 403 without conversations:read', async () => {
    const key = await app.issueKey({ scopes: ['prompts:read', 'prompts:run'] });
    expect((await app.call('GET', '/v1/conversation', { key })).status).toBe(403);
    expect((await app.call('GET', `/v1/conversation/${UNKNOWN}`, { key })).status).toBe(403);
  });
});
