import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hosts, send, startGateway, startUpstream, type TestServer } from './test-gateway.js';

let upstream: TestServer;
let gateway: TestServer;
let onRequest: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => onRequest(incoming, response));
  gateway = await startGateway({ runtime: [upstream.url] });
});

afterAll(async () => {
  await upstream.stop();
  await gateway.stop();
});

function open(method: string, headers: Record<string, string> = {}): ClientRequest {
  return request({
    host: '127.0.0.1',
    port: gateway.port,
    path: '/stream',
    method,
    headers: { Host: hosts.runtime, ...headers },
  });
}

async function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}

describe('an answer', () => {
  it('arrives event by event while the service is still writing', async () => {
    let finish: () => void = () => undefined;
    onRequest = (_incoming, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: first\n\n');
      finish = () => void response.end('data: last\n\n');
    };
    const answer = await answerTo(open('GET').end());
    const events: string[] = [];
    for await (const event of answer.setEncoding('utf8')) {
      if (events.push(String(event)) === 1) {
        finish();
      }
    }
    expect(events).toEqual(['data: first\n\n', 'data: last\n\n']);
  });

  it('arrives complete when the service pauses for longer than the idle timeout of unused connections', async () => {
    onRequest = (_incoming, response) => {
      response.write('a');
      setTimeout(() => response.end('b'), 1_500);
    };
    expect(await send(gateway, { host: hosts.runtime })).toMatchObject({ status: 200, body: 'ab' });
  });

  it('ends with an aborted connection for the caller when the service closes the connection in the middle of the body', async () => {
    onRequest = (_incoming, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => response.destroy());
    };
    const answer = await answerTo(open('GET').end());
    answer.resume();
    await expect(once(answer, 'end')).rejects.toThrow('aborted');
  });

  it('has status 503 after the idle timeout when the service sends nothing', async () => {
    const left = Promise.withResolvers<unknown>();
    onRequest = (_incoming, response) => response.on('close', left.resolve);
    const impatient = await startGateway({ runtime: [upstream.url] }, { UPSTREAM_IDLE_TIMEOUT_MS: '300' });
    const begin = performance.now();
    const answer = await send(impatient, { host: hosts.runtime });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(performance.now() - begin).toBeLessThan(5_000);
    await left.promise;
    await impatient.stop();
  });

  it('has status 503 when the service closes the connection before it sends an answer', async () => {
    onRequest = (incoming) => void incoming.socket.destroy();
    for (const method of ['GET', 'POST']) {
      const answer = await send(gateway, { host: hosts.runtime, method, body: method === 'POST' ? 'x' : undefined });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    }
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('to a %s request, with status %i, arrives without a body', async (method, status) => {
    onRequest = (_incoming, response) => void response.writeHead(status).end();
    expect(await send(gateway, { host: hosts.runtime, method })).toMatchObject({ status, body: '' });
  });
});

describe('an upload', () => {
  it('is forwarded to the service while the caller still sends, and 20 MB arrive complete', async () => {
    const firstByte = Promise.withResolvers<unknown>();
    let received = 0;
    onRequest = (incoming, response) => {
      incoming.once('data', () => firstByte.resolve(true));
      incoming.on('data', (chunk: Buffer) => (received += chunk.length));
      incoming.on('end', () => response.end(String(received)));
    };
    for (const [name, value] of [
      ['Content-Length', '20000001'],
      ['Transfer-Encoding', 'chunked'],
    ] as const) {
      received = 0;
      const outgoing = open('PUT', { [name]: value });
      const answered = answerTo(outgoing);
      outgoing.write('x');
      await firstByte.promise;
      for (let sent = 0; sent < 20; sent += 1) {
        if (!outgoing.write(Buffer.alloc(1_000_000))) await once(outgoing, 'drain');
      }
      outgoing.end();
      const [body] = (await once(await answered, 'data')) as [Buffer];
      expect(String(body)).toBe('20000001');
    }
  });

  it('arrives unchanged at a service that pauses after each chunk, also while other uploads are in progress', async () => {
    onRequest = (incoming, response) => {
      const hash = createHash('sha256');
      incoming.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        incoming.pause();
        setImmediate(() => incoming.resume());
      });
      incoming.on('end', () => response.end(hash.digest('hex')));
    };
    const upload = async (headers: Record<string, string>) => {
      const bytes = randomBytes(8_000_000);
      const outgoing = open('PUT', headers);
      const answered = answerTo(outgoing);
      outgoing.end(bytes);
      const [hash] = (await once(await answered, 'data')) as [Buffer];
      expect(String(hash)).toBe(createHash('sha256').update(bytes).digest('hex'));
    };
    const framings: Record<string, string>[] = [{ 'Content-Length': '8000000' }, { 'Transfer-Encoding': 'chunked' }];
    await Promise.all([...framings, ...framings].map(upload));
  });

  it.each(['GET', 'DELETE', 'POST'])(
    'by %s with a chunked body arrives as one request with the whole body',
    async (method) => {
      onRequest = (incoming, response) => {
        let body = '';
        incoming.on('data', (chunk) => (body += String(chunk)));
        incoming.on('end', () => response.end(`${incoming.method} ${body}`));
      };
      const headers = { 'Transfer-Encoding': 'chunked' };
      const body = 'GET /smuggled HTTP/1.1\r\n\r\n';
      expect((await send(gateway, { host: hosts.runtime, method, headers, body })).body).toBe(`${method} ${body}`);
    },
  );

  it('is answered 413 when the service refuses the request before it has read the body', async () => {
    onRequest = (_incoming, response) => void response.writeHead(413).end('too large');
    const outgoing = open('POST', { 'Content-Length': '5000000' });
    const answered = answerTo(outgoing);
    outgoing.end(Buffer.alloc(5_000_000));
    expect((await answered).statusCode).toBe(413);
  });

  it("is answered 503 when the service is down, and the caller's connection stays open", async () => {
    const down = await startGateway({});
    const outgoing = request({
      host: '127.0.0.1',
      port: down.port,
      path: '/',
      method: 'POST',
      headers: { Host: hosts.runtime, 'Content-Length': '5000000' },
    });
    const answered = answerTo(outgoing);
    outgoing.end(Buffer.alloc(5_000_000));
    const answer = await answered;
    expect([answer.statusCode, answer.headers.connection]).toEqual([503, 'keep-alive']);
    answer.resume();
    await once(answer, 'end');
    await down.stop();
  });

  it('with Expect: 100-continue gets the answer 100 from the gateway, and arrives at the service without that header', async () => {
    onRequest = (incoming, response) => {
      incoming.resume();
      incoming.on('end', () => response.end(String(incoming.headers.expect)));
    };
    const outgoing = open('POST', { Expect: '100-continue', 'Content-Length': '4' });
    const answered = answerTo(outgoing);
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end('body');
    const [body] = (await once(await answered, 'data')) as [Buffer];
    expect(String(body)).toBe('undefined');
  });
});

