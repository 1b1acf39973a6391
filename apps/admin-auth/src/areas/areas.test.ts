import { once } from 'node:events';
import { request as open, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { createGatewayVerifier } from '@millwright/auth';
import { createHttpClient } from '@millwright/http/sweep';
import { createTestDatabase, freePort, listen, type ListeningApp, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let area: ListeningApp;
let site: TestConsole;
/** What the runtime does with the next requests. */
let serve: RequestListener;
let user: Awaited<ReturnType<TestConsole['signIn']>> & { id: string };

beforeAll(async () => {
  database = await createTestDatabase();
  area = await listen((request, response) => serve(request, response));
  const settings = { RUNTIME_API_TARGETS: [area.url], PROMPT_API_TARGETS: [`http://127.0.0.1:${await freePort()}`] };
  site = await startConsole(database.url, listen, { settings });
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

/** A request whose body and answer are streams. */
function stream(method: string, path: string, cookie = `access_token=${user.access}`) {
  const sent = open(`${site.url}${path}`, { method, headers: { cookie } });
  sent.flushHeaders();
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  return { sent, answer: async () => (await answered)[0] };
}

describe('/admin/api/areas/{area}', () => {
  it('sends a request on as it is, with a token for the signed-in user in place of their cookies', async () => {
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
    expect(seen.headers).toMatchObject({ host: 'runtime.test', 'if-match': '"b-1"', 'x-request-id': 'asked' });
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

  it('gives each area a token that the others refuse', async () => {
    const seen = (await user.client('GET', `${RUNTIME}/x`)).body as Seen;
    for (const other of ['platform', 'prompt'] as const)
      expect(await createGatewayVerifier(site.db, { issuer: site.url, area: other })(tokenOf(seen))).toBeUndefined();
  });

  it('lets an admin choose the project, Core unless said otherwise, and nobody else', async () => {
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
  });

  it('passes statuses and headers back, but no cookies and no leave for other origins, and runs nothing here', async () => {
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
  });

  it('streams both ways', async () => {
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

  it('ends the area’s work when the browser leaves', async () => {
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

  it('breaks an answer off where the area does', async () => {
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
  ])('an area %s is unavailable', async (_case, path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await user.client(method, path, method === 'POST' ? { json: { a: 'b'.repeat(100_000) } } : {});
      expect([answer.status, answer.headers.get('retry-after'), answer.body]).toMatchObject([
        503,
        '1',
        { error: { code: 'unavailable', status: 503 } },
      ]);
    }
  });

  it('is for the signed-in, from this origin, and for areas that there are', async () => {
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
