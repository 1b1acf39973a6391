import { greeting, startTestApp, type TestApp } from './test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
const ENDPOINTS = [
  ['POST', '/v1/prompt', 'prompts:write'],
  ['GET', '/v1/prompt', 'prompts:read'],
  ['GET', `/v1/prompt/${UNKNOWN}`, 'prompts:read'],
  ['PUT', `/v1/prompt/${UNKNOWN}`, 'prompts:write'],
  ['POST', `/v1/prompt/${UNKNOWN}`, 'prompts:read'],
  ['POST', `/v1/prompt/${UNKNOWN}/openai`, 'prompts:run'],
  ['GET', `/v1/input/${UNKNOWN}`, 'prompts:read'],
  ['GET', `/v1/output/${UNKNOWN}`, 'prompts:read'],
  ['GET', '/v1/conversation', 'conversations:read'],
  ['GET', `/v1/conversation/${UNKNOWN}`, 'conversations:read'],
] as const;
const envelope = (code: string, status: number) => ({
  error: { code, message: expect.stringMatching(/\w/), status }, message: expect.stringMatching(/\w/),
});

describe.each(ENDPOINTS)('%s %s', (method, path, scope) => {
  it('answers 401 with a challenge without a key, before the body is read', async () => {
    const { status, headers, body } = await app.call(method, path, { key: '', ...(method !== 'GET' && { raw: 'not JSON' }) });
    expect(status).toBe(401);
    expect(body).toEqual(envelope('unauthorized', 401));
    expect(headers.get('www-authenticate')).toBe('ApiKey realm="millwright"');
    expect(headers.get('x-ratelimit-limit')).toBe('100000');
  });

  it('answers 403 to a wrong key, in either header', async () => {
    for (const headers of [{ 'api-key': 'wrong' }, { authorization: 'Bearer wrong' }, { authorization: 'Basic d3Jvbmc6' }]) {
      const { status, body } = await app.call(method, path, { key: '', headers: headers as Record<string, string> });
      expect(status).toBe(403);
      expect(body).toEqual(envelope('forbidden', 403));
    }
  });

  it(`answers 403 without ${scope}, and something else with it and nothing more`, async () => {
    const every = ['prompts:write', 'prompts:read', 'prompts:run', 'conversations:read', 'conversations:write'];
    const without = await app.issueKey({ scopes: every.filter((other) => other !== scope) });
    const refused = await app.call(method, path, { key: without });
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual(envelope('forbidden', 403));
    const only = await app.issueKey({ scopes: [scope] });
    expect([200, 400, 404]).toContain((await app.call(method, path, { key: only })).status);
  });

  it('answers 405 with Allow to a method it does not have', async () => {
    const { status, headers, body } = await app.call('PATCH', path, { body: {} });
    expect(status).toBe(405);
    expect(body).toEqual(envelope('method_not_allowed', 405));
    expect(headers.get('allow')).toContain(method);
  });
});

describe('an API key', () => {
  it('is taken from api-key and as a Bearer token', async () => {
    const key = await app.issueKey();
    for (const headers of [{ 'api-key': key }, { authorization: `Bearer ${key}` }]) {
      const { status } = await app.call('GET', '/v1/prompt', { key: '', headers: headers as Record<string, string> });
      expect(status).toBe(200);
    }
  });

  it('that is revoked, expired or whose owner is disabled answers 403 from the next request on', async () => {
    const key = await app.issueKey();
    expect((await app.call('GET', '/v1/prompt', { key })).status).toBe(200);
    await app.revoke(key);
    const expired = await app.issueKey({ expiresAt: new Date(Date.now() - 1_000) });
    for (const bad of [key, expired, `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`]) {
      const { status, body } = await app.call('GET', '/v1/prompt', { key: bad });
      expect(status).toBe(403);
      expect(body).toEqual(envelope('forbidden', 403));
    }
  });

  it('is admitted as often as its plan says, and then answered 429 with Retry-After', async () => {
    const strict = await startTestApp({ limitMultiplier: 0.05 });
    try {
      for (const [plan, limit] of [['standard', 5], ['professional', 25]] as const) {
        const key = await strict.issueKey({ plan });
        const answers = [];
        for (let n = 0; n < limit + 2; n += 1) answers.push(await strict.call('GET', '/v1/prompt', { key }));
        const admitted = answers.filter(({ status }) => status === 200);
        // A calendar minute may end in between.
        expect(admitted.length).toBeGreaterThanOrEqual(limit);
        expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe(String(limit));
        const refused = answers.find(({ status }) => status === 429);
        if (!refused) continue;
        expect(refused.body).toEqual(envelope('rate_limited', 429));
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      }
    } finally {
      await strict.close();
    }
  });
});

