import { hosts, send, startGateway, startUpstream, unreachable, type Answer, type TestServer } from './test-gateway.js';

const services: TestServer[] = [];
let gateway: TestServer;
let seen = 0;

beforeAll(async () => {
  const names = ['admin', 'platform', 'runtime', 'prompt'];
  for (const name of names) {
    services.push(
      await startUpstream((request, response) => {
        seen += 1;
        response.end(`${name} ${request.url}`);
      }),
    );
  }
  const [admin, platform, runtime, prompt] = services.map(({ url }) => [url]);
  gateway = await startGateway({ admin, platform, runtime, prompt });
});

beforeEach(() => {
  seen = 0;
});

afterAll(async () => {
  await gateway.stop();
  await Promise.all(services.map((service) => service.stop()));
});

const errorCode = ({ body }: Answer) => (JSON.parse(body) as { error: { code: string } }).error.code;

describe('a served address', () => {
  it.each([
    [hosts.base, '/admin', 'admin /admin'],
    [hosts.base, '/chat/ctx_1', 'admin /chat/ctx_1'],
    [hosts.base, '/admin/login?next=%2fadmin', 'admin /admin/login?next=%2fadmin'],
    [hosts.base, '/bridge-auth/token', 'admin /bridge-auth/token'],
    [hosts.base, '/scim/v2/Users', 'admin /scim/v2/Users'],
    [hosts.base, '/docs', 'admin /docs'],
    [hosts.base, '/docs/errors/not_found', 'admin /docs/errors/not_found'],
    [hosts.base, '/llms.txt', 'admin /llms.txt'],
    [hosts.base, '/.well-known/millwright.json', 'admin /.well-known/millwright.json'],
    [hosts.base, '/api/v1/core/oauth/token', 'admin /api/v1/core/oauth/token'],
    [hosts.base, '/api/v1', 'platform /api/v1'],
    [hosts.base, '/api/v1/core/oauthx', 'platform /api/v1/core/oauthx'],
    [hosts.base, '/api/v1/skills/sk_1?q=a//b/../c', 'platform /api/v1/skills/sk_1?q=a//b/../c'],
    [hosts.runtime, '/', 'runtime /'],
    [hosts.runtime, '/admin', 'runtime /admin'],
    [hosts.runtime, '/.well-known/oauth-authorization-server', 'runtime /.well-known/oauth-authorization-server'],
    [hosts.prompt, '/v1/prompts/a%20b', 'prompt /v1/prompts/a%20b'],
    [hosts.prompt, '/v1/a..b/...', 'prompt /v1/a..b/...'],
    ['prompt.test:80', '/v1', 'prompt /v1'],
    ['RunTime.TEST:8081', '/health', 'runtime /health'],
  ])('%s%s reaches its service unchanged', async (host, path, expected) => {
    const answer = await send(gateway, { host, path });
    expect([answer.status, answer.body]).toEqual([200, expected]);
  });

  it('redirects from the root of the base address to the console', async () => {
    const answer = await send(gateway, { path: '/' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/admin']);
  });

  it.each([
    '/nothing',
    '/api',
    '/api/v2/skills',
    '/api/v1x',
    '/adminx',
    '/docsx',
    '/.well-known/other',
    '/ADMIN',
    '/v1/prompts',
    '/bridge-authx',
  ])("answers 404 for the unknown path %s in the platform API's error format", async (path) => {
    const answer = await send(gateway, { path });
    expect([answer.status, errorCode(answer), seen]).toEqual([404, 'not_found', 0]);
  });
});

const portOfBase = ':8080';
const unknownHosts = [
  'localhost',
  'localhost:8080',
  '127.0.0.1',
  '127.0.0.1:8080',
  '[::1]:8080',
  'evil.test',
  'evil.test:8080',
  'platform.test',
  'platform.test:80',
  'platform.test:8081',
  'platform.test:08080',
  'platform.test:8080 ',
  'platform.test:8080:8080',
  'platform.test.:8080',
  'platform.test..:8080',
  '.platform.test:8080',
  'www.platform.test:8080',
  'platform.test.evil.test:8080',
  'evil.platform.test:8080',
  'platform.testx:8080',
  'xplatform.test:8080',
  'platform-test:8080',
  'platform_test:8080',
  'platform.test:+8080',
  'platform.test:-8080',
  'platform.test:8080.',
  'platform.test:8080/',
  'platform.test:8080/admin',
  'platform.test:8080?',
  'platform.test:8080#',
  'platform.test:8080@evil.test',
  'user@platform.test:8080',
  'user:pass@platform.test:8080',
  'evil.test#@platform.test:8080',
  'evil.test\\platform.test:8080',
  'http://platform.test:8080',
  '//platform.test:8080',
  'platform.test:8080,evil.test',
  'evil.test,platform.test:8080',
  'platform.test:8080, platform.test:8080',
  'platform.test:8080;',
  'platform.test;:8080',
  'platform.test%00:8080',
  'platform.test%2e:8080',
  'platform%2etest:8080',
  '"platform.test:8080"',
  "'platform.test:8080'",
  '(platform.test:8080)',
  'platform.test:\t8080',
  'platform.test :8080',
  'plat form.test:8080',
  'platform.test:8o80',
  'platform.test:0x1f90',
  'platform.test:８080',
  'plätform.test:8080',
  'xn--platform.test:8080',
  'runtime.test',
  'runtime.test:8080',
  'prompt.test:8080',
  'prompt.test:443',
  'prompt.test:',
  'prompt.test.',
  '*',
  '*.test:8080',
  '%',
  '@',
  ':8080',
  '.',
  '..',
  '[',
  '[platform.test]:8080',
  '0',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'x'.repeat(4000),
  portOfBase,
].filter((host) => host.trim() === host && /^[\t\x20-\xff]*$/.test(host));

/** Functions that make other host names from a served host name; the test uses each with every served host. */
const mutations: ((name: string, port: string) => string)[] = [
  ...[
    '.',
    '..',
    '-',
    '_',
    '%',
    '%00',
    '%2e',
    '\\',
    '/',
    '@',
    '#',
    '?',
    ';',
    ',',
    '&',
    '~',
    '!',
    '$',
    "'",
    '"',
    '`',
    '|',
    '^',
    '{',
    '}',
  ].flatMap((sign) => [
    (name: string, port: string) => `${name}${sign}${port}`,
    (name: string, port: string) => `${sign}${name}${port}`,
    (name: string, port: string) => `${name}${port}${sign}`,
  ]),
  (name, port) => `${name}${port}1`,
  (name, port) => `${name}${port}:80`,
  (name) => `${name}:1`,
  (name) => `${name}:65536`,
  (name) => `${name}:-1`,
  (name) => `${name}:0`,
  (name, port) => `${name.replace('.', '..')}${port}`,
  (name, port) => `${name.replace('.', '')}${port}`,
  (name, port) => `${name.replace('t', 'tt')}${port}`,
  (name, port) => `${name.slice(1)}${port}`,
  (name, port) => `${name}.evil.test${port}`,
  (name, port) => `evil.test/${name}${port}`,
  (name, port) => `${name}${port}@evil.test`,
  (name, port) => `https://${name}${port}`,
];
const mutated = Object.values(hosts).flatMap((host) => {
  const [name = '', port] = host.split(':');
  return mutations.map((mutate) => mutate(name, port === undefined ? '' : `:${port}`));
});
const servedHosts = new Set<string>([...Object.values(hosts), 'prompt.test:80']);

describe('hosts that resemble served hosts', () => {
  it('are all answered with 421 and reach no service', async () => {
    const all = [...new Set([...mutated, ...unknownHosts])].filter((host) => !servedHosts.has(host));
    const misrouted: string[] = [];
    for (const host of all) {
      const { status } = await send(gateway, { host, path: '/api/v1/skills' });
      if (status !== 421 || seen > 0) misrouted.push(`${host}: ${status}`);
    }
    process.stdout.write(`host mutations: ${all.length}, ${misrouted.length} misrouted\n`);
    expect(misrouted).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(200);
  });
});

describe(`a host that is not served (${unknownHosts.length} of them)`, () => {
  it.each(unknownHosts)('%p is answered 421 and reaches no service', async (host) => {
    const answer = await send(gateway, { host, path: '/api/v1/skills' });
    expect([answer.status, errorCode(answer), seen]).toEqual([421, 'misdirected_request', 0]);
  });

  it('is answered 421 although other headers of the request name a served host', async () => {
    const headers = {
      'X-Forwarded-Host': hosts.base,
      Forwarded: `host=${hosts.base}`,
      'X-Host': hosts.base,
      'X-Original-Host': hosts.base,
    };
    const answer = await send(gateway, { host: 'evil.test', path: '/api/v1', headers });
    expect([answer.status, seen]).toEqual([421, 0]);
  });
});

describe('an ambiguous path', () => {
  it.each([
    '/api/v1/../../admin',
    '/api/v1/..%2f..%2fadmin',
    '/api/v1/%2e%2e/%2e%2e/admin',
    '/api/v1/%2E%2E%2Fadmin',
    '/api/v1/.%2e/admin',
    '/api/v1/..',
    '/api/v1/.',
    '/api/v1/./skills',
    '/api/v1/%2e/skills',
    '/api/v1//skills',
    '//api/v1',
    '//evil.test/api/v1',
    '/\\evil.test',
    '/api/v1\\..\\admin',
    '/api/v1/%5c..%5cadmin',
    '/api/v1/..%5cadmin',
    '/api/v1/..;/admin',
    '/api/v1/skills%00',
    '/api/v1/skills#x',
    '/admin/..%2Fapi/v1',
    '/api/v1%2f..%2f..%2fadmin',
    '/%2e%2e/admin',
    '/admin/%2e%2e%2f%2e%2e',
    '/api/v1/a%2f%2e%2e%2fb',
  ])('%p is answered 400 and reaches no service', async (path) => {
    const answer = await send(gateway, { path });
    expect([answer.status, errorCode(answer), seen]).toEqual([400, 'bad_request', 0]);
  });

  it('is answered 400 in the error format of the service to which the host belongs', async () => {
    const runtime = await send(gateway, { host: hosts.runtime, path: '/a/../b' });
    expect([runtime.status, errorCode(runtime)]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a request to a service that is down', () => {
  let alone: TestServer;

  beforeAll(async () => {
    alone = await startGateway({ prompt: [services[3]?.url ?? unreachable] });
  });

  afterAll(() => alone.stop());

  it.each([
    [hosts.base, '/admin/api/me', ['error'], 'unavailable'],
    [hosts.base, '/api/v1/skills', ['error'], 'unavailable'],
    [hosts.runtime, '/agents', ['error'], 'UNAVAILABLE'],
  ])("to %s%s is answered 503 with Retry-After in the service's error format", async (host, path, members, code) => {
    for (const method of ['GET', 'POST']) {
      const answer = await send(alone, { host, path, method, body: method === 'POST' ? '{"a":1}' : undefined });
      expect([answer.status, answer.headers['retry-after'], errorCode(answer)]).toEqual([503, '1', code]);
      expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(members);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  it('is answered 503 immediately when the host name of the service does not resolve', async () => {
    const absent = await startGateway({ runtime: ['http://runtime-api.invalid:3000'] });
    const begin = performance.now();
    const answer = await send(absent, { host: hosts.runtime, path: '/agents' });
    expect([answer.status, errorCode(answer)]).toEqual([503, 'UNAVAILABLE']);
    expect(performance.now() - begin).toBeLessThan(5_000);
    await absent.stop();
  });

  it('does not affect requests to the other services', async () => {
    expect((await send(alone, { host: hosts.prompt, path: '/v1' })).status).toBe(200);
  });

  it("is answered 503 in the prompt API's error format when the service is the prompt API", async () => {
    const down = await startGateway({});
    const answer = await send(down, { host: hosts.prompt, path: '/v1' });
    await down.stop();
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['error', 'message']);
  });
});
