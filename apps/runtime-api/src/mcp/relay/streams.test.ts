import { setTimeout as sleep } from 'node:timers/promises';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstream: ListeningApp;
let open = 0;

/** Starts a server of 2025-11-25 without sessions, whose stream sends nothing. */
beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  upstream = await listen((request, response) => {
    if (request.method === 'GET') {
      open += 1;
      response.once('close', () => (open -= 1));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: number; method?: string };
      const info = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      };
      const result = method === 'initialize' ? info : { tools: [] };
      if (method === 'server/discover') response.writeHead(404).end();
      else if (id === undefined) response.writeHead(202).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await runtime.newMcpServer({ name: 'quiet', url: `${upstream.url}/mcp` });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});

const PATH = '/api/v1/mcp/quiet/mcp';
const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 };

const openStream = (token: string, signal: AbortSignal) =>
  fetch(runtime.url + PATH, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal,
  });

describe('streams of clients', () => {
  it('do not delay calls to the same server, even when 100 streams are open', async () => {
    const leaving = new AbortController();
    const users = await Promise.all(Array.from({ length: 10 }, (_, n) => runtime.newUser(`user${n}@example.com`)));
    const tokens = await Promise.all(users.map(({ id: userId }) => runtime.newToken({ userId })));
    const streams = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 10 }, () => openStream(token, leaving.signal))),
    );
    expect([new Set(streams.map(({ status }) => status)), open]).toEqual([new Set([200]), 100]);
    const calls = await Promise.all(tokens.map((token) => runtime.as(token)('POST', PATH, { json: LIST })));
    expect(calls.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    leaving.abort();
    while (open > 0) await sleep(5);
  });

  it('are limited to 16 per user and server; a further stream is answered 429 until one of them ends', async () => {
    const token = await runtime.newToken();
    const leaving = [new AbortController(), new AbortController()] as const;
    await openStream(token, leaving[0].signal);
    const others = await Promise.all(Array.from({ length: 15 }, () => openStream(token, leaving[1].signal)));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    const refused = await openStream(await runtime.newToken(), leaving[1].signal);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    leaving[0].abort();
    while (open > 15) await sleep(5);
    expect((await openStream(token, leaving[1].signal)).status).toBe(200);
    leaving[1].abort();
  });
});
