import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createEgress, type EgressError } from './index.js';

const egress = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
const servers: Server[] = [];

async function serve(handler: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(handler);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`, server };
}

const failureOf = (call: Promise<unknown>): Promise<EgressError> =>
  call.then(
    () => Promise.reject(new Error('the call was answered')),
    (error: unknown) => error as EgressError,
  );

const openSockets = async (server: Server) => {
  const count = await new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  return count;
};

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

afterAll(async () => {
  await egress.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('egress.request', () => {
  const read = async (body: AsyncIterable<Uint8Array> | null) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  it('returns the status, the headers by names in any letter case, and the body as text, JSON or chunks', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(404, { 'x-one': ['a', 'b'], 'content-type': 'application/json' });
      response.end('{"said":"é"}');
    });
    const [text, json, pieces] = await Promise.all([egress.request(url), egress.request(url), egress.request(url)]);
    expect([text.status, text.ok, text.headers.get('X-One'), text.headers.get('x-two')]).toEqual([
      ...[404, false],
      ...['a, b', null],
    ]);
    expect(await text.text()).toBe('{"said":"é"}');
    expect(await json.json()).toEqual({ said: 'é' });
    expect(await read(pieces.body)).toBe('{"said":"é"}');
  });

  it("refuses internal targets, redirects and answers that are too large, and ends when the caller's signal aborts", async () => {
    expect((await failureOf(egress.request('http://10.0.0.1/'))).kind).toBe('refused');
    const redirecting = await serve((_request, response) => void response.writeHead(302, { location: '/' }).end());
    expect((await failureOf(egress.request(redirecting.url))).kind).toBe('refused');
    const large = await serve((_request, response) => void response.write('x'.repeat(200)));
    const answer = await egress.request(large.url, { profile: { maxBytes: 100 } });
    expect((await failureOf(read(answer.body))).kind).toBe('too_large');
    const leaving = new AbortController();
    const silent = await serve((_request, response) => response.flushHeaders());
    const begun = await egress.request(silent.url, { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(begun.text()).rejects.toThrow('left');
  });

  it.each<[string, (body: NonNullable<Awaited<ReturnType<typeof egress.request>>['body']>) => Promise<unknown>]>([
    ['is cancelled before it is read', (body) => body.cancel()],
    [
      'is no longer read',
      async (body) => {
        for await (const _chunk of body) return;
      },
    ],
  ])('releases the connection when the body %s', async (_what, stop) => {
    const { url, server } = await serve((_request, response) => void response.write('begun'));
    const { body } = await egress.request(url);
    if (body) await stop(body);
    await until(async () => (await openSockets(server)) === 0);
  });

  it('completes calls while 100 streams to the same origin are open', async () => {
    const { url } = await serve((request, response) => {
      if (request.headers.accept === 'text/event-stream') response.flushHeaders();
      else response.end('answered');
    });
    const stream = { headers: { accept: 'text/event-stream' }, stream: true };
    const streams = await Promise.all(Array.from({ length: 100 }, () => egress.request(url, stream)));
    // There are fewer connections for calls than there are streams. If streams used these connections, none would be
    // free for calls.
    const calls = await Promise.all(Array.from({ length: 50 }, async () => (await egress.request(url)).text()));
    expect(new Set(calls)).toEqual(new Set(['answered']));
    for (const { body } of streams) await body?.cancel();
  });

  it('completes calls of one share while another share uses all of its connections to the origin', async () => {
    const begun = { count: 0, all: Promise.withResolvers<undefined>() };
    const { url } = await serve((request, response) => {
      if (request.headers['x-quick']) response.end('answered');
      else if (++begun.count === 64) begun.all.resolve(undefined);
    });
    const leaving = new AbortController();
    const slow = { share: 'slow', signal: leaving.signal, profile: { timeoutMs: Infinity } };
    const hanging = Array.from({ length: 64 }, () => egress.request(url, slow).catch(() => undefined));
    await begun.all.promise;
    const quick = { headers: { 'x-quick': '1' } };
    expect(await (await egress.request(url, { ...quick, share: 'other' })).text()).toBe('answered');
    expect((await failureOf(egress.request(url, { ...quick, share: 'slow' }))).kind).toBe('busy');
    leaving.abort(new Error('left'));
    await Promise.all(hanging);
    expect(await (await egress.request(url, { ...quick, share: 'slow' })).text()).toBe('answered');
  });

  it('reuses connections whose answers were read', async () => {
    const ports = new Set<unknown>();
    const { url } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('whole');
    });
    for (let n = 0; n < 20; n++) expect(await (await egress.request(url)).text()).toBe('whole');
    // The connection whose answer was read last may not be free yet.
    expect(ports.size).toBeLessThan(4);
  });
});

describe('egress.fetch', () => {
  it('sends method, headers and body, and returns the status, headers and body of the answer', async () => {
    const { url } = await serve((request, response) => {
      void request
        .setEncoding('utf8')
        .toArray()
        .then((chunks) => {
          response.writeHead(201, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] });
          response.end(
            JSON.stringify([
              request.method,
              request.url,
              request.headers['x-two'],
              request.headers.host,
              chunks.join(''),
            ]),
          );
        });
    });
    const response = await egress.fetch(url, {
      method: 'post',
      headers: { 'x-two': '2', host: 'spoofed.example' },
      body: 'text',
    });
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toEqual(['POST', '/path?query=1', '2', new URL(url).host, 'text']);
  });

  it('sends URLSearchParams as a form, and refuses bodies that cannot be sent twice', async () => {
    const { url } = await serve((request, response) => {
      response.setHeader('x-type', String(request.headers['content-type']));
      request.pipe(response);
    });
    const response = await egress.fetch(url, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) });
    expect(response.headers.get('x-type')).toContain('application/x-www-form-urlencoded');
    expect(await response.text()).toBe('a=b+c');
    await expect(egress.fetch(url, { method: 'POST', body: new FormData() })).rejects.toThrow();
  });

  it('refuses a redirect without following it, but returns the redirect with `redirect: manual`', async () => {
    const inside = await serve((_, response) => response.end('inside'));
    let followed = 0;
    inside.server.on('connection', () => (followed += 1));
    const { url } = await serve((_, response) => response.writeHead(302, { location: inside.url }).end('moved'));
    expect((await failureOf(egress.fetch(url))).kind).toBe('refused');
    expect((await failureOf(egress.fetch(url, { redirect: 'follow' }))).kind).toBe('refused');
    const response = await egress.fetch(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, inside.url]);
    await response.text();
    expect(followed).toBe(0);
  });

  it.each(['zstd', 'nonsense, gzip', 'gzip'])(
    'fails as a network error when the body has the encoding %s and cannot be read, and closes the socket',
    async (encoding) => {
      const { url, server } = await serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).write('not packed'),
      );
      expect(await failureOf(egress.fetch(url).then((response) => response.text()))).toMatchObject({ kind: 'network' });
      await until(async () => (await openSockets(server)) === 0);
    },
  );

  it('fails as a network error for an invalid status', async () => {
    const { url } = await serve((request) => request.socket.end('HTTP/1.1 700 Odd\r\ncontent-length: 2\r\n\r\nno'));
    expect((await failureOf(egress.fetch(url))).kind).toBe('network');
  });

  it('returns no body for HEAD, whatever length is announced', async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { 'content-length': '9999999' }).end());
    expect((await egress.fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe('9999999');
  });

  it('returns no body for 204 and 304', async () => {
    const { url } = await serve((_, response) => response.writeHead(304).end());
    const response = await egress.fetch(url);
    expect([response.status, response.body]).toEqual([304, null]);
  });

  it.each([
    ['announces more than 1 MiB', (body: Buffer) => ({ headers: { 'content-length': String(body.length) }, body })],
    ['streams more than 1 MiB', (body: Buffer) => ({ headers: {}, body })],
    [
      'unpacks to more than 1 MiB',
      (body: Buffer) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) }),
    ],
  ])('fails with the error too_large when the answer %s, and closes the socket', async (_, answer) => {
    const { url, server } = await serve((_, response) => {
      const { headers, body } = answer(Buffer.alloc(1024 * 1024 + 1));
      response.on('error', () => undefined).writeHead(200, headers);
      response.write(body.subarray(0, 500));
      response.end(body.subarray(500));
    });
    const failure = await failureOf(egress.fetch(url).then((response) => response.arrayBuffer()));
    expect(failure).toMatchObject({ name: 'EgressError', kind: 'too_large' });
    await until(async () => (await openSockets(server)) === 0);
  });

  it('reads exactly 1 MiB, compressed or not', async () => {
    const { url } = await serve((request, response) => {
      const packed = request.headers['x-packed'] !== undefined;
      const body = Buffer.alloc(1024 * 1024, 'a');
      response.writeHead(200, packed ? { 'content-encoding': 'gzip' } : {}).end(packed ? gzipSync(body) : body);
    });
    for (const headers of [{}, { 'x-packed': '1' }]) {
      const response = await egress.fetch(url, { headers });
      expect((await response.arrayBuffer()).byteLength).toBe(1024 * 1024);
    }
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['stops after the headers', (_, response) => response.writeHead(200).flushHeaders()],
    [
      'slowly sends an endless answer',
      (_, response) => {
        const timer = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('fails with the error timeout when the server %s, and closes the socket', async (_, handler) => {
    const { url, server } = await serve(handler);
    const start = performance.now();
    const failure = await failureOf(
      egress.fetch(url, { profile: { timeoutMs: 150 } }).then((response) => response.text()),
    );
    expect(failure).toMatchObject({ name: 'EgressError', kind: 'timeout' });
    expect(performance.now() - start).toBeLessThan(10_000);
    await until(async () => (await openSockets(server)) === 0);
  });

  it('throws the reason of the aborted signal, before and while the body is read', async () => {
    const { url, server } = await serve((_, response) => response.writeHead(200).write('begin'));
    const reason = new Error('left');
    await expect(egress.fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const caller = new AbortController();
    const response = await egress.fetch(url, { signal: caller.signal });
    setTimeout(() => caller.abort(reason), 20);
    await expect(response.text()).rejects.toBe(reason);
    await until(async () => (await openSockets(server)) === 0);
  });

  it('fails with different errors for unresolvable names and for broken connections', async () => {
    const missing = createEgress({
      allowLoopback: true,
      allowHttp: true,
      allow: [],
      resolve: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
    });
    expect((await failureOf(missing.fetch('https://missing.example/'))).kind).toBe('unresolvable');
    await missing.close();
    const { url } = await serve((request) => request.socket.destroy());
    expect(await failureOf(egress.fetch(url))).toMatchObject({ kind: 'network', cause: expect.any(Error) as Error });
  });

  it('connects to an allowed host on the allowed port', async () => {
    const { url } = await serve((_, response) => response.end('in house'));
    const port = new URL(url).port;
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    for (const entry of [`tools.internal:${port}`, 'tools.internal', '127.0.0.0/8', `127.0.0.1:${port}`]) {
      const house = createEgress({ allowLoopback: false, allowHttp: true, allow: [entry], resolve });
      expect(await (await house.fetch(`http://tools.internal:${port}/`)).text()).toBe('in house');
      await house.close();
    }
    const closed = createEgress({
      allowLoopback: false,
      allowHttp: true,
      allow: ['tools.internal:1', `127.0.0.1:1`],
      resolve,
    });
    expect((await failureOf(closed.fetch(`http://tools.internal:${port}/`))).kind).toBe('refused');
    await closed.close();
  });

  it('connects to outside hosts through the proxy by their names, and to internal targets directly', async () => {
    const { url, server } = await serve((_, response) => response.end('reached'));
    const tunnels: string[] = [];
    const proxy = await serve((_, response) => response.end());
    const tunnelSockets: Socket[] = [];
    proxy.server.on('connect', (request, socket: Socket) => {
      tunnels.push(String(request.url));
      const upstream = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      tunnelSockets.push(upstream, socket);
      for (const end of [upstream, socket]) end.on('error', () => undefined);
    });
    const proxied = createEgress({ allowLoopback: true, allowHttp: true, allow: [], proxy: new URL(proxy.url).origin });
    expect(await (await proxied.fetch('http://outside.example:8080/')).text()).toBe('reached');
    expect(await (await proxied.trusted()('http://model.example:8080/')).text()).toBe('reached');
    expect(await (await proxied.fetch(url)).text()).toBe('reached');
    expect(tunnels).toEqual(['outside.example:8080', 'model.example:8080']);
    await proxied.close();
    for (const socket of tunnelSockets) socket.destroy();
  });

  it('cannot be created when the file of certificates cannot be read: createEgress throws', () => {
    expect(() => createEgress({ allowLoopback: false, allowHttp: false, allow: [], caFile: '/nowhere.pem' })).toThrow(
      'EGRESS_CA_FILE',
    );
  });
});

describe('egress.trusted', () => {
  it('connects to any address and reuses its connections', async () => {
    const strict = createEgress({ allowLoopback: false, allowHttp: false, allow: [] });
    const { url, server } = await serve((_, response) => response.end('model'));
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const fetch = strict.trusted();
    for (let call = 0; call < 20; call += 1) expect(await (await fetch(url)).text()).toBe('model');
    // A pool may open a second connection while it still cleans up the first one.
    expect(connections).toBeLessThanOrEqual(2);
    await strict.close();
    await until(async () => (await openSockets(server)) === 0);
  });
});
