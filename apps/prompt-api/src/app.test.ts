import { createUser } from '@millwright/accounts';
import { SCOPES } from '@millwright/auth';
import { anthropicError } from '@millwright/errors';
import { fromOtherProject, sweepEndpoints, type SweepTarget } from '@millwright/http-testing';
import type { Artifact } from './artifacts/artifacts.contract.js';
import type { Block } from './blocks/blocks.contract.js';
import { createRoutes, type RouteDeps } from './endpoints.js';
import type { Prompt } from './prompts/prompts.contract.js';
import type { ResponseObject } from './responses/responses.contract.js';
import type { GenerateResult, RunResult } from './runs/runs.contract.js';
import { greeting, like, startTestApp, type TestApp } from './test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const envelope = (code: string, status: number) => ({
  error: { code, message: like(/\w/), status, type: like(/_error$/), param: null },
  message: like(/\w/),
});

/** The tests read only the contracts of these routes, and call no handler. */
const contracts = createRoutes({} as RouteDeps).map(({ contract }) => contract);
const KINDS = [
  'prompt',
  'input',
  'output',
  'conversation',
  'artifact',
  'block',
  'user',
  'responses',
  'render',
  'models',
  'chat',
  'messages',
  'embeddings',
  'conversations',
  'item',
] as const;
type Kind = (typeof KINDS)[number];

