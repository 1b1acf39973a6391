import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Project } from '@millwright/auth';
import { createEgress, type Egress } from '@millwright/egress';
import { createSecretBox } from '@millwright/secrets';
import { listen, type ListeningApp } from '@millwright/testing';
import { isEventStream } from './event-stream.js';
import { createHeldBytes, type HeldBytes } from './held-bytes.js';
import { ServerBusy, ServerUnavailable } from './server-unavailable.js';
import { createServerConnections, type ServerAnswer } from './server-connections.js';

/** Jest's `doNotFake` for everything but `setTimeout`, so that sockets and promises keep their real timers. */
const REAL_CLOCKS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

let upstream: ListeningApp;
let egress: Egress;
let serve: (response: ServerResponse) => void;
let callOf: (project: Project, silenceMs: number, signal?: AbortSignal, held?: HeldBytes) => Promise<ServerAnswer>;
const call = (silenceMs: number) => callOf('Core', silenceMs);

beforeAll(async () => {
  upstream = await listen((_request, response) => serve(response));
  egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
  const secrets = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  // The database is never used, because the server needs no token.
  const connections = createServerConnections({ db: {} as never, egress, secrets });
  const { url } = upstream;
  const server = {
    id: 's',
    slug: 's',
    name: 's',
    url,
    headers: {},
    auth: { type: 'none' },
    status: 'active',
    generations: ['v2025'],
  } as const;
  callOf = (project, silenceMs, signal = new AbortController().signal, held) =>
    connections.send({ ...server, project }, { method: 'POST', headers: {}, body: '{}', signal, silenceMs, held });
});
afterAll(async () => {
  await upstream.close();
  await egress.close();
});

it('send fails when the server sends nothing until the timeout', async () => {
  serve = () => undefined;
  await expect(call(50)).rejects.toBeInstanceOf(ServerUnavailable);
});

it('send continues to call a server after six calls in a row have timed out', async () => {
  serve = () => undefined;
  for (let n = 0; n < 6; n++) await expect(call(50)).rejects.toThrow('cannot be reached');
  serve = (response) => response.end('{}');
  const { response, ended, cancel } = await call(60_000);
  expect(response.status).toBe(200);
  ended();
  await cancel();
});

it('send refuses a call when its project already has 64 open calls, and does not count the refusal as a failure of the server', async () => {
  const begun = { count: 0, all: Promise.withResolvers<undefined>() };
  serve = () => {
    if (++begun.count === 64) begun.all.resolve(undefined);
  };
  const leaving = new AbortController();
  const hanging = Array.from({ length: 64 }, () => callOf('Core', 60_000, leaving.signal).catch(() => undefined));
  await begun.all.promise;
  const refused = await Promise.allSettled(Array.from({ length: 6 }, () => call(60_000)));
  for (const one of refused)
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(ServerBusy) as unknown });
  serve = (response) => response.end('{}');
  const answered = async (project: Project) => {
    const { response, ended, cancel } = await callOf(project, 60_000);
    ended();
    await cancel();
    return response.status;
  };
  expect(await answered('Commerce')).toBe(200);
  leaving.abort(new Error('left'));
  await Promise.all(hanging);
  expect(await answered('Core')).toBe(200);
});

it('send restarts the idle timeout of a call at each heartbeat, and ends the call when the timeout passes without a heartbeat', async () => {
  const silenceMs = 400;
  let sendEvent = () => {};
  serve = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    sendEvent = () => response.write('data: alive\n\n');
    sendEvent();
  };
  jest.useFakeTimers({ doNotFake: [...REAL_CLOCKS] });
  try {
    const { response, events: read, alive } = await call(silenceMs);
    expect(isEventStream(response)).toBe(true);
    const events: string[] = [];
    const readAll = async () => {
      for await (const event of read?.() ?? []) {
        events.push(event);
        jest.advanceTimersByTime(silenceMs - 1);
        alive();
        if (events.length < 6) sendEvent();
        else jest.advanceTimersByTime(silenceMs);
      }
    };
    await expect(readAll()).rejects.toThrow('silent');
    expect(events).toHaveLength(6);
  } finally {
    jest.useRealTimers();
  }
});

it.each(['application/json', 'text/event-stream'])(
  'an answer of the type %s is received no faster than the rate limit of its user in bytes per second',
  async (type) => {
    const BYTES = 200_000;
    serve = (response) => {
      response.setHeader('content-type', type);
      response.end(`data: ${'x'.repeat(BYTES)}\n\n`);
    };
    const limits = { perUser: Infinity, total: Infinity, perUserPerS: 1_000_000, burst: 100_000 };
    const held = createHeldBytes(limits)('ada');
    const began = performance.now();
    const answer = await callOf('Core', 60_000, undefined, held);
    if (answer.events) for await (const event of answer.events()) expect(event.length).toBeGreaterThan(BYTES);
    else expect((await answer.text()).length).toBeGreaterThan(BYTES);
    // The bytes beyond the burst take 100 ms. Timers may end a millisecond early.
    expect(performance.now() - began).toBeGreaterThanOrEqual(98);
    answer.ended();
  },
);
