import { once } from 'node:events';
import { request as open, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGatewayVerifier } from '@millwright/auth';
import {
  createHttpClient,
  createTestDatabase,
  freePort,
  listen,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let area: ListeningApp;
let site: TestConsole;
/** Answers the requests that reach the test's runtime API. Each test sets it. */
let serve: RequestListener;
let user: Awaited<ReturnType<TestConsole['signIn']>> & { id: string };

beforeAll(async () => {
  database = await createTestDatabase();
  area = await listen((request, response) => serve(request, response));
  const settings = { RUNTIME_API_TARGETS: [area.url], PROMPT_API_TARGETS: [`http://127.0.0.1:${await freePort()}`] };
  site = await startConsole(database.url, { settings });
  const row = await site.addUser({ email: 'ada@example.com', project: 'Commerce' });
  user = { id: row.id, ...(await site.signIn(row)) };
});
beforeEach(() => {
  serve = (request, response) => {
    const { method, url, headers } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
    });
  };
});
afterAll(async () => {
  await site.close();
  await area.close();
  await database.drop();
});

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}
const RUNTIME = '/admin/api/areas/runtime';
const tokenOf = ({ headers }: Seen) => (headers.authorization ?? '').replace('Bearer ', '');
const principalOf = (seen: Seen) =>
  createGatewayVerifier(site.db, { issuer: site.url, area: 'runtime' })(tokenOf(seen));

/** Opens a request whose body and response are streams. */
function stream(method: string, path: string, cookie = `access_token=${user.access}`) {
  const sent = open(`${site.url}${path}`, { method, headers: { cookie } });
  sent.flushHeaders();
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  return { sent, answer: async () => (await answered)[0] };
}