describe('every endpoint', () => {
  let common: Omit<SweepTarget, 'params'>;
  let own: Record<Kind, string>;
  let foreign: Record<Kind, string>;
  /** Ids of the records in a project that a platform admin made. */
  let made: Record<Kind, string>;
  let keyOfMade: string;

  async function otherUser(project: string): Promise<string> {
    const email = `bo@${project.toLowerCase()}.example.com`;
    await app.db.transaction((tx) =>
      createUser(tx, { email, name: 'Bo', role: 'user', platformAdmin: false, project }),
    );
    return (await app.db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
  }

  async function makeRecords(key: string, user: string): Promise<Record<Kind, string>> {
    const prompt = (await app.call<Prompt>('POST', '/v1/prompt', { key, body: { ...greeting, input: {} } })).body;
    const run = await app.call<RunResult>('POST', `/v1/prompt/${prompt.id}/openai`, { key, body: { message: 'hi' } });
    const responses = await app.call<ResponseObject>('POST', '/v1/responses', {
      key,
      body: { prompt: { id: prompt.id }, input: 'hi' },
    });
    const items = await app.call<{ data: { id: string }[] }>(
      ...(['GET', `/v1/conversations/${run.body.data.conversation.id}/items`, { key }] as const),
    );
    const artifact = await app.call<Artifact>('POST', '/v1/artifact', { key, body: { content: 'x', metadata: {} } });
    const block = await app.call<Block>('POST', '/v1/block', { key, body: { prefix: 'swept', metadata: {} } });
    return {
      prompt: prompt.id,
      input: prompt.input.id,
      output: prompt.output.id,
      conversation: run.body.data.conversation.id,
      artifact: artifact.body.id,
      block: block.body.id,
      user,
      responses: responses.body.id,
      render: '',
      models: '',
      chat: '',
      messages: '',
      embeddings: '',
      conversations: run.body.data.conversation.id,
      item: items.body.data[0]?.id ?? '',
    };
  }

  beforeAll(async () => {
    const [key, stranger] = [await app.issueKey(), await app.issueKey({ project: 'Commerce' })];
    [own, foreign] = [await makeRecords(key, app.author.id), await makeRecords(stranger, await otherUser('Commerce'))];
    await app.db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
    const member = await otherUser('research');
    keyOfMade = await app.issueKey({ project: 'research', userId: member });
    made = await makeRecords(keyOfMade, member);
    const keyWithout = new Map<string, string>();
    for (const scope of SCOPES)
      keyWithout.set(scope, await app.issueKey({ scopes: SCOPES.filter((other) => other !== scope) }));
    common = {
      baseUrl: app.url,
      tightUrl: (await app.startReplica({ limitMultiplier: 1e-6 })).url,
      credential: { 'api-key': key },
      wrongCredential: { 'api-key': `${key.slice(0, -4)}${key.endsWith('aaaa') ? 'bbbb' : 'aaaa'}` },
      credentialWithout: (scope) => ({ 'api-key': keyWithout.get(scope) ?? '' }),
    };
  });

  const paramsOf = (kind: Kind, other: Record<Kind, string>): SweepTarget['params'] => ({
    uuid: { own: own[kind], foreign: other[kind], unknown: '018f0000-0000-7000-8000-000000000000' },
    n: { own: '1', foreign: '2', unknown: '999' },
    response_id: { own: own.responses, foreign: other.responses, unknown: `resp_${'0'.repeat(22)}` },
    conversation_id: {
      own: own.conversation,
      foreign: other.conversation,
      unknown: '018f0000-0000-7000-8000-000000000000',
    },
    item_id: { own: own.item, foreign: other.item, unknown: `msg_${'0'.repeat(22)}` },
    model: { own: `prompt/${own.prompt}`, foreign: `prompt/${other.prompt}`, unknown: 'none' },
    name: { own: 'production', foreign: 'of-another-prompt', unknown: 'none' },
  });
  const checksOf = (targetOf: (kind: Kind) => SweepTarget) =>
    KINDS.flatMap((kind) =>
      sweepEndpoints({
        area: 'prompt',
        ...(kind === 'messages' && { render: anthropicError }),
        contracts: contracts.filter(({ path }) => path.split('/')[2] === kind),
        target: () => targetOf(kind),
      }),
    ).filter(({ title }) => !exempt.has(title));
  const exempt = new Set([
    // PUT creates a label that does not exist, so it does not answer 404.
    "PUT /v1/prompt/{uuid}/label/{name} answers 404 for an unknown name and for another project's",
    // A model's name may have any form, so no name is malformed. `models.test.ts` covers 404.
    "GET /v1/models/{model} answers 404 for an unknown model and for another project's",
    // These paths match PATCH /v1/user/{uuid} too, so PATCH does not answer 405. `me` and `mcp` are not UUIDs.
    '/v1/user/me answers 405 with Allow for other methods',
    '/v1/user/mcp answers 405 with Allow for other methods',
  ]);
  const checks = checksOf((kind) => ({ ...common, params: paramsOf(kind, foreign) }));
  it.each(checks)('keeps its contract: $title', ({ run }) => run());

  const toMade = (kind: Kind): SweepTarget => ({ ...common, params: paramsOf(kind, made) });
  const ofProjects = ({ title }: { title: string }) => title.includes('another project');
  it.each(checksOf(toMade).filter(ofProjects))(
    'refuses requests between projects (key of Core, records of a project that a platform admin made): $title',
    ({ run }) => run(),
  );

  const fromMade = (kind: Kind) => fromOtherProject(toMade(kind), { 'api-key': keyOfMade }, ['n']);
  it.each(checksOf(fromMade).filter(ofProjects))(
    'refuses requests between projects (key of a project that a platform admin made, records of Core): $title',
    ({ run }) => run(),
  );
});

describe('an API key', () => {
  it('is accepted in api-key, in x-api-key and as a Bearer token', async () => {
    const key = await app.issueKey();
    for (const [name, value] of [
      ['api-key', key],
      ['authorization', `Bearer ${key}`],
      ['authorization', `bearer ${key}`],
      ['x-api-key', key],
    ] as const) {
      const { status } = await app.call('GET', '/v1/prompt', { key: '', headers: { [name]: value } });
      expect(status).toBe(200);
    }
  });

  it.each([
    ['api-key', 'x', 403, 'forbidden'],
    ['authorization', 'Bearer x', 401, 'unauthorized'],
    ['authorization', 'Basic eDp5', 401, 'unauthorized'],
    ['authorization', 'Bearer', 401, 'unauthorized'],
    ['x-api-key', 'x', 401, 'unauthorized'],
  ] as const)('is refused when it is malformed: header %s: %s is answered %i', async (name, value, status, code) => {
    const answer = await app.call('GET', '/v1/prompt', { key: '', headers: { [name]: value } });
    expect([answer.status, answer.body]).toEqual([status, envelope(code, status)]);
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
  });

  it('is refused with 403 as soon as it is revoked or has expired', async () => {
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

  it('is refused with 429 and Retry-After beyond the limit of its plan', async () => {
    const strict = await startTestApp({ limitMultiplier: 0.05 });
    try {
      for (const [plan, limit] of [
        ['standard', 5],
        ['professional', 25],
      ] as const) {
        const key = await strict.issueKey({ plan });
        const answers = [];
        for (let n = 0; n < limit + 2; n += 1) answers.push(await strict.call('GET', '/v1/prompt', { key }));
        const admitted = answers.filter(({ status }) => status === 200);
        // A new calendar minute may begin during the requests, so more than the limit may be admitted.
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
  it('below /v1 is answered 401 without a credential, and 404 with a credential', async () => {
    expect((await app.call('GET', '/v1/nothing', { key: '' })).status).toBe(401);
    const { status, body } = await app.call('GET', '/v1/nothing');
    expect(status).toBe(404);
    expect(body).toEqual(envelope('not_found', 404));
  });
});

describe('a request id', () => {
  it('is returned in the answer, and generated when the request has none', async () => {
    const { headers } = await app.call('GET', '/v1/prompt', { headers: { 'x-request-id': 'mine-1' } });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect((await app.call('GET', '/v1/nothing')).headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,}$/);
  });
});

describe('two replicas on one database', () => {
  /** Seeded pseudo-random numbers (mulberry32), so that a failure can be reproduced. */
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
    '{{message}}',
    '{{ name }}',
    '{{list}}',
    '{{deep.inner}}',
    '{{deep}}',
    '{{conversation.history}}',
    '{{nobody}}',
    '\\{{',
    '{{',
    '}}',
    '{{{name}}}',
    'text ',
    'ünï\n',
    '😀',
    '{{constructor}}',
    '{{number}}',
    '{{flag}}',
    '{{none}}',
    '$&',
    '{{list.0}}',
    '{{message.length}}',
  ];
  /** Number of concurrent requests, small so that a busy machine answers no request with 503. */
  const AT_ONCE = 4;
  const TEXTS = ['', 'plain', '{{name}}', '{{message}}', '\\{{name}}', '$1 $& $`', '{{', '😀 ü', '"quoted"\n'];

  it('render 300 generated templates and inputs to the same bytes, even right after a write at the other replica', async () => {
    const { call: other } = await app.startReplica();
    const pick = numbers(20260714);
    const template = () => Array.from({ length: pick(8) }, () => PIECES[pick(PIECES.length)]).join('');
    const text = () => TEXTS[pick(TEXTS.length)] ?? '';
    const value = (depth: number): unknown =>
      [
        text(),
        pick(1_000) / 7,
        pick(2) === 0,
        null,
        depth > 2 ? [] : [value(depth + 1)],
        depth > 2 ? {} : { z: value(depth + 1), a: text() },
      ][pick(6)];
    const properties = Object.fromEntries(['name', 'list', 'deep', 'number', 'flag', 'none'].map((name) => [name, {}]));
    const cases = Array.from({ length: 300 }, () => ({
      prompt: {
        ...greeting,
        instruction: { static: template(), state: template(), dynamic: template() },
        input: { schema: { type: 'object', properties } },
      },
      input: {
        ...(pick(3) > 0 && { message: text() }),
        structured_data: Object.fromEntries(
          Object.keys(properties)
            .filter(() => pick(3) > 0)
            .map((name) => [name, name === 'deep' ? { z: 1, inner: value(0) } : value(0)]),
        ),
      },
    }));
    for (let start = 0; start < cases.length; start += AT_ONCE) {
      await Promise.all(
        cases.slice(start, start + AT_ONCE).map(async ({ prompt, input }, index) => {
          const [writer, reader] = index % 2 === 0 ? [app.call, other] : [other, app.call];
          const made = await writer<Prompt>('POST', '/v1/prompt', { body: prompt });
          expect(made.status).toBe(201);
          const path = `/v1/prompt/${made.body.id}`;
          const [here, there] = await Promise.all([
            writer('POST', path, { body: input }),
            reader('POST', path, { body: input }),
          ]);
          expect(here.status).toBe(200);
          expect(there.text).toBe(here.text);
        }),
      );
    }
  });

  it('run a prompt once for an Idempotency-Key sent to both, and each returns the changes made at the other replica', async () => {
    const { call: other } = await app.startReplica();
    const { id } = (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {} } })).body;
    const { status } = await other('PUT', `/v1/prompt/${id}`, { body: { instruction: { dynamic: 'new' } } });
    expect(status).toBe(200);
    expect((await app.call<GenerateResult>('POST', `/v1/prompt/${id}`, { body: {} })).body.data.dynamic).toBe('new');
    const options = { body: { message: 'hi' }, headers: { 'idempotency-key': 'shared' } };
    app.model.answerWith({ content: 'Once.', delayMs: 200 });
    app.model.requests.length = 0;
    const [here, there] = await Promise.all(
      [app.call, other].map((call) => call('POST', `/v1/prompt/${id}/openai`, options)),
    );
    expect([here?.status, there?.status].sort()).toEqual([200, 409]);
    expect(app.model.requests).toHaveLength(1);
  });
});
