import type { IncomingHttpHeaders } from 'node:http';
import { hosts, send, sendRaw, startGateway, startUpstream, type TestServer } from './test-gateway.js';

let upstream: TestServer;
let gateway: TestServer;
let got: { headers: IncomingHttpHeaders; raw: string[] } = { headers: {}, raw: [] };

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    got = { headers: request.headers, raw: request.rawHeaders };
    response.setHeader('Connection', 'keep-alive, X-Private');
    response.setHeader('X-Private', 'between gateway and service');
    response.setHeader('Keep-Alive', 'timeout=65');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.setHeader('X-Kept', 'yes');
    response.end('ok');
  });
  gateway = await startGateway({ platform: [upstream.url] });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

async function forwarded(headers: Record<string, string | string[]>, on = gateway, host: string = hosts.base) {
  await send(on, { host, path: '/api/v1', headers });
  return got.headers;
}

describe('a forwarded request', () => {
  it("has X-Forwarded headers with the caller's real address and the requested address, not the values of the caller's own headers", async () => {
    const spoofed = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Port': '1',
      Forwarded: 'for=203.0.113.9;host=evil.test',
    };
    const headers = await forwarded(spoofed, gateway, 'PLATFORM.test:8080');
    expect(headers).toMatchObject({
      host: hosts.base,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': hosts.base,
      'x-forwarded-port': '8080',
    });
    expect(headers).not.toHaveProperty('forwarded');
  });

  it.each([
    'X-Real-IP',
    'X-User',
    'X-User-Id',
    'X-User-Email',
    'X-Forwarded-User',
    'X-Forwarded-Email',
    'X-Forwarded-Prefix',
    'X-Forwarded-Server',
    'X-Remote-User',
    'Remote-User',
    'X-Auth-Request-User',
    'X-Authenticated-User',
    'True-Client-IP',
    'CF-Connecting-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Original-Host',
    'X-Host',
    'X-SSL-Client-Cert',
    'X-Envoy-External-Address',
    'X-HTTP-Method-Override',
    'X-Middleware-Subrequest',
    'Proxy-Authorization',
    'TE',
    'Keep-Alive',
    'Proxy-Connection',
  ])('carries no header %s of the caller', async (name) => {
    expect(await forwarded({ [name]: 'usr_admin' })).not.toHaveProperty(name.toLowerCase());
  });

  it.each([
    'Authorization',
    'api-key',
    'X-API-Key',
    'Cookie',
    'Idempotency-Key',
    'If-Match',
    'Accept',
    'Mcp-Session-Id',
    'traceparent',
    'Origin',
  ])("carries the caller's header %s", async (name) => {
    expect((await forwarded({ [name]: 'as sent' }))[name.toLowerCase()]).toBe('as sent');
  });

  it('does not carry a header that Connection names, unless the header is Host or contains a credential', async () => {
    const headers = await forwarded({
      Connection: 'X-Hop, Authorization, Host',
      'X-Hop': '1',
      Authorization: 'Bearer x',
    });
    expect(headers).not.toHaveProperty('x-hop');
    expect(headers).toMatchObject({ authorization: 'Bearer x', host: hosts.base, connection: 'keep-alive' });
  });

  it("carries the caller's request id with a suffix, or a new id if the caller's id is malformed; the answer has the id without suffix", async () => {
    const sent = { 'X-Request-Id': 'req-1' };
    expect((await forwarded(sent))['x-request-id']).toMatch(/^req-1~[0-9a-f]{16}$/);
    expect((await send(gateway, { path: '/api/v1', headers: sent })).headers['x-request-id']).toBe('req-1');
    expect((await forwarded({ 'X-Request-Id': `req-1~${'a'.repeat(16)}` }))['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const answer = await send(gateway, { path: '/api/v1', headers: { 'X-Request-Id': 'not well formed' } });
    expect(got.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-request-id']).toBe(got.headers['x-request-id']);
  });

  it("carries the console's cookies only to admin-auth, and other cookies to every service", async () => {
    const both = await startGateway({ platform: [upstream.url], admin: [upstream.url] });
    const cookieAt = async (path: string, cookie: string) => {
      await send(both, { host: hosts.base, path, headers: { cookie } });
      return got.headers.cookie;
    };
    const cookie = 'theme=dark; access_token=a; refresh_token=b; my_access_token=c';
    expect(await cookieAt('/api/v1/agents', cookie)).toBe('theme=dark; my_access_token=c');
    expect(await cookieAt('/api/v1/agents', 'access_token=a;refresh_token=b')).toBeUndefined();
    expect(await cookieAt('/admin/api/me', cookie)).toBe(cookie);
    expect(await cookieAt('/api/v1/core/oauth/token', cookie)).toBe(cookie);
    await both.stop();
  });

  it('carries no duplicate headers', async () => {
    await forwarded({ 'X-Forwarded-For': ['1.1.1.1', '2.2.2.2'], 'X-Request-Id': ['a', 'b'] });
    const names = got.raw.filter((_value, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.length).toBe(new Set(names).size);
  });

  it.each([
    [1, '198.51.100.7', '198.51.100.7'],
    [1, '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    [2, '203.0.113.9, 198.51.100.7, 10.0.0.1', '198.51.100.7'],
    [1, '203.0.113.9, 2001:db8::1', '2001:db8::1'],
    [1, 'not an address', '127.0.0.1'],
    [1, '', '127.0.0.1'],
    [3, '198.51.100.7', '198.51.100.7'],
  ])('with %i trusted hops and X-Forwarded-For %p, carries the client address %s', async (hops, claimed, client) => {
    const behind = await startGateway({ platform: [upstream.url] }, { TRUSTED_PROXY_HOPS: String(hops) });
    const headers = await forwarded({ 'X-Forwarded-For': claimed }, behind);
    await behind.stop();
    expect(headers['x-forwarded-for']).toBe(client);
  });

  it('has X-Forwarded-Proto https and port 443 when BASE_URL is https', async () => {
    const secure = await startGateway({ platform: [upstream.url] }, { BASE_URL: 'https://secure.test' });
    const headers = await forwarded({}, secure, 'secure.test');
    await secure.stop();
    expect(headers).toMatchObject({
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
      'x-forwarded-host': 'secure.test',
    });
  });
});

describe('a forwarded answer', () => {
  it('keeps all headers of the service except the headers about the connection between service and gateway', async () => {
    const { status, headers, body } = await send(gateway, { path: '/api/v1' });
    expect([status, body]).toEqual([200, 'ok']);
    expect(headers).toMatchObject({ 'x-kept': 'yes', 'set-cookie': ['a=1', 'b=2'] });
    expect(headers).not.toHaveProperty('x-private');
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('a request for an upgrade', () => {
  it.each(['h2c', 'h2c, websocket', 'websocket, h2c', 'TLS/1.0'])(
    'to %s is forwarded as a plain request, without its upgrade headers',
    async (protocol) => {
      const answer = await sendRaw(
        gateway,
        `GET /api/v1 HTTP/1.1\r\nHost: ${hosts.base}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      for (const name of ['upgrade', 'http2-settings']) expect(got.headers).not.toHaveProperty(name);
      expect(got.headers.connection).toBe('keep-alive');
    },
  );
});
