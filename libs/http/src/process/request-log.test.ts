import { AppError } from '@millwright/errors';
import { listen, type ListeningApp } from '@millwright/testing';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { createLogger } from './logger.js';
import { createMetrics } from './metrics.js';
import { requestIdOf } from './request-id.js';
import { requestLog } from './request-log.js';

const lines: Record<string, unknown>[] = [];
const logger = createLogger({
  service: 'demo',
  level: 'info',
  version: '0',
  destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
});
const metrics = createMetrics({ service: 'demo', version: '0' });
const held: (() => void)[] = [];
let server: ListeningApp;

function demoApp(): Express {
  const app = express();
  app.use(requestLog({ logger, metrics }));
  app.get('/things/:id', (request, response) => {
    response.locals.principalId = 'usr_1';
    response.json({ id: requestIdOf(request) });
  });
  app.get('/named', (_request, response) => {
    response.locals.route = '/named/{by}/contract';
    response.json({});
  });
  app.get('/slow', (_request, response) => {
    held.push(() => response.json({}));
  });
  const onError: ErrorRequestHandler = (error: AppError, _request, response, next) => {
    if (response.headersSent) next(error);
    else response.status(error.status).json({ code: error.code });
  };
  app.use(onError);
  return app;
}

beforeAll(async () => {
  server = await listen(demoApp());
});

afterAll(() => server.close());

beforeEach(() => lines.splice(0));

async function eventually(holds: () => boolean) {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('did not hold in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('requestLog', () => {
  it('writes one line with the id, the route template, status, duration and principal', async () => {
    const answer = await fetch(`${server.url}/things/7?secret=1`, { headers: { 'X-Request-Id': 'caller-1.a_B' } });
    expect(answer.headers.get('x-request-id')).toBe('caller-1.a_B');
    const { id } = (await answer.json()) as { id: string };
    expect(id).toMatch(/^caller-1\.a_B~[0-9a-f]{16}$/);
    await eventually(() => lines.length === 1);
    expect(lines[0]).toMatchObject({
      request_id: id,
      method: 'GET',
      route: '/things/:id',
      status: 200,
      principal_id: 'usr_1',
      msg: 'request',
    });
    expect(lines[0]?.['duration_ms']).toEqual(expect.any(Number));
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('logs the route template of response.locals when it is set', async () => {
    await fetch(`${server.url}/named`);
    await eventually(() => lines.length === 1);
    expect(lines[0]?.['route']).toBe('/named/{by}/contract');
  });

  it.each(['', 'has space', 'x'.repeat(129), 'semi;colon', 'ä'])(
    'generates an id instead of using %p',
    async (sent) => {
      const answer = await fetch(`${server.url}/things/7`, { headers: { 'X-Request-Id': sent } });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('gives two requests different ids even when both sent the same id, or an id that the service generated earlier', async () => {
    const made = (await fetch(`${server.url}/things/7`)).headers.get('x-request-id') ?? '';
    const idOf = async (sent: string) => {
      const answer = await fetch(`${server.url}/things/7`, { headers: { 'X-Request-Id': sent } });
      expect(answer.headers.get('x-request-id')).toBe(sent);
      return ((await answer.json()) as { id: string }).id;
    };
    const ids = [await idOf('same'), await idOf('same'), await idOf(made)];
    expect(new Set([made, ...ids]).size).toBe(4);
    expect(ids.map((id) => id.split('~')[0])).toEqual(['same', 'same', made]);
  });

  it('keeps the id that a request has unchanged only behind our own proxy', async () => {
    const id = `same~${'a'.repeat(16)}`;
    const app = express().use(requestLog({ logger, metrics, isBehindOurProxy: true }));
    const behind = await listen(app.use((request, response) => void response.json({ id: requestIdOf(request) })));
    const [taken, refused] = await Promise.all(
      [behind, server].map(({ url }) => fetch(`${url}/things/7`, { headers: { 'X-Request-Id': id } })),
    );
    expect([taken?.headers.get('x-request-id'), await taken?.json()]).toEqual(['same', { id }]);
    expect(refused?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await behind.close();
  });

  it('marks the log line of a request whose client disconnected', async () => {
    const leaving = new AbortController();
    const answer = fetch(`${server.url}/slow`, { signal: leaving.signal });
    await eventually(() => held.length === 1);
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await eventually(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ route: '/slow', aborted: true });
    held.splice(0);
  });

  it('counts the duration of a request under its route template, method and status, never under its path', async () => {
    await fetch(`${server.url}/things/8`);
    await fetch(`${server.url}/wp-login.php`);
    await eventually(() => lines.length === 2);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/http_request_duration_seconds_count\{.*route="\/things\/:id".*status="200".*\} \d/);
    expect(text).toContain('route="unmatched"');
    expect(text).not.toContain('wp-login');
  });
});
