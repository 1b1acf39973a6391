import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { renderers } from '@millwright/errors';
import { blockEventLoop, freePort } from '@millwright/testing';
import { createLogger } from './logger.js';
import { createMetrics } from './metrics.js';
import { startService, type RunningService, type ServiceOptions } from './start-service.js';

interface Started extends RunningService {
  url: string;
  adminUrl: string;
  held: ServerResponse[];
  signal: (name?: 'SIGTERM' | 'SIGINT') => void;
  exitCode: Promise<number>;
  closed: () => boolean;
}

const config = { HOST: '127.0.0.1', PORT: 0, ADMIN_PORT: 0, SHUTDOWN_ANNOUNCE_MS: 200, SHUTDOWN_GRACE_MS: 2_000 };
const started: Started[] = [];

async function start(overrides: Partial<ServiceOptions> = {}): Promise<Started> {
  const signals = new EventEmitter();
  const held: ServerResponse[] = [];
  const exited = Promise.withResolvers<number>();
  let closed = false;
  const app: RequestListener = (request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('hello');
  };
  const service = await startService({
    name: 'demo',
    config,
    app,
    renderClientError: renderers.runtime,
    logger: createLogger({ service: 'demo', level: 'silent', version: '0' }),
    metrics: createMetrics({ service: 'demo', version: '0' }),
    ready: () => Promise.resolve(undefined),
    close: () => {
      closed = true;
      return Promise.resolve();
    },
    signals,
    exit: exited.resolve,
    ...overrides,
  });
  const running: Started = {
    ...service,
    url: `http://127.0.0.1:${service.port}`,
    adminUrl: `http://127.0.0.1:${service.adminPort}`,
    held,
    signal: (name = 'SIGTERM') => void signals.emit(name),
    exitCode: exited.promise,
    closed: () => closed,
  };
  started.push(running);
  return running;
}

afterEach(async () => {
  for (const service of started.splice(0)) {
    service.held.forEach((response) => response.destroy());
    service.signal();
    await service.exitCode;
  }
});

async function eventually(holds: () => boolean) {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('did not hold in time');
    await sleep(5);
  }
}

async function request(url: string, agent?: Agent): Promise<{ response: IncomingMessage; body: string }> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  return { response, body: await text(response) };
}

async function status(url: string): Promise<number> {
  return (await fetch(url)).status;
}

async function untilAnswers(url: string) {
  let answered = false;
  while (!answered)
    answered = await fetch(url).then(
      () => true,
      () => false,
    );
}

