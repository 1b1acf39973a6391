import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { smugglingCases } from './test-smuggling.js';
import { hosts, sendRaw, startGateway, startUpstream, type TestServer } from './test-gateway.js';

let upstream: TestServer;
let gateway: TestServer;
let seen: string[] = [];

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body}`);
      response.end(`seen ${request.url}`);
    });
    request.on('error', () => seen.push(`${request.method} ${request.url} broken off`));
  });
  gateway = await startGateway({ platform: [upstream.url] });
});

beforeEach(() => {
  seen = [];
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const request = (line: string, ...headers: string[]) => [line, ...headers, '', ''].join('\r\n');
const host = `Host: ${hosts.base}`;
const post = 'POST /api/v1 HTTP/1.1';
const smuggled = `GET /api/v1/smuggled HTTP/1.1\r\n${host}\r\n\r\n`;
const chunked = 'Transfer-Encoding: chunked';

describe('a request that two parsers could read differently', () => {
  it.each([
    [
      'Content-Length, then Transfer-Encoding',
      request(post, host, 'Content-Length: 6', chunked) + '0\r\n\r\n' + smuggled,
    ],
    ['Transfer-Encoding, then Content-Length', request(post, host, chunked, 'Content-Length: 4') + '5c\r\n' + smuggled],
    ['two lengths', request(post, host, 'Content-Length: 0', `Content-Length: ${smuggled.length}`) + smuggled],
    ['the same length twice', request(post, host, 'Content-Length: 1', 'Content-Length: 1') + 'a' + smuggled],
    ['a list of lengths', request(post, host, 'Content-Length: 0, 5') + smuggled],
    ['a signed length', request(post, host, 'Content-Length: +5') + smuggled],
    ['a negative length', request(post, host, 'Content-Length: -1') + smuggled],
    ['a hexadecimal length', request(post, host, 'Content-Length: 0x10') + smuggled],
    ['a fractional length', request(post, host, 'Content-Length: 1.0') + smuggled],
    ['an empty length', request(post, host, 'Content-Length: ') + smuggled],
    ['a length with a blank inside', request(post, host, 'Content-Length: 1 0') + smuggled],
    ['a length of 40 digits', request(post, host, `Content-Length: ${'9'.repeat(40)}`) + smuggled],
    ['a header name followed by a blank', request(post, host, `Content-Length : ${smuggled.length}`) + smuggled],
    ['a header name followed by a tab', request(post, host, 'Transfer-Encoding\t: chunked') + `0\r\n\r\n${smuggled}`],
    ['an unknown coding', request(post, host, 'Transfer-Encoding: xchunked') + `0\r\n\r\n${smuggled}`],
    [
      'chunked, then another coding',
      request(post, host, 'Transfer-Encoding: chunked, identity') + `0\r\n\r\n${smuggled}`,
    ],
    ['another coding, then chunked', request(post, host, 'Transfer-Encoding: gzip, chunked') + `0\r\n\r\n${smuggled}`],
    [
      'chunked twice in one header',
      request(post, host, 'Transfer-Encoding: chunked, chunked') + `0\r\n\r\n${smuggled}`,
    ],
    ['chunked in two headers', request(post, host, chunked, chunked) + `0\r\n\r\n${smuggled}`],
    ['the coding identity', request(post, host, 'Transfer-Encoding: identity') + smuggled],
    ['chunked in quotation marks', request(post, host, 'Transfer-Encoding: "chunked"') + `0\r\n\r\n${smuggled}`],
    ['chunked after a vertical tab', request(post, host, 'Transfer-Encoding: \x0bchunked') + `0\r\n\r\n${smuggled}`],
    ['chunked on a folded line', request(post, host, 'Transfer-Encoding:\r\n chunked') + `0\r\n\r\n${smuggled}`],
    ['a folded header', request(post, host, 'X-Folded: a\r\n b', 'Content-Length: 0') + smuggled],
    ['a first header that is folded', request(post, ` ${host}`, 'Content-Length: 0') + smuggled],
    ['lines that end in LF alone', `POST /api/v1 HTTP/1.1\n${host}\nContent-Length: 0\n\n${smuggled}`],
    ['a header that ends in LF alone', request(post, `${host}\nX-A: b`, 'Content-Length: 0') + smuggled],
    [
      'CR alone inside a header',
      request(post, host, 'X-A: b\rTransfer-Encoding: chunked', 'Content-Length: 0') + smuggled,
    ],
    ['NUL inside a header', request(post, host, 'X-A: b\0c', 'Content-Length: 0') + smuggled],
    ['a header without a colon', request(post, host, 'X-A', 'Content-Length: 0') + smuggled],
    ['a header without a name', request(post, host, ': a', 'Content-Length: 0') + smuggled],
    ['a chunk size that is not a number', request(post, host, chunked) + `zz\r\n${smuggled}`],
    ['a signed chunk size', request(post, host, chunked) + `+1\r\na\r\n0\r\n\r\n${smuggled}`],
    ['a chunk size with the prefix 0x', request(post, host, chunked) + `0x1\r\na\r\n0\r\n\r\n${smuggled}`],
    ['a chunk size that overflows', request(post, host, chunked) + `${'f'.repeat(20)}\r\na\r\n0\r\n\r\n${smuggled}`],
    ['a chunk longer than its size', request(post, host, chunked) + `1\r\nabc\r\n0\r\n\r\n${smuggled}`],
    ['a chunk line that ends in LF alone', request(post, host, chunked) + `1\na\n0\n\n${smuggled}`],
    ['a chunk extension with LF', request(post, host, chunked) + `1;a\nb\r\na\r\n0\r\n\r\n${smuggled}`],
    ['two hosts', request(post, host, 'Host: evil.test', 'Content-Length: 0') + smuggled],
    ['two hosts, the served host last', request(post, 'Host: evil.test', host, 'Content-Length: 0') + smuggled],
    ['the same host twice', request(post, host, host, 'Content-Length: 0') + smuggled],
    ['no host', request(post, 'Content-Length: 0') + smuggled],
    ['no host and HTTP/1.0', request('GET /api/v1 HTTP/1.0') + smuggled],
    ['a path with a blank', request('GET /api/v1 /admin HTTP/1.1', host) + smuggled],
    ['a path with a tab', request('GET /api/v1\t/admin HTTP/1.1', host) + smuggled],
    ['HTTP/0.9', 'GET /api/v1\r\n'],
    ['an unknown version', request('GET /api/v1 HTTP/3.7', host) + smuggled],
    ['an unknown method', request('SMUGGLE /api/v1 HTTP/1.1', host) + smuggled],
    ['a method in lower case', request('get /api/v1 HTTP/1.1', host) + smuggled],
    ['HTTP/2 from the start', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS instead of HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('with %s is answered at most once, with 400, and reaches no service', async (_name, bytes) => {
    const statuses = statusesOf(await sendRaw(gateway, bytes));
    expect(statuses.filter((status) => status !== 400)).toEqual([]);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(seen.filter((entry) => !entry.endsWith('broken off'))).toEqual([]);
  });
});

const AT_ONCE = 20;

describe('generated requests that parsers are known to read differently', () => {
  it('are each answered at most once, with 400, and no hidden second request reaches a service', async () => {
    const cases = [...smugglingCases(hosts.base)];
    const smuggling: string[] = [];
    const answeredTwice: string[] = [];
    for (let from = 0; from < cases.length; from += AT_ONCE) {
      const batch = cases.slice(from, from + AT_ONCE);
      seen = [];
      const answers = await Promise.all(batch.map(([, bytes]) => sendRaw(gateway, bytes)));
      answers.forEach((answer, index) => {
        const statuses = statusesOf(answer);
        if (statuses.length > 1 || statuses.some((status) => status !== 400))
          answeredTwice.push(`${batch[index]?.[0]}: ${statuses.join(' ')}`);
      });
      // This list only shows that a request of the batch was smuggled. `answeredTwice` shows which request it was.
      smuggling.push(...seen.filter((entry) => entry.startsWith('GET ') || !entry.endsWith('broken off')));
    }
    process.stdout.write(`raw-socket cases: ${cases.length} generated, ${smuggling.length} smuggled\n`);
    expect({ smuggling, answeredTwice }).toEqual({ smuggling: [], answeredTwice: [] });
    expect(cases.length).toBeGreaterThanOrEqual(150);
  });
});

describe('a request target that is not a path', () => {
  it.each([
    ['an absolute URL', request(`GET http://${hosts.base}/api/v1 HTTP/1.1`, host, 'Connection: close')],
    ['an absolute URL with another host', request('GET http://evil.test/api/v1 HTTP/1.1', host, 'Connection: close')],
    [
      'an absolute URL with the address of a service',
      request('GET http://127.0.0.1:1/api/v1 HTTP/1.1', host, 'Connection: close'),
    ],
    ['an absolute URL with another scheme', request('GET file:///etc/passwd HTTP/1.1', host, 'Connection: close')],
    ['an asterisk', request('OPTIONS * HTTP/1.1', host, 'Connection: close')],
  ])('is answered 400: %s', async (_name, bytes) => {
    expect(statusesOf(await sendRaw(gateway, bytes))).toEqual([400]);
    expect(seen).toEqual([]);
  });

  it('is answered 405 when it is a host and port (CONNECT), because the gateway opens no tunnels', async () => {
    expect(statusesOf(await sendRaw(gateway, request('CONNECT 127.0.0.1:1 HTTP/1.1', host)))).toEqual([405]);
  });
});