describe('a caller that disconnects', () => {
  it.each(['before the answer', 'in the middle of it'])(
    '%s: the gateway ends the request to the service immediately',
    async (when) => {
      const aborted = Promise.withResolvers<number>();
      const arrived = Promise.withResolvers<unknown>();
      onRequest = (_incoming, response) => {
        if (when === 'in the middle of it') response.write('data: first\n\n');
        response.on('close', () => aborted.resolve(performance.now()));
        arrived.resolve(true);
      };
      const outgoing = open('GET').end();
      outgoing.on('error', () => undefined);
      outgoing.on('response', (answer) => answer.on('error', () => undefined).resume());
      await arrived.promise;
      await sleep(50);
      const left = performance.now();
      outgoing.destroy();
      expect((await aborted.promise) - left).toBeLessThan(5_000);
    },
  );

  it('during an upload: the gateway ends the upload to the service', async () => {
    const arrived = Promise.withResolvers<unknown>();
    const aborted = Promise.withResolvers<unknown>();
    onRequest = (incoming) => {
      incoming.on('error', () => aborted.resolve(true));
      incoming.once('data', () => arrived.resolve(true));
    };
    const outgoing = open('POST', { 'Content-Length': '1000' });
    outgoing.on('error', () => undefined);
    outgoing.write('x');
    await arrived.promise;
    outgoing.destroy();
    await aborted.promise;
  });
});
