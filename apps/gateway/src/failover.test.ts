import { Agent, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  hosts,
  send,
  startGateway,
  startReplica,
  startUpstream,
  unreachable,
  type TestServer,
} from './test-gateway.js';

const running: TestServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function started(server: Promise<TestServer>): Promise<TestServer> {
  const ready = await server;
  running.push(ready);
  return ready;
}

const named =
  (name: string): RequestListener =>
  (_request, response) =>
    void response.end(name);

describe('several replicas', () => {
  it('receive equal numbers of connections', async () => {
    const waiting: (() => void)[] = [];
    const together =
      (name: string): RequestListener =>
      (_request, response) => {
        waiting.push(() => response.end(name));
        if (waiting.length === 40) waiting.forEach((answer) => answer());
      };
    const [a, b] = [await started(startUpstream(together('a'))), await started(startUpstream(together('b')))];
    const gateway = await started(startGateway({ prompt: [a.url, b.url] }));
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(gateway, { host: hosts.prompt })));
    expect(answers.filter(({ body }) => body === 'a')).toHaveLength(20);
  });

  it('answer every request although one of them refuses connections', async () => {
    const alive = await started(startUpstream(named('alive')));
    const gateway = await started(startGateway({ prompt: [unreachable, alive.url] }));
    for (let index = 0; index < 20; index += 1) {
      const agent = new Agent();
      expect(await send(gateway, { host: hosts.prompt, method: 'POST', body: 'x', agent })).toMatchObject({
        status: 200,
        body: 'alive',
      });
    }
  });

  it('answer every request within a few seconds although one of them accepts no connection and sends no refusal', async () => {
    const alive = await started(startUpstream(named('alive')));
    // An address of TEST-NET-1, at which no machine answers (RFC 5737). If the network itself refuses the packets, the test is only faster.
    const gateway = await started(startGateway({ prompt: ['http://192.0.2.1:81', alive.url] }));
    const begin = performance.now();
    expect((await send(gateway, { host: hosts.prompt })).body).toBe('alive');
    expect(performance.now() - begin).toBeLessThan(5_000);
    const again = performance.now();
    for (let n = 0; n < 20; n += 1) await send(gateway, { host: hosts.prompt });
    expect(performance.now() - again).toBeLessThan(5_000);
  });

  it('do not receive a request that another replica may already have received', async () => {
    let seen = 0;
    const hangUp: RequestListener = (request) => {
      seen += 1;
      request.socket.destroy();
    };
    const [a, b] = [await started(startUpstream(hangUp)), await started(startUpstream(hangUp))];
    const gateway = await started(startGateway({ prompt: [a.url, b.url] }));
    const answer = await send(gateway, { host: hosts.prompt, method: 'POST', body: 'once' });
    expect([answer.status, seen]).toEqual([503, 1]);
  });

  it('that were all down receive requests again as soon as one of them has started', async () => {
    const away = await startUpstream(named('away'));
    await away.stop();
    const gateway = await started(startGateway({ prompt: [unreachable, away.url] }));
    expect((await send(gateway, { host: hosts.prompt })).status).toBe(503);
    await started(startReplica(named('back'), away.port));
    expect(await send(gateway, { host: hosts.prompt })).toMatchObject({ status: 200, body: 'back' });
  });
});

describe('a pooled connection', () => {
  it('is used for several requests, and is closed by the gateway after it was idle for a short time', async () => {
    let connections = 0;
    let open = 0;
    const upstream = await started(
      startUpstream((request, response) => {
        if (!known.has(request.socket)) {
          known.add(request.socket);
          connections += 1;
          open += 1;
          request.socket.on('close', () => (open -= 1));
        }
        response.end();
      }),
    );
    const known = new WeakSet();
    const gateway = await started(startGateway({ prompt: [upstream.url] }));
    for (let index = 0; index < 20; index += 1) await send(gateway, { host: hosts.prompt });
    expect([connections, open]).toEqual([1, 1]);
    await sleep(1_300);
    expect(open).toBe(0);
  });
});

describe('the replacement of both replicas of a service, one after the other, under load', () => {
  it('makes no request fail', async () => {
    const answerSoon =
      (name: string): RequestListener =>
      (request, response) => {
        request.resume();
        request.on('end', () => setTimeout(() => response.end(name), 2));
      };
    const ports: TestServer[] = [];
    // Three addresses, of which at least two are served at any time: a replacement is ready before the old process stops.
    for (const name of ['a', 'b']) ports.push(await startReplica(answerSoon(name)));
    const spare = await startUpstream(answerSoon('spare'));
    await spare.stop();
    const gateway = await started(startGateway({ prompt: [...ports.map(({ url }) => url), spare.url] }));

    let done = false;
    const outcomes = new Map<string, number>();
    const client = async (index: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!done) {
        const post = index % 10 < 3;
        const outcome = await send(gateway, {
          host: hosts.prompt,
          agent,
          method: post ? 'POST' : 'GET',
          body: post ? '{"a":1}' : undefined,
        }).then(
          ({ status }) => String(status),
          (failure: unknown) => String(failure),
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 50 }, (_, index) => client(index));

    const third = await started(startReplica(answerSoon('c'), spare.port));
    await ports[0]?.stop();
    const fourth = await started(startReplica(answerSoon('d'), ports[0]?.port));
    await ports[1]?.stop();
    expect(third.port).not.toBe(fourth.port);
    const answered = () => [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    const before = answered();
    while (answered() < before + 500) await sleep(10);
    done = true;
    await Promise.all(clients);
    expect([...outcomes.keys()]).toEqual(['200']);
  });
});