function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('requests on many simultaneous connections', () => {
  it('are started over many turns of the event loop', async () => {
    const COUNT = 60;
    const begunInTurn = [0];
    let isOver = false;
    const countTurn = () => {
      begunInTurn.push(0);
      if (!isOver) setImmediate(countTurn);
    };
    const app: RequestListener = ({ url }, response) => {
      if (url === '/work') {
        begunInTurn.push((begunInTurn.pop() ?? 0) + 1);
        blockEventLoop(1);
      }
      response.end();
    };
    const { port } = await start({ app });
    const sockets = Array.from({ length: COUNT }, () => connect(port, '127.0.0.1'));
    const sendAll = (path: string) => {
      for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return Promise.all(sockets.map((socket) => once(socket, 'data')));
    };
    // Ensures that all connections are accepted, because a connection that is not accepted yet would delay its request.
    await sendAll('/');
    setImmediate(countTurn);
    await sendAll('/work');
    for (const socket of sockets) socket.destroy();
    isOver = true;
    expect(begunInTurn.reduce((total, begun) => total + begun)).toBe(COUNT);
    // At most two requests begin in a turn of 1 ms. The test may count the end of one turn and the beginning of the
    // next as one turn.
    expect(Math.max(...begunInTurn)).toBeLessThanOrEqual(6);
  });

  it('of one address do not delay a request of another address, which is among the first to be started', async () => {
    const COUNT = 300;
    const begun: string[] = [];
    const app: RequestListener = ({ url = '' }, response) => {
      begun.push(url);
      blockEventLoop(1);
      response.end();
    };
    const { port } = await start({ app });
    const connectFrom = (localAddress: string, path: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      return once(socket.resume(), 'close');
    };
    const many = Array.from({ length: COUNT }, () => connectFrom('127.0.0.2', '/many'));
    await Promise.all([...many, connectFrom('127.0.0.1', '/one')]);
    expect(begun).toHaveLength(COUNT + 1);
    expect(begun.indexOf('/one')).toBeLessThan(COUNT / 3);
  });

  it('are accepted on Linux in fewer turns of the event loop than half the number of connections', async () => {
    const COUNT = 160;
    let turn = 0;
    const begunIn: number[] = [];
    const app: RequestListener = (_request, response) => {
      begunIn.push(turn);
      response.end();
    };
    const { port } = await start({ app });
    const countTurn = () => {
      turn += 1;
      if (begunIn.length < COUNT) setImmediate(countTurn);
    };
    countTurn();
    const answers = Array.from({ length: COUNT }, () =>
      raw(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    );
    await Promise.all(answers);
    const turns = Math.max(...begunIn) - Math.min(...begunIn);
    expect({ turns, isFew: turns < COUNT / 2 || process.platform !== 'linux' }).toMatchObject({ isFew: true });
  });
});

/** Makes `count` connections on another thread, and wakes the thread that waits for them. */
const CONNECT_ALL = `
  const { workerData: { port, count, connected } } = require('node:worker_threads');
  const { connect } = require('node:net');
  for (let n = 0; n < count; n += 1)
    connect(port, '127.0.0.1', () => {
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    });`;

describe('more connections than a usual backlog', () => {
  it('are established while the event loop is blocked', async () => {
    const COUNT = 700;
    const { port } = await start();
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(CONNECT_ALL, { eval: true, workerData: { port, count: COUNT, connected } });
    const deadline = performance.now() + 10_000;
    for (let seen = 0; seen < COUNT && performance.now() < deadline; seen = Atomics.load(connected, 0))
      Atomics.wait(connected, 0, seen, 100);
    expect(Atomics.load(connected, 0)).toBe(COUNT);
    await worker.terminate();
  });
});

describe('a service whose app is not ready', () => {
  it('is alive but not ready, and accepts connections only after the app is created', async () => {
    const [port, adminPort] = [await freePort(), await freePort()];
    const app = Promise.withResolvers<RequestListener>();
    const starting = start({ config: { ...config, PORT: port, ADMIN_PORT: adminPort }, app: app.promise });
    const adminUrl = `http://127.0.0.1:${adminPort}`;
    await untilAnswers(`${adminUrl}/livez`);
    const notReady = await fetch(`${adminUrl}/readyz`);
    expect([notReady.status, await notReady.json()]).toEqual([503, { status: 'unavailable', reason: 'starting' }]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
    app.resolve((_request, response) => response.end('hello'));
    const { url } = await starting;
    expect(await (await fetch(url)).text()).toBe('hello');
    await sleep(1_000); // the readiness is cached for a second
    expect(await status(`${adminUrl}/readyz`)).toBe(200);
  });

  it('does not start when the app fails, and rejects with the reason', async () => {
    await expect(start({ app: Promise.reject(new Error('no such file')) })).rejects.toThrow('no such file');
  });

  it('stops on SIGTERM and exits with code 0', async () => {
    const signals = new EventEmitter();
    const exited = Promise.withResolvers<number>();
    const adminPort = await freePort();
    void start({
      config: { ...config, ADMIN_PORT: adminPort },
      app: new Promise(() => undefined),
      signals,
      exit: exited.resolve,
    });
    await untilAnswers(`http://127.0.0.1:${adminPort}/livez`);
    signals.emit('SIGTERM');
    expect(await exited.promise).toBe(0);
  });
});

describe('the admin port', () => {
  it('serves liveness, readiness and metrics, and nothing else', async () => {
    const { adminUrl } = await start();
    expect(await status(`${adminUrl}/livez`)).toBe(200);
    expect(await status(`${adminUrl}/readyz`)).toBe(200);
    expect(await (await fetch(`${adminUrl}/metrics`)).text()).toContain('http_requests_in_flight');
    expect(await status(`${adminUrl}/`)).toBe(404);
  });

  it('returns the reason while the service is not ready, and checks the readiness at most once a second', async () => {
    let asked = 0;
    const { adminUrl } = await start({
      ready: () => {
        asked += 1;
        return Promise.resolve('the database does not answer');
      },
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${adminUrl}/readyz`)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(503));
    expect(await answers[0]?.json()).toEqual({ status: 'unavailable', reason: 'the database does not answer' });
    expect(asked).toBe(1);
  });

  it('reports that the service is not ready, but alive, when the check rejects or takes more than two seconds', async () => {
    const broken = await start({ ready: () => Promise.reject(new Error('secret detail')) });
    const answer = await fetch(`${broken.adminUrl}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.not.stringContaining('secret')]);

    const hanging = await start({ ready: () => new Promise(() => undefined) });
    const begin = performance.now();
    const [ready, alive] = await Promise.all([
      status(`${hanging.adminUrl}/readyz`),
      status(`${hanging.adminUrl}/livez`),
    ]);
    expect([ready, alive]).toEqual([503, 200]);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });
});

describe('a service that stops', () => {
  it('completes the work for disconnected clients before it closes', async () => {
    const work = Promise.withResolvers<undefined>();
    const service = await start({ settled: () => work.promise });
    service.signal();
    await sleep(2 * config.SHUTDOWN_ANNOUNCE_MS);
    expect(service.closed()).toBe(false);
    work.resolve(undefined);
    expect(await service.exitCode).toBe(0);
    expect(service.closed()).toBe(true);
  });

  it('waits for the work for disconnected clients no longer than the grace period, and then exits with code 1', async () => {
    const service = await start({ settled: () => new Promise(() => undefined) });
    service.signal();
    expect(await service.exitCode).toBe(1);
  });

  it('answers requests in flight and requests soon after the signal, then refuses connections, closes and exits with code 0', async () => {
    const service = await start();
    const agent = new Agent({ keepAlive: true });
    const idle = await request(`${service.url}/`, agent);
    expect(idle.response.headers.connection).toBe('keep-alive');
    const inFlight = request(`${service.url}/held`);
    await eventually(() => service.held.length === 1);

    service.signal();
    expect(await status(`${service.adminUrl}/readyz`)).toBe(503);
    expect(await status(`${service.adminUrl}/livez`)).toBe(200);
    const late = await request(`${service.url}/`, agent);
    expect(late.response.headers.connection).toBe('close');

    await sleep(config.SHUTDOWN_ANNOUNCE_MS + 50);
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
    expect(service.closed()).toBe(false);
    service.held[0]?.end('answered');
    const answered = await inFlight;
    expect(answered.body).toBe('answered');
    expect(answered.response.headers.connection).toBe('close');
    expect(await service.exitCode).toBe(0);
    expect(service.closed()).toBe(true);
  });

  it('does not wait for idle keep-alive connections', async () => {
    const service = await start({ config: { ...config, SHUTDOWN_GRACE_MS: 20_000 } });
    const agent = new Agent({ keepAlive: true });
    await request(`${service.url}/`, agent);
    const begin = performance.now();
    service.signal('SIGINT');
    expect(await service.exitCode).toBe(0);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('aborts requests that exceed the grace period and exits with code 1', async () => {
    const service = await start({ config: { ...config, SHUTDOWN_ANNOUNCE_MS: 10, SHUTDOWN_GRACE_MS: 100 } });
    const cut = request(`${service.url}/held`);
    const failed = expect(cut).rejects.toThrow('socket hang up');
    await eventually(() => service.held.length === 1);
    service.signal();
    expect(await service.exitCode).toBe(1);
    await failed;
  });

  it('calls onDrain, which can end open streams', async () => {
    const service = await start({ onDrain: () => service.held.forEach((response) => response.end()) });
    const stream = request(`${service.url}/held`);
    await eventually(() => service.held.length === 1);
    service.signal();
    await stream;
    expect(await service.exitCode).toBe(0);
  });

  it('exits immediately at the second signal', async () => {
    const service = await start({ config: { ...config, SHUTDOWN_ANNOUNCE_MS: 10_000 } });
    const begin = performance.now();
    service.signal();
    service.signal();
    expect(await service.exitCode).toBe(1);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });

  it('exits with code 1 when closing fails', async () => {
    const service = await start({ close: () => Promise.reject(new Error('the pool is stuck')) });
    service.signal();
    expect(await service.exitCode).toBe(1);
  });
});

describe('pipelined requests', () => {
  it('are no longer counted as in flight once their connection is closed, even when they are not answered', async () => {
    const service = await start();
    const socket = connect(service.port, '127.0.0.1', () =>
      socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(30)),
    );
    await eventually(() => service.held.length === 30);
    socket.destroy();
    const inFlight = async () =>
      /http_requests_in_flight\{.*\} (\d+)/.exec(await (await fetch(`${service.adminUrl}/metrics`)).text())?.[1];
    while ((await inFlight()) !== '0') await sleep(10);
    expect(service.held.map((response) => response.listenerCount('close'))).toEqual(Array(30).fill(0));
  });
});

describe('requests that never reach the app', () => {
  it.each([
    ['an invalid request line', 'what is this\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'two Content-Length headers',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'VALIDATION_ERROR',
    ],
    [
      'oversized headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADER_FIELDS_TOO_LARGE',
    ],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])("are answered with the service's error body: %s", async (_name, bytes, expected, code) => {
    const { port } = await start();
    const answer = await raw(port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${expected} `));
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { error: { code: string } };
    expect(body.error.code).toBe(code);
  });

  it('are not answered when an earlier request on the connection is still unanswered', async () => {
    const service = await start();
    const answer = raw(service.port, 'GET /held HTTP/1.1\r\nHost: a\r\n\r\nnot http at all\r\n\r\n');
    expect(await answer).toBe('');
  });
});

describe('a service that starts to listen', () => {
  it('fails with an error that names a port in use', async () => {
    const { port } = await start();
    await expect(start({ config: { ...config, PORT: port } })).rejects.toThrow(
      `Cannot listen on port ${port} of 127.0.0.1: it is already in use`,
    );
  });

  it('listens on every address, but skips an optional address that the machine does not have', async () => {
    const ports = [await freePort(), await freePort()] as const;
    const addresses = [
      { host: '127.0.0.1', port: ports[0] },
      { host: '192.0.2.1', port: 0, optional: true },
      { host: '127.0.0.1', port: ports[1] },
    ];
    await start({ addresses });
    expect(await Promise.all(ports.map((port) => status(`http://127.0.0.1:${port}/`)))).toEqual([200, 200]);
  });
});
