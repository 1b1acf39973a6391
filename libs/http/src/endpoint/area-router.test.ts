import { EventEmitter, once } from 'node:events';
import { newKey } from '@millwright/auth';
import { createDatabase, type Database } from '@millwright/db';
import {
  createHttpClient,
  createTestDatabase,
  limitHeaderFaults,
  listen,
  type ClientAnswer,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { createNotesArea, openNotes, type NotesAreaOptions } from './test-notes-area.js';

let database: TestDatabase;
let notes: Awaited<ReturnType<typeof openNotes>>;
let authorization: string;
const running: ListeningApp[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  authorization = `Bearer ${await notes.issueKey('*')}`;
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
});

afterAll(async () => {
  await notes.db.close();
  await database.drop();
});

async function serve(options: Partial<NotesAreaOptions> = {}) {
  const app = await listen(createNotesArea({ db: notes.db, ...options }));
  running.push(app);
  return { url: app.url, client: createHttpClient(app.url, { authorization }), anonymous: createHttpClient(app.url) };
}

const aText = expect.any(String) as string;
const note = { text: 'a', tone: 'warm' };
const errorOf = ({ body }: ClientAnswer) => (body as { error: Record<string, unknown> }).error;

describe('an answer', () => {
  it('has the fields of its contract and no other fields', async () => {
    const { client } = await serve();
    const created = await client('POST', '/notes', { json: note });
    expect(created.body).toEqual({ id: aText, ...note });
    expect((await client('GET', String(created.headers.get('location')))).text).toBe(created.text);
  });

  it('that does not match its contract rolls back the changes of the request', async () => {
    const { client } = await serve();
    await notes.db.prisma.$executeRaw`CREATE RULE spoil AS ON INSERT TO notes DO INSTEAD
      INSERT INTO notes (text, tone) VALUES (new.text, 'lukewarm') RETURNING *`;
    const answer = await client('POST', '/notes', { json: { ...note, text: 'spoilt' } });
    await notes.db.prisma.$executeRaw`DROP RULE spoil ON notes`;
    expect(answer.status).toBe(500);
    expect(await notes.db.prisma.$queryRaw`SELECT * FROM notes WHERE text = 'spoilt'`).toEqual([]);
  });

  it('to HEAD has the headers of the answer to GET and no body', async () => {
    const { client } = await serve();
    const created = await client('POST', '/notes', { json: note });
    const path = String(created.headers.get('location'));
    const [head, get] = [await client('HEAD', path), await client('GET', path)];
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(get.text.length)]);
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect((await client('HEAD', '/notes/none')).status).toBe(404);
  });

  it('to a request that fails unexpectedly has a constant text; only the log contains the cause', async () => {
    const lines: string[] = [];
    const { client } = await serve({
      log: (line) => lines.push(line),
      during: () => {
        throw Object.assign(new Error('the secret of the house'), { status: 400 });
      },
    });
    const answer = await client('GET', '/notes/1');
    expect([answer.status, answer.body]).toEqual([
      500,
      { error: { code: 'internal_error', message: 'The server failed to answer the request.', status: 500 } },
    ]);
    expect(lines.some((line) => line.includes('the secret of the house') && line.includes('"level":'))).toBe(true);
    expect(limitHeaderFaults(answer)).toEqual([]);
  });

  it('has status 503 and Retry-After for every request while the database is down', async () => {
    const down = createDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', poolMax: 2 });
    const { client, anonymous } = await serve({ db: down });
    for (const answer of [await client('GET', '/notes/1'), await client('POST', '/notes', { json: note })]) {
      expect([answer.status, errorOf(answer)['code'], answer.headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        '1',
      ]);
      expect(limitHeaderFaults(answer)).toEqual([]);
    }
    expect((await anonymous('GET', '/status')).status).toBe(200);
    await down.close();
  });

  it('has status 503 and Retry-After when the limit of requests in flight is reached, except for health checks and admitted requests', async () => {
    const steps = new EventEmitter();
    let reading = 0;
    const { client, anonymous } = await serve({
      capacity: { MAX_IN_FLIGHT: 2 },
      during: async () => {
        if (++reading === 2) steps.emit('full');
        await once(steps, 'go on');
      },
    });
    const full = once(steps, 'full');
    const taken = [client('GET', '/notes/none'), client('GET', '/notes/none')];
    await full;
    const shed = await client('GET', '/notes/none');
    expect([shed.status, shed.headers.get('retry-after'), limitHeaderFaults(shed)]).toEqual([503, '1', []]);
    expect((await anonymous('GET', '/status')).status).toBe(200);
    steps.emit('go on');
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('limits', () => {
  const at = Date.UTC(2026, 0, 1, 12, 0, 30);

  it('admit the requests to all endpoints until the budget of their credential is used up; further requests are answered 429', async () => {
    const { client, anonymous } = await serve({ now: () => at });
    const paths = ['/notes/none', '/notes', '/nowhere', '/notes/1/2'];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => client('GET', String(paths[n % paths.length]))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.length - refused.length, refused.length]).toEqual([20, 10]);
    const remaining = answers
      .filter(({ status }) => status !== 429)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ error: { code: 'rate_limited', status: 429 } });
      expect(headers.get('x-ratelimit-reset')).toBe(String(at / 1_000 + 30));
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await anonymous('GET', '/status')).status).toBe(200);
  });

  it('count a request without a valid credential against the budget of its address', async () => {
    const { anonymous, client } = await serve({ now: () => at });
    const wrong = { authorization: 'Bearer wrong' };
    const statuses = [
      await anonymous('GET', '/notes'),
      await anonymous('GET', '/notes', { headers: wrong }),
      await anonymous('GET', '/nowhere'),
      await anonymous('GET', '/openapi.json'),
      await anonymous('POST', '/openapi.json'),
      await anonymous('GET', '/status'),
      await anonymous('PUT', '/status'),
      await anonymous('GET', '/status'),
      await anonymous('GET', '/notes', { headers: wrong }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 404, 200, 405, 200, 405, 429, 429]);
    expect((await client('GET', '/notes/none')).status).toBe(404);
  });

  it('refuse an address that has sent too many wrong credentials, without a database lookup of the next credential', async () => {
    let lookups = 0;
    const prepared: Database['prepared'] = (...query) => {
      lookups += 1;
      return notes.db.prepared(...query);
    };
    const { anonymous, client } = await serve({ db: { ...notes.db, prepared }, now: () => at });
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const headers = { authorization: `Bearer ${newKey('api_key').text}` };
      statuses.push((await anonymous('GET', '/notes', { headers })).status);
    }
    expect(statuses).toEqual([...Array<number>(7).fill(401), ...Array<number>(13).fill(429)]);
    expect(lookups).toBe(7);
    expect((await client('GET', '/notes/none')).status).toBe(429);
  });

  it('count the requests of all credentials of an account together, and also those of all credentials of a project', async () => {
    const { url } = await serve({ now: () => at });
    const keysOf = async (issueKey: (...scopes: string[]) => Promise<string>) =>
      Promise.all([issueKey('*'), issueKey('*')]);
    const admittedOf = async (keys: readonly string[]) => {
      const answers = await Promise.all(
        keys.flatMap((key) => {
          const client = createHttpClient(url, { authorization: `Bearer ${key}` });
          return Array.from({ length: 20 }, () => client('GET', '/notes/none'));
        }),
      );
      return answers.filter(({ status }) => status === 404).length;
    };
    expect(await admittedOf(await keysOf(notes.issueKey))).toBe(30);
    const grace = await notes.addUser('grace@example.com');
    // Requests of the other account that were refused have used nothing of the project's budget.
    expect(await admittedOf(await keysOf(grace))).toBe(15);
  });

  it('count messages in a separate budget; the headers of an answer show the budget with the fewest remaining requests', async () => {
    const { client } = await serve({ now: () => at });
    const ask = () => client('POST', '/notes/ask', { json: note });
    const answers = [await ask(), await ask(), await ask(), await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(Array(6).fill('5'));
    const other = await client('GET', '/notes/none');
    expect([other.status, other.headers.get('x-ratelimit-limit'), other.headers.get('x-ratelimit-remaining')]).toEqual([
      404,
      '20',
      '13',
    ]);
  });
});