describe('an unknown path', () => {
  it('answers 401 to strangers and 404 to callers below /v1', async () => {
    expect((await app.call('GET', '/v1/nothing', { key: '' })).status).toBe(401);
    const { status, body } = await app.call('GET', '/v1/nothing');
    expect(status).toBe(404);
    expect(body).toEqual(envelope('not_found', 404));
  });
});

describe('a request id', () => {
  it('is echoed, and made where none was sent', async () => {
    const { headers } = await app.call('GET', '/v1/prompt', { headers: { 'x-request-id': 'mine-1' } });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect((await app.call('GET', '/v1/nothing')).headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,}$/);
  });
});

describe('two replicas on one database', () => {
  /** Repeatable numbers (mulberry32), so that a failure can be looked at again. */
  function numbers(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) % below;
    };
  }

  const PIECES = [
    '{{message}}', '{{ name }}', '{{list}}', '{{deep.inner}}', '{{deep}}', '{{conversation.history}}', '{{nobody}}', '\\{{', '{{', '}}',
    '{{{name}}}', 'text ', 'ünï\n', '😀', '{{constructor}}', '{{number}}', '{{flag}}', '{{none}}', '$&', '{{list.0}}', '{{message.length}}',
  ];
  const TEXTS = ['', 'plain', '{{name}}', '{{message}}', '\\{{name}}', '$1 $& $`', '{{', '😀 ü', '"quoted"\n'];

  it('render 300 generated templates and inputs to the same bytes, also after the other wrote', async () => {
    const other = await app.startReplica();
    const pick = numbers(20260714);
    const template = () => Array.from({ length: pick(8) }, () => PIECES[pick(PIECES.length)]).join('');
    const text = () => TEXTS[pick(TEXTS.length)] ?? '';
    const value = (depth: number): unknown => [text(), pick(1_000) / 7, pick(2) === 0, null, depth > 2 ? [] : [value(depth + 1)], depth > 2 ? {} : { z: value(depth + 1), a: text() }][pick(6)];
    const properties = Object.fromEntries(['name', 'list', 'deep', 'number', 'flag', 'none'].map((name) => [name, {}]));
    const cases = Array.from({ length: 300 }, () => ({
      prompt: { ...greeting, instruction: { static: template(), state: template(), dynamic: template() }, input: { schema: { type: 'object', properties } } },
      input: {
        ...(pick(3) > 0 && { message: text() }),
        structured_data: Object.fromEntries(Object.keys(properties).filter(() => pick(3) > 0).map((name) => [name, name === 'deep' ? { z: 1, inner: value(0) } : value(0)])),
      },
    }));
    for (let start = 0; start < cases.length; start += 20) {
      await Promise.all(
        cases.slice(start, start + 20).map(async ({ prompt, input }, index) => {
          const [writer, reader] = index % 2 === 0 ? [app.call, other] : [other, app.call];
          const { id } = (await writer('POST', '/v1/prompt', { body: prompt })).body;
          const path = `/v1/prompt/${id}`;
          const [here, there] = await Promise.all([writer('POST', path, { body: input }), reader('POST', path, { body: input })]);
          expect(here.status).toBe(200);
          expect(there.text).toBe(here.text);
        }),
      );
    }
  });

  it('share idempotency keys and what the other has changed', async () => {
    const other = await app.startReplica();
    const { id } = (await app.call('POST', '/v1/prompt', { body: { ...greeting, input: {} } })).body;
    const { status } = await other('PUT', `/v1/prompt/${id}`, { body: { instruction: { dynamic: 'new' } } });
    expect(status).toBe(200);
    expect((await app.call('POST', `/v1/prompt/${id}`, { body: {} })).body.data.dynamic).toBe('new');
    const options = { body: { message: 'hi' }, headers: { 'idempotency-key': 'shared' } };
    app.model.answerWith({ content: 'Once.', delayMs: 200 });
    app.model.requests.length = 0;
    const [here, there] = await Promise.all([app.call, other].map((call) => call('POST', `/v1/prompt/${id}/openai`, options)));
    expect([here?.status, there?.status].sort()).toEqual([200, 409]);
    expect(app.model.requests).toHaveLength(1);
  });
});