describe('/admin/api/areas/{area}', () => {
  it('forwards a request unchanged, except that a token of the signed-in user replaces the cookies', async () => {
    const answer = await user.client('PUT', `${RUNTIME}/api/v1/skills/a%2Fb?x=1&x=%20`, {
      json: { a: 1 },
      headers: {
        'if-match': '"b-1"',
        authorization: 'Bearer forged',
        'api-key': 'forged',
        'x-request-id': 'asked',
        'x-forwarded-for': '6.6.6.6',
        origin: site.url,
      },
    });
    const seen = answer.body as Seen;
    expect(seen).toMatchObject({ method: 'PUT', url: '/api/v1/skills/a%2Fb?x=1&x=%20', body: '{"a":1}' });
    expect(seen.headers).toMatchObject({ host: 'runtime.test', 'if-match': '"b-1"' });
    expect(seen.headers['x-request-id']).toMatch(/^asked~[0-9a-f]{16}$/);
    expect(seen.headers['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
    expect(Object.keys(seen.headers)).not.toEqual(expect.arrayContaining(['cookie']));
    for (const name of ['cookie', 'api-key', 'origin']) expect(seen.headers[name]).toBeUndefined();
    expect(JSON.stringify(seen)).not.toContain(user.access);
    expect(await principalOf(seen)).toMatchObject({
      user: { id: user.id },
      project: 'Commerce',
      credential: { kind: 'area_token' },
    });
  });

  it('includes in the token whether the session has a recent passkey proof', async () => {
    const proved = async () => (await principalOf((await user.client('GET', `${RUNTIME}/x`)).body as Seen))?.lacksProof;
    const setProof = (proven_at: Date) =>
      site.db.prisma.userSession.updateMany({ where: { user_id: user.id }, data: { proven_at } });
    await setProof(new Date(Date.now() - 3_600_000));
    expect(await proved()).toBe(true);
    await setProof(new Date());
    expect(await proved()).toBeUndefined();
  });

  it('sends each service a token that all other services refuse', async () => {
    const seen = (await user.client('GET', `${RUNTIME}/x`)).body as Seen;
    for (const other of ['platform', 'prompt'] as const)
      expect(await createGatewayVerifier(site.db, { issuer: site.url, area: other })(tokenOf(seen))).toBeUndefined();
  });

  it('accepts the choice of a project only from an admin; an admin who chooses no project works in Core', async () => {
    const admin = (await site.signIn(await site.addUser({ email: 'adm@example.com', role: 'admin' }))).client;
    const project = async (headers: Record<string, string>) =>
      (await principalOf((await admin('GET', `${RUNTIME}/x`, { headers })).body as Seen))?.project;
    expect(await project({})).toBe('Core');
    expect(await project({ 'x-millwright-project': 'Commerce' })).toBe('Commerce');
    const as = async (client: typeof admin, name: string) =>
      (await client('GET', `${RUNTIME}/x`, { headers: { 'x-millwright-project': name } })).status;
    expect([await as(admin, 'other'), await as(user.client, 'Core'), await as(user.client, 'Commerce')]).toEqual([
      422, 403, 200,
    ]);
    await site.db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
    expect(await project({ 'x-millwright-project': 'research' })).toBe('research');
    const refusal = async (name: string) =>
      (await user.client('GET', `${RUNTIME}/x`, { headers: { 'x-millwright-project': name } })).text;
    expect(await refusal('research')).toBe(await refusal('nothing'));
    await site.db.prisma.project.update({ where: { id: 'research' }, data: { deleted_at: new Date() } });
    expect(await as(admin, 'research')).toBe(422);
  });

  it("returns the service's status and headers, except cookies and CORS headers, and adds a policy against active content", async () => {
    serve = (_request, response) => {
      response.writeHead(201, {
        'content-type': 'text/html',
        etag: '"c-1"',
        'set-cookie': 'access_token=evil',
        'access-control-allow-origin': '*',
        'content-security-policy': 'script-src *',
        'x-ratelimit-limit': '1000',
      });
      response.end('<script>alert(1)</script>');
    };
    const { status, headers, text } = await user.client('POST', `${RUNTIME}/api/v1/files`);
    expect([status, text, headers.get('etag')]).toEqual([201, '<script>alert(1)</script>', '"c-1"']);
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect([headers.get('x-content-type-options'), headers.get('x-ratelimit-limit')]).toEqual(['nosniff', '1000']);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it.each(['script', 'style', 'worker', 'sharedworker', 'serviceworker'])(
    'answers 403 when a page loads a stored file as a %s',
    async (destination) => {
      const load = (dest: string) =>
        user.client('GET', `${RUNTIME}/api/v1/files/x`, { headers: { 'sec-fetch-dest': dest } });
      expect([(await load(destination)).status, (await load('empty')).status]).toEqual([403, 200]);
    },
  );

  it('streams requests and answers', async () => {
    serve = (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      request.on('data', (chunk: Buffer) => response.write(`data: ${chunk.toString()}\n\n`));
      request.on('end', () => response.end());
    };
    const { sent, answer } = stream('POST', `${RUNTIME}/echo`);
    const received = await answer();
    for (const word of ['one', 'two']) {
      sent.write(word);
      expect(String(((await once(received, 'data')) as [Buffer])[0])).toBe(`data: ${word}\n\n`);
    }
    sent.end();
    received.resume();
    await once(received, 'end');
  });

  it('aborts the request to the service when the browser disconnects', async () => {
    const left = new Promise<void>((resolve) => {
      serve = (_request, response) => {
        response.once('close', resolve);
        response.write('data: 1\n\n');
      };
    });
    const { sent, answer } = stream('GET', `${RUNTIME}/events`);
    sent.end();
    await answer();
    sent.destroy();
    await left;
  });

  it('sends no request to the service when the browser disconnects during the session check', async () => {
    let open = 0;
    serve = (request, response) => {
      if (request.url === '/left') open += 1;
      response.once('close', () => (open -= request.url === '/left' ? 1 : 0));
      if (request.url !== '/left') response.end();
    };
    await site.db.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE user_sessions IN ACCESS EXCLUSIVE MODE`;
      const { sent } = stream('POST', `${RUNTIME}/left`);
      sent.write('part');
      // Read outside the transaction: within it, PostgreSQL returns the same snapshot of pg_stat_activity every time.
      const waiting = () =>
        site.db.prisma.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await waiting()).length === 0) await sleep(10);
      const closed = new Promise((resolve) => sent.on('error', () => undefined).once('close', resolve));
      sent.destroy();
      await closed;
      // Gives the server time to detect the disconnect.
      for (let turn = 0; turn < 20; turn += 1) await waiting();
    });
    for (let n = 0; n < 3; n += 1) expect((await user.client('GET', `${RUNTIME}/later`)).status).toBe(200);
    expect(open).toBe(0);
  });

  it('aborts the response to the browser when the service aborts its response', async () => {
    serve = (_request, response) => {
      response.write('half');
      setImmediate(() => response.destroy());
    };
    const { sent, answer } = stream('GET', `${RUNTIME}/half`);
    sent.end();
    const received = await answer();
    received.resume();
    await expect(once(received, 'end')).rejects.toThrow('aborted');
  });

  it.each([
    ['that is not deployed', '/admin/api/areas/platform/api/v1/skills'],
    ['that does not answer', '/admin/api/areas/prompt/v1/prompt'],
  ])('answers 503 with Retry-After for a service %s', async (_case, path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await user.client(method, path, method === 'POST' ? { json: { a: 'b'.repeat(100_000) } } : {});
      expect([answer.status, answer.headers.get('retry-after'), answer.body]).toMatchObject([
        503,
        '1',
        { error: { code: 'unavailable', status: 503 } },
      ]);
    }
  });

  it('refuses a request without a session, from another origin, or for an unknown service', async () => {
    expect((await createHttpClient(site.url)('GET', `${RUNTIME}/x`)).status).toBe(401);
    const evil = { headers: { origin: 'https://evil.example' } };
    expect((await user.client('POST', `${RUNTIME}/x`, evil)).status).toBe(403);
    for (const path of [
      '/admin/api/areas',
      '/admin/api/areas/runtime',
      '/admin/api/areas/admin/x',
      '/admin/api/areas/RUNTIME/x',
    ])
      expect((await user.client('GET', path)).status).toBe(404);
  });
});