describe('credentials', () => {
  it('are checked before the rest of the request, including the body', async () => {
    const { anonymous } = await serve();
    for (const path of ['/notes', '/notes/ask', '/notes/none/here']) {
      const answer = await anonymous('POST', path, { body: '{', headers: { 'content-type': 'application/json' } });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="notes"']);
    }
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer a b', 'mw_live_x'])('of the form %j are refused', async (value) => {
    const { anonymous } = await serve();
    expect((await anonymous('GET', '/notes/1', { headers: { authorization: value } })).status).toBe(401);
  });

  it('without the scope of the endpoint are refused, and an audit row names the missing scope and the project', async () => {
    const { url } = await serve();
    const reader = createHttpClient(url, { authorization: `Bearer ${await notes.issueKey('skills:read')}` });
    const refused = await reader('POST', '/notes', { json: note, headers: { 'x-request-id': 'denied-1' } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="skills:write"',
    ]);
    expect(refused.text).toContain('scope: skills:write is missing');
    expect(
      await notes.db.prisma.governanceDecision.findFirst({ where: { request_id: { startsWith: 'denied-1~' } } }),
    ).toMatchObject({
      action: 'createNote',
      resource: '/notes',
      project: 'Core',
      decision: 'deny',
      reason: 'scope skills:write is missing',
    });
  });
});