describe('an unusual but valid request', () => {
  it.each([
    [
      'a trailer',
      request(post, host, chunked, 'Trailer: X-Sum') + '1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n',
      ['POST /api/v1 a'],
    ],
    ['a chunk extension', request(post, host, chunked) + '1;name=value\r\na\r\n0\r\n\r\n', ['POST /api/v1 a']],
    ['a body on GET', request('GET /api/v1 HTTP/1.1', host, 'Content-Length: 3') + 'abc', ['GET /api/v1 abc']],
    [
      'a body that looks like a request',
      request(post, host, `Content-Length: ${smuggled.length}`) + smuggled,
      [`POST /api/v1 ${smuggled}`],
    ],
    [
      'a second request on the same connection',
      request(post, host, 'Content-Length: 1') + `a${smuggled}`,
      ['POST /api/v1 a', 'GET /api/v1/smuggled '],
    ],
    ['HTTP/1.0 with a host', request('GET /api/v1 HTTP/1.0', host), ['GET /api/v1 ']],
    [
      'Transfer-Encoding as an option of Connection',
      request(post, host, chunked, 'Connection: Transfer-Encoding') + '1\r\na\r\n0\r\n\r\n',
      ['POST /api/v1 a'],
    ],
    [
      'Content-Length as an option of Connection',
      request(post, host, 'Content-Length: 1', 'Connection: Content-Length') + 'a',
      ['POST /api/v1 a'],
    ],
  ])('with %s arrives at the service unchanged', async (_name, bytes, expected) => {
    const statuses = statusesOf(await sendRaw(gateway, bytes));
    expect(statuses).toEqual(expected.map(() => 200));
    expect(seen).toEqual(expected);
  });

  it('with headers of 16 KiB is answered 431 in the error format', async () => {
    const answer = await sendRaw(gateway, request('GET /api/v1 HTTP/1.1', host, `X-Big: ${'x'.repeat(17_000)}`));
    expect(statusesOf(answer)).toEqual([431]);
    expect(answer).toContain('"code":"header_fields_too_large"');
  });
});

