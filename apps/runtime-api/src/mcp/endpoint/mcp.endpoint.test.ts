import { DPOP_CHALLENGE } from '@millwright/auth/dpop';
import {
  createFakeModel,
  createTestDatabase,
  type ClientRequest,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../../test-runtime.js';

const PATH = '/api/v1/mcp/platform/mcp';
const METADATA = `resource_metadata="${RUNTIME_URL}/.well-known/oauth-protected-resource/api/v1/mcp/platform/mcp"`;
const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 };

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;
let call: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  call = runtime.as(token);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const tokenFor = async (resource: string) => {
  const { client_id, client_secret } = await runtime.newClient();
  const form = { grant_type: 'client_credentials', client_id, client_secret, resource };
  return ((await runtime.askToken(form)).body as { access_token: string }).access_token;
};

describe('tools/list without a session and without the headers of MCP', () => {
  it.each([undefined, '*/*', 'application/json', 'text/html'])(
    'is answered 200 with JSON for the header Accept %s',
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      const { status, body, headers: answered } = await call('POST', PATH, { json: LIST, headers });
      expect([status, body]).toMatchObject([
        200,
        { jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) as [] } },
      ]);
      expect(answered.get('content-type')).toMatch(/^application\/json/);
      expect(Number(answered.get('x-ratelimit-limit'))).toBe(10_000_000);
    },
  );
});

describe('a token', () => {
  it('that is missing leads to 401 with a challenge that contains the address of the metadata and no error', async () => {
    const { status, headers, body } = await runtime.as()('POST', PATH, { json: LIST });
    expect([status, body]).toMatchObject([401, { error: { code: 'UNAUTHORIZED' } }]);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer ${METADATA}, scope="mcp:read mcp:call skills:read content:read agents:message", ${DPOP_CHALLENGE}`,
    );
  });

  it('is required even for an unknown server name; the challenge then names the scopes mcp:read and mcp:call', async () => {
    const { status, headers } = await runtime.as()('POST', '/api/v1/mcp/nobody/mcp', { json: LIST });
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer ${METADATA.replace('platform', 'nobody')}, scope="mcp:read mcp:call", ${DPOP_CHALLENGE}`,
    ]);
  });

  it.each(['Bearer nonsense', 'Basic YTpi', 'Bearer'])('is refused as invalid: %s', async (authorization) => {
    const { status, headers } = await runtime.as()('POST', PATH, { json: LIST, headers: { authorization } });
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", resource_metadata=/),
    ]);
  });

  it('is accepted when issued for this endpoint or for the runtime API; a token for this endpoint is refused elsewhere', async () => {
    const own = runtime.as(await tokenFor(`${RUNTIME_URL}${PATH}`));
    expect((await own('POST', PATH, { json: LIST })).status).toBe(200);
    expect((await own('POST', '/api/v1/mcp/other/mcp', { json: LIST })).status).toBe(401);
    expect((await own('GET', '/api/v1/mcp/registry')).status).toBe(401);
    const whole = runtime.as(await tokenFor(RUNTIME_URL));
    expect((await whole('POST', PATH, { json: LIST })).status).toBe(200);
  });

  it.each([
    ['tools/list', ['mcp:call'], 'mcp:read'],
    ['tools/call', ['mcp:read'], 'mcp:call'],
  ])('is answered 403 with the needed scope when it lacks the scope for %s', async (method, scopes, needed) => {
    const by = runtime.as(await runtime.newToken({ scopes }));
    const { status, headers, body } = await by('POST', PATH, { json: { ...LIST, method, params: { name: 'x' } } });
    expect([status, body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
    expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${needed}", ${METADATA}`);
    const where = { decision: 'deny', action: 'mcp.request', reason: `scope ${needed} is needed` };
    expect(await runtime.db.prisma.governanceDecision.count({ where })).toBe(1);
  });
});

describe('a web page', () => {
  const from = (origin: string, request: ClientRequest = { json: LIST }) =>
    call('POST', PATH, { ...request, headers: { origin } });

  it.each(['https://evil.test', 'null', 'http://localhost.evil.test', 'https://inspector.test.evil.test'])(
    'of the origin %s is refused',
    async (origin) => {
      const { status, headers } = await from(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
    },
  );

  it.each([RUNTIME_URL, 'http://console.test', 'http://localhost:6274', 'http://127.0.0.1', 'https://inspector.test'])(
    'of the origin %s may read the answer',
    async (origin) => {
      const { status, headers } = await from(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate, Mcp-Session-Id');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  it('receives, in the answer to a preflight request, the headers and methods that it may send', async () => {
    const { status, headers } = await runtime.as()('OPTIONS', PATH, {
      headers: {
        origin: 'https://inspector.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, Mcp-Param-City, cookie, x-user-id',
      },
    });
    expect([status, headers.get('access-control-allow-headers')]).toEqual([204, 'authorization, mcp-param-city']);
    expect(headers.get('access-control-allow-methods')).toBe('POST, GET, DELETE');
  });
});

describe('an invalid request', () => {
  const post = (body: string, type = 'application/json') =>
    call('POST', PATH, { body, headers: { 'content-type': type } });

  it.each([
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","method":"tools/list","id":1}]', -32600],
    ['"text"', -32600],
    ['{"method":"tools/list","id":1}', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"result":{},"Method":"tools/call","params":{"name":"hidden"}}', -32600],
    ['{"jsonrpc":"2.0","method":"notifications/initialized","ID":1}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{},"param\u017f":{"name":"hidden"}}', -32600],
  ])('with the body %s is answered 400 with error %d', async (body, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body]).toMatchObject([400, { jsonrpc: '2.0', id: null, error: { code } }]);
  });

  it('is answered 415 for another content type, 413 for a body of more than 1 MiB, and 404 for an unknown server', async () => {
    expect((await post(JSON.stringify(LIST), 'text/plain')).status).toBe(415);
    expect((await post(JSON.stringify({ ...LIST, params: { x: 'x'.repeat(1_048_576) } }))).status).toBe(413);
    for (const name of ['nobody', 'Platform', '%00', 'a'.repeat(500)])
      expect((await call('POST', `/api/v1/mcp/${name}/mcp`, { json: LIST })).status).toBe(404);
  });

  it('is answered with an error that has the id of the request when the method is unknown', async () => {
    const { body } = await call('POST', PATH, { json: { ...LIST, id: 'a', method: 'nothing/there' } });
    expect(body).toMatchObject({ id: 'a', error: { code: -32601 } });
  });

  it.each(['PUT', 'PATCH'])('is answered 405 with Allow for the HTTP method %s', async (method) => {
    const { status, headers } = await call(method, PATH, { json: LIST });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, DELETE']);
  });

  it.each(['GET', 'DELETE'])('is answered 405 for the method %s when it names no session', async (method) => {
    expect((await call(method, PATH)).status).toBe(405);
  });
});

it('requests to an MCP endpoint are limited by credential, and requests without a credential by IP address', async () => {
  const tight = (await runtime.start({ multiplier: 1e-6 })).as;
  expect((await tight(token)('POST', PATH, { json: LIST })).status).toBe(200);
  const { status, headers } = await tight(token)('POST', PATH, { json: LIST });
  expect([status, headers.get('retry-after')]).toEqual([429, expect.any(String)]);
  expect((await tight()('POST', PATH, { json: LIST })).status).toBe(401);
  expect((await tight()('POST', PATH, { json: LIST })).status).toBe(429);
});