describe('methods', () => {
  it('that the path does not support are answered 405 with Allow, even when X-HTTP-Method-Override names a supported method', async () => {
    const { client } = await serve();
    for (const method of ['POST', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await client(method, '/notes/1', { headers: { 'x-http-method-override': 'GET' } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT']);
    }
    expect((await client('PUT', '/openapi.json')).headers.get('allow')).toBe('GET, HEAD');
  });
});

describe("every service's API", () => {
  it.each([
    ['admin', { error: { code: 'not_found', message: aText, status: 404 } }],
    ['platform', { error: { code: 'not_found', message: aText, status: 404 } }],
    ['runtime', { error: { code: 'NOT_FOUND', message: aText, details: { field: '', reason: aText } } }],
    [
      'prompt',
      {
        error: { code: 'not_found', message: aText, status: 404, type: 'invalid_request_error', param: null },
        message: aText,
      },
    ],
  ] as const)('returns errors in the form of the area %s', async (area, body) => {
    const { client } = await serve({ area });
    expect((await client('GET', '/notes/none')).body).toEqual(body);
  });

  it('adds to each error a Link header with the page about the code of the error, and keeps other links of the error', async () => {
    const { client } = await serve({ area: 'platform' });
    const help = (code: string) => `<https://docs.example/docs/errors/${code}>; rel="help"`;
    for (const [method, path, code] of [
      ['GET', '/notes/none', 'not_found'],
      ['PATCH', '/notes/1', 'method_not_allowed'],
    ] as const)
      expect((await client(method, path)).headers.get('link')).toBe(help(code));
    expect((await client('GET', '/nowhere')).headers.get('link')).toContain(help('endpoint_not_found'));
    expect((await client('GET', '/status')).headers.get('link')).toBeNull();
  });

  it('answers an unknown path with the code not_found and the text that there is no such endpoint', async () => {
    const { client } = await serve({ area: 'platform' });
    const { status, body, headers } = await client('GET', '/nowhere');
    expect(headers.get('link')).toContain('</openapi.json>; rel="service-desc", </docs>; rel="service-doc"');
    expect([status, body]).toEqual([
      404,
      { error: { code: 'not_found', message: 'No such endpoint. Check the path and its letter case.', status: 404 } },
    ]);
  });
});