describe('the limit of connections for one address', () => {
  const ADDRESSES = Array.from({ length: 11 }, (_, n) => `127.0.0.${n + 2}`);

  it('makes further connections fail with 429 until silent connections are closed, and does not affect other addresses', async () => {
    const limited = await startGateway({ platform: [upstream.url] }, { MAX_CONNECTIONS_PER_ADDRESS: '20' });
    const open = async (localAddress: string) => {
      const socket = connect({ port: limited.port, host: '127.0.0.1', localAddress });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    try {
      const silent = await Promise.all(ADDRESSES.flatMap((from) => Array.from({ length: 20 }, () => open(from))));
      const ended = Promise.all(silent.map((socket) => once(socket.resume(), 'close')));
      for (const from of ADDRESSES)
        expect(await text(await open(from))).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 1\r\n/);
      const answer = await sendRaw(limited, request('GET /api/v1/x HTTP/1.1', host, 'Connection: close'));
      expect(statusesOf(answer)).toEqual([200]);
      // The gateway waits 15 seconds for the headers of a request. After this time, it closes connections on which no byte arrived, too.
      await ended;
      for (const from of ADDRESSES) {
        // Repeats the request, because the gateway still counts a closed connection until the gateway has closed its own end.
        for (let statuses = [429]; statuses[0] !== 200;) {
          const socket = await open(from);
          socket.write(request('GET /api/v1/x HTTP/1.1', host, 'Connection: close'));
          statuses = statusesOf(await text(socket));
        }
      }
    } finally {
      await limited.stop();
    }
  });

  it('does not apply behind a trusted proxy', async () => {
    const behind = await startGateway(
      { platform: [upstream.url] },
      { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUSTED_PROXY_HOPS: '1' },
    );
    const first = connect({ port: behind.port, host: '127.0.0.1' });
    await once(first, 'connect');
    const answer = await sendRaw(behind, request('GET /api/v1/x HTTP/1.1', host, 'Connection: close'));
    expect(statusesOf(answer)).toEqual([200]);
    first.destroy();
    await behind.stop();
  });
});
