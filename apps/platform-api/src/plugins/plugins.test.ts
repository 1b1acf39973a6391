import type { IncomingMessage, ServerResponse } from 'node:http';
import { openPluginSecrets } from '@millwright/catalog/plugin-config';
import { decodeId, encodeId, newId } from '@millwright/db';
import {
  createHttpClient,
  createTestDatabase,
  freePort,
  listen,
  type ClientAnswer,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { bearer, startPlatform, type TestPlatform } from '../test-platform.js';

interface Plugin {
  id: string;
  version: number;
  config: Record<string, unknown>;
  [field: string]: unknown;
}

let database: TestDatabase;
let platform: TestPlatform;
let upstream: ListeningApp;
let seen: IncomingMessage[];
let core: HttpClient;
let commerce: HttpClient;
let strict: HttpClient;

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/tool': (response) => response.end(),
  '/post-only': (response) => response.writeHead(405).end(),
  '/broken': (response) => response.writeHead(503).end('the password of the upstream is hunter2'),
  '/document': (response) => response.setHeader('content-type', 'application/json').end('{"rate": 3}'),
  '/page': (response) => response.end('<html>hunter2</html>'),
  '/flood': (response) => response.end(`"${'x'.repeat(300_000)}"`),
  '/redirect': (response) => response.writeHead(302, { location: '/tool' }).end(),
  '/reset': (response) => response.destroy(),
};

beforeAll(async () => {
  database = await createTestDatabase();
  upstream = await listen((request, response) => {
    seen.push(request);
    (ANSWERS[request.url ?? ''] ?? ((other) => other.writeHead(404).end()))(response);
  });
  platform = await startPlatform(database.url);
  core = await platform.clientOf('Core');
  commerce = await platform.clientOf('Commerce');
  strict = createHttpClient(platform.strictUrl, bearer(await platform.issueKey()));
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), upstream.close()]);
});
beforeEach(() => {
  seen = [];
});

const PATH = '/api/v1/plugins';
const url = (path: string) => `${upstream.url}${path}`;
let count = 0;
const tool = (changes: object = {}) => ({
  name: `Plugin ${(count += 1)}`,
  type: 'tool',
  config: { url: url('/tool') },
  ...changes,
});
const post = (json: unknown, headers: Record<string, string> = {}, by = core) => by('POST', PATH, { json, headers });
async function install(changes: object = {}): Promise<Plugin> {
  const { status, body, text } = await post(tool(changes));
  if (status !== 201) throw new Error(text);
  return body as Plugin;
}
const get = async (id: string) => (await core('GET', `${PATH}/${id}`)).body as Plugin;
const rowOf = ({ id }: Plugin) =>
  platform.db.prisma.plugin.findUniqueOrThrow({ where: { id: decodeId('pl', id) ?? '' } });
async function secretsOf(plugin: Plugin) {
  const row = await rowOf(plugin);
  return openPluginSecrets(platform.secretBox, row.id, row.secrets);
}
const expectFault = ({ status, body }: ClientAnswer, field: string, reason?: string) =>
  expect([status, body]).toEqual([
    422,
    {
      error: {
        code: 'validation_error',
        message: expect.stringContaining(`${field}: ${reason ?? ''}`) as string,
        status: 422,
      },
    },
  ]);

describe('the auth of a tool', () => {
  const install = (auth: unknown, by: HttpClient = core, more: object = {}) => {
    const config = { url: `${upstream.url}/tool`, auth };
    return by('POST', '/api/v1/plugins', { json: { name: `Auth ${newId()}`, type: 'tool', config, ...more } });
  };
  const ID = 'mw_client_1';

  it('of type agent_token is stored unchanged', async () => {
    const auth = { type: 'agent_token', scope: 'orders:read' };
    const { status, body } = await install(auth);
    expect([status, body]).toMatchObject([201, { config: { auth } }]);
  });

  it('can name a client for token exchange only if an admin sets it; other users get 403, and the attempt is recorded', async () => {
    const admin = await platform.clientOf('Core', { admin: true });
    expect((await install({ type: 'agent_token', client_id: ID })).status).toBe(403);
    const { id, config } = (await install({ type: 'agent_token' })).body as Plugin;
    const change = (client_id: string, by: HttpClient, scope = 'a') =>
      by('PATCH', `/api/v1/plugins/${id}`, {
        json: { config: { ...config, auth: { type: 'agent_token', client_id, scope } } },
      });
    expect((await change(ID, core)).status).toBe(403);
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({
      action: 'plugin.allow_exchange',
      decision: 'deny',
    });
    expect((await change(ID, admin)).status).toBe(200);
    expect((await change(ID, core)).status).toBe(200);
    expect((await change('mw_client_2', core)).status).toBe(403);
    expect((await change(ID, core, 'agents:message')).status).toBe(403);
    expect((await change(ID, admin, 'agents:message')).status).toBe(200);
    expect((await change(ID, core, 'agents:message')).status).toBe(200);
  });

  it("is refused with 422 when it has another form, unless the plugin's config_schema declares a setting `auth`", async () => {
    const own = { user: 'x' };
    expect((await install(own)).status).toBe(422);
    const config_schema = { type: 'object', properties: { auth: { type: 'object' } } };
    expect((await install(own, core, { config_schema })).body).toMatchObject({ config: { auth: own } });
  });
});

describe('POST /plugins', () => {
  it('installs a tool, checks it with one HEAD request, and answers with the result of the check', async () => {
    const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const { status, body, headers } = await post({
      name: 'Weather',
      description: 'Tells the weather.',
      type: 'tool',
      config: { url: url('/tool'), input_schema },
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^pl_[0-9A-Za-z]{22}$/) as string,
        name: 'Weather',
        description: 'Tells the weather.',
        version: 1,
        type: 'tool',
        config: { url: url('/tool'), input_schema },
        config_schema: {},
        status: 'active',
        reachable: true,
        last_checked_at: expect.stringMatching(/Z$/) as string,
        last_error: null,
        created_at: expect.stringMatching(/Z$/) as string,
        updated_at: expect.stringMatching(/Z$/) as string,
      },
    ]);
    const { id } = body as Plugin;
    expect([headers.get('location'), headers.get('etag')]).toEqual([`${PATH}/${id}`, '"b-1"']);
    expect(seen.map(({ method, url: path }) => [method, path])).toEqual([['HEAD', '/tool']]);
    expect(await get(id)).toEqual(body);
    expect(await platform.decisionsOn(id)).toMatchObject([
      { action: 'plugin.create', user_id: platform.user.id, detail: { name: 'Weather', type: 'tool' } },
    ]);
  });

  it('sends header values upstream and stores them sealed; no answer and no audit row contains them', async () => {
    const plugin = await install({ config: { url: url('/tool'), headers: { Authorization: 'Bearer hunter2' } } });
    expect(plugin.config).toEqual({ url: url('/tool'), headers: { Authorization: '********' } });
    expect(seen[0]?.headers.authorization).toBe('Bearer hunter2');
    const rows = [await rowOf(plugin), await platform.decisionsOn(plugin.id), await get(plugin.id)];
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    expect(await secretsOf(plugin)).toEqual([{ path: ['headers', 'Authorization'], value: 'Bearer hunter2' }]);
  });

  it.each([
    ['tool', '/post-only', true, null],
    ['tool', '/nowhere', true, null],
    ['tool', '/broken', false, 'The upstream answered with an error.'],
    ['tool', '/reset', false, 'The upstream cannot be reached.'],
    ['data_source', '/document', true, null],
    ['data_source', '/nowhere', false, 'The upstream answered with an error.'],
    ['data_source', '/broken', false, 'The upstream answered with an error.'],
    ['data_source', '/page', false, 'The upstream did not answer with a JSON document.'],
    ['data_source', '/flood', false, 'The answer of the upstream is larger than allowed.'],
  ])('installs a %s at %s, and answers reachable %s with the reason %s', async (type, path, reachable, last_error) => {
    const plugin = await install({ type, config: { url: url(path) } });
    expect(plugin).toMatchObject({ type, reachable, last_error });
    expect(JSON.stringify(plugin)).not.toContain('hunter2');
  });

  it('installs a tool whose server is down, and answers reachable: false', async () => {
    const plugin = await install({ config: { url: `http://127.0.0.1:${await freePort()}/` } });
    expect(plugin).toMatchObject({ reachable: false, last_error: 'The upstream cannot be reached.' });
  });

  it('neither installs nor checks a plugin again on a retry with the same Idempotency-Key', async () => {
    const body = tool();
    const [first, again] = [
      await post(body, { 'idempotency-key': 'install-1' }),
      await post(body, { 'idempotency-key': 'install-1' }),
    ];
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(seen).toHaveLength(1);
  });

  it('answers 409 when the project already has that name, and 201 when only the other project has it', async () => {
    await install({ name: 'Taken' });
    expect((await post(tool({ name: 'Taken' }))).body).toMatchObject({ error: { code: 'conflict', status: 409 } });
    expect((await post(tool({ name: 'Taken' }), {}, commerce)).status).toBe(201);
  });
});

describe('an integration', () => {
  const newServer = async (status: string, project = 'Core') => {
    const id = newId();
    const data = {
      id,
      project,
      name: id,
      slug: id,
      url: 'https://example.com/mcp',
      status,
      created_by: platform.user.id,
    };
    await platform.db.prisma.mcpServer.create({ data });
    return encodeId('ms', id);
  };

  it.each([
    ['active', true, null],
    ['inactive', false, 'The MCP server is inactive or cannot be reached.'],
    ['unreachable', false, 'The MCP server is inactive or cannot be reached.'],
  ])(
    'binds an MCP server that is %s, and answers reachable %s with the reason %s',
    async (status, reachable, last_error) => {
      const config = { server_id: await newServer(status) };
      expect(await install({ type: 'integration', config })).toMatchObject({ config, reachable, last_error });
      expect(seen).toEqual([]);
    },
  );

  it('answers 422 for a server of another project, as for an unknown server', async () => {
    const foreign = await newServer('active', 'Commerce');
    for (const server_id of [foreign, encodeId('ms', newId())]) {
      const answer = await post(tool({ type: 'integration', config: { server_id } }));
      expectFault(answer, 'config.server_id', `${server_id} does not exist.`);
    }
  });
});

describe('a forbidden address', () => {
  const REASON = 'must be an https address on the public internet that does not redirect';
  const addresses = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://user:pass@example.com/',
    'https://0x7f000001/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'not a url',
  ];

  it.each(addresses)(
    '%s is refused with 422; the error names config.url and gives the same reason for every address',
    async (address) => {
      expectFault(await post(tool({ config: { url: address } }), {}, strict), 'config.url', `${REASON}.`);
      const source = tool({ type: 'data_source', config: { url: address } });
      expectFault(await post(source, {}, strict), 'config.url', `${REASON}.`);
    },
  );

  it('is refused for the same reason when a redirect leads to it; the redirect is not followed', async () => {
    expectFault(await post(tool({ config: { url: url('/redirect') } })), 'config.url', REASON);
    expect(seen).toHaveLength(1);
  });

  it('is refused in a change of config too', async () => {
    const plugin = await install();
    const config = { url: 'https://10.0.0.1/' };
    expectFault(await strict('PATCH', `${PATH}/${plugin.id}`, { json: { config } }), 'config.url', REASON);
    expectFault(await strict('PUT', `${PATH}/${plugin.id}/config`, { json: config }), 'config.url', REASON);
    expect(await get(plugin.id)).toEqual(plugin);
  });
});

describe('a name that does not resolve yet', () => {
  it.each(['tool', 'data_source'])('is accepted for a %s, whose check returns reachable: false', async (type) => {
    const { status, body } = await post(tool({ type, config: { url: 'https://name.invalid/' } }), {}, strict);
    expect([status, body]).toMatchObject([201, { reachable: false, last_error: 'The host name does not resolve.' }]);
  });
});

describe('an invalid body', () => {
  it.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['too long a name', { name: 'x'.repeat(201) }, 'name'],
    ['a description that is a number', { description: 1 }, 'description'],
    ['no type', { type: undefined }, 'type'],
    ['an unknown type', { type: 'webhook' }, 'type'],
    ['no config', { config: undefined }, 'config'],
    ['config a list', { config: [] }, 'config'],
    ['config null', { config: null }, 'config'],
    ['a config of 70 KiB', { config: { url: 'x'.repeat(70_000) } }, 'config'],
    ['an unknown field', { extra: 1 }, 'extra'],
    ['a status', { status: 'active' }, 'status'],
    ['a tool without url', { config: {} }, 'config.url'],
    ['a url that is a number', { config: { url: 1 } }, 'config.url'],
    ['an unknown setting', { config: { url: 'https://example.com', method: 'GET' } }, 'config.method'],
    ['headers a list', { config: { url: 'https://example.com', headers: [] } }, 'config.headers'],
    ['a header that is a number', { config: { url: 'https://example.com', headers: { a: 1 } } }, 'config.headers.a'],
    [
      'a header with a line break',
      { config: { url: 'https://example.com', headers: { a: 'b\r\nc: d' } } },
      'config.headers.a',
    ],
    ['a bad header name', { config: { url: 'https://example.com', headers: { 'a b': 'c' } } }, 'config.headers.a b'],
    [
      'a data source with input_schema',
      { type: 'data_source', config: { url: 'https://example.com', input_schema: {} } },
      'config.input_schema',
    ],
    [
      'an invalid input schema',
      { config: { url: 'https://example.com', input_schema: { type: 'thing' } } },
      'config.input_schema.type',
    ],
    [
      'an input schema of no object',
      { config: { url: 'https://example.com', input_schema: { type: 'array' } } },
      'config.input_schema.type',
    ],
    ['an integration without server', { type: 'integration', config: {} }, 'config.server_id'],
    ['an integration of an unknown server', { type: 'integration', config: { server_id: 'ms_0' } }, 'config.server_id'],
    ['an invalid config schema', { config_schema: { properties: 1 } }, 'config_schema.properties'],
    ['a config schema with look-around', { config_schema: { pattern: '(?=a)' } }, 'config_schema.pattern'],
    [
      'a mask where nothing is stored',
      { config: { url: 'https://example.com', headers: { a: '********' } } },
      'config.headers.a',
    ],
  ])('is refused with 422 that names the field: %s', async (_case, changes, field) => {
    expectFault(await post(tool(changes)), field);
    expect(seen).toEqual([]);
  });

  it('is refused with 400 when it is not a JSON object', async () => {
    expect((await core('POST', PATH, { body: '[', headers: { 'content-type': 'application/json' } })).status).toBe(400);
  });
});

describe('config_schema', () => {
  const config_schema = {
    type: 'object',
    properties: {
      url: { type: 'string', pattern: '^http://127\\.0\\.0\\.1' },
      tenant: { type: 'string', minLength: 3 },
      token: { type: 'string', writeOnly: true },
      login: { $ref: '#/definitions/login' },
      keys: { type: 'array', items: { type: 'object', properties: { key: { format: 'password' } } } },
    },
    required: ['tenant'],
    definitions: { login: { properties: { name: {}, password: { type: 'string', format: 'password' } } } },
  };
  const config = () => ({
    url: url('/tool'),
    tenant: 'acme',
    token: 'hunter2',
    login: { name: 'ada', password: 'hunter3' },
    keys: [{ key: 'hunter4' }, { key: 'hunter5', note: 'second' }],
  });

  it('allows the settings that the schema declares, and masks the settings that the schema marks as secret', async () => {
    const plugin = await install({ config_schema, config: config() });
    expect(plugin.config).toEqual({
      url: url('/tool'),
      tenant: 'acme',
      token: '********',
      login: { name: 'ada', password: '********' },
      keys: [{ key: '********' }, { key: '********', note: 'second' }],
    });
    expect(JSON.stringify(await rowOf(plugin))).not.toContain('hunter');
    expect((await secretsOf(plugin)).map(({ path, value }) => [path.join('.'), value]).sort()).toEqual([
      ['keys.0.key', 'hunter4'],
      ['keys.1.key', 'hunter5'],
      ['login.password', 'hunter3'],
      ['token', 'hunter2'],
    ]);
  });

  it.each([
    ['a missing setting', { tenant: undefined }, 'config.tenant'],
    ['a wrong value', { tenant: 'a' }, 'config.tenant'],
    ['a setting that the schema does not declare', { other: 1 }, 'config.other'],
    ['a value that the type of the plugin does not allow', { url: 1 }, 'config.url'],
    ['an address that the schema does not allow', { url: 'https://example.com/' }, 'config.url'],
  ])('leads to 422, which names the field, for a config with %s', async (_case, changes, field) => {
    expectFault(await post(tool({ config_schema, config: { ...config(), ...changes } })), field);
  });

  it('may mark the whole address as secret', async () => {
    const plugin = await install({
      config_schema: { properties: { url: { writeOnly: true } } },
      config: { url: url('/tool') },
    });
    expect(plugin.config).toEqual({ url: '********' });
    const { body } = await core('PATCH', `${PATH}/${plugin.id}`, { json: { config: plugin.config } });
    expect(body).toMatchObject({ config: { url: '********' }, reachable: true });
    expect(await secretsOf(plugin)).toEqual([{ path: ['url'], value: url('/tool') }]);
  });

  it('requires stored secrets to be sent again when the schema changes, and checks the sent secrets with the new schema', async () => {
    const plugin = await install({ config_schema, config: config() });
    const guess = (token: object) => ({ ...config_schema, properties: { ...config_schema.properties, token } });
    const change = (json: object) => core('PATCH', `${PATH}/${plugin.id}`, { json });
    const answers = await Promise.all(
      [{ pattern: '^h' }, { pattern: '^x' }, {}].map((token) => change({ config_schema: guess(token) })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(422);
      expect(body).toEqual(answers[0]?.body);
      expect(JSON.stringify(body)).toContain('must be given again, because the schema changed');
    }
    expect(await secretsOf(plugin)).toHaveLength(4);
    const given = await change({ config_schema: guess({ maxLength: 3, writeOnly: true }), config: config() });
    expectFault(given, 'config.token');
    expect(given.text).not.toContain('hunter2');
  });
});

describe('a change of config', () => {
  const headers = { Authorization: 'Bearer hunter2', 'X-Team': 'hunter3' };
  const withHeaders = () => install({ config: { url: url('/tool'), headers } });

  it('keeps fields and secrets that a PATCH leaves out', async () => {
    const plugin = await withHeaders();
    const json = { name: 'Renamed', config: { url: url('/broken') } };
    const { status, body, headers: answered } = await core('PATCH', `${PATH}/${plugin.id}`, { json });
    expect([status, answered.get('etag')]).toEqual([200, '"b-2"']);
    expect(body).toMatchObject({
      name: 'Renamed',
      version: 2,
      config: { url: url('/broken'), headers: { Authorization: '********', 'X-Team': '********' } },
      reachable: false,
      last_error: 'The upstream answered with an error.',
    });
    expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer hunter2', 'x-team': 'hunter3' });
    expect((await platform.decisionsOn(plugin.id)).at(-1)).toMatchObject({
      action: 'plugin.update',
      detail: { fields: ['name', 'config'] },
    });
  });

  it('removes settings that a PUT leaves out, and keeps a secret sent as "********"', async () => {
    const plugin = await withHeaders();
    const json = { url: url('/tool'), headers: { Authorization: '********', 'X-New': 'hunter4' } };
    const { status, body } = await core('PUT', `${PATH}/${plugin.id}/config`, { json });
    expect([status, body]).toEqual([
      200,
      { url: url('/tool'), headers: { Authorization: '********', 'X-New': '********' } },
    ]);
    expect((await secretsOf(plugin)).map(({ path, value }) => [path.at(-1), value])).toEqual([
      ['Authorization', 'Bearer hunter2'],
      ['X-New', 'hunter4'],
    ]);
    const { body: read, headers: answered } = await core('GET', `${PATH}/${plugin.id}/config`);
    expect([read, answered.get('etag')]).toEqual([body, '"b-2"']);
  });

  it('accepts the body of a GET, and changes only the time of the check', async () => {
    const plugin = await withHeaders();
    const { status, body } = await core('PATCH', `${PATH}/${plugin.id}`, { json: await get(plugin.id) });
    expect([status, (body as Plugin).config]).toEqual([200, plugin.config]);
    expect((await secretsOf(plugin)).map(({ value }) => value)).toEqual(['Bearer hunter2', 'hunter3']);
  });

  it('never sends stored secrets to another server: a new address is refused unless the secrets are sent again', async () => {
    const other = await listen((request, response) => {
      seen.push(request);
      response.end();
    });
    const plugin = await withHeaders();
    seen = [];
    const answers = [
      await core('PATCH', `${PATH}/${plugin.id}`, { json: { config: { url: other.url } } }),
      await core('PUT', `${PATH}/${plugin.id}/config`, { json: { ...plugin.config, url: other.url } }),
    ];
    await other.close();
    for (const answer of answers) expectFault(answer, 'config.headers.Authorization', 'must be given again');
    expect(seen).toEqual([]);
  });

  it('can set settings that have the names of fields of the record, such as project and id', async () => {
    const config_schema = { properties: { project: { type: 'string' }, id: { type: 'string' } } };
    const plugin = await install({ config_schema });
    const json = { url: url('/tool'), project: 'x', id: 'y' };
    expect((await core('PUT', `${PATH}/${plugin.id}/config`, { json })).body).toEqual(json);
  });

  it('does not call the upstream when the request has no config', async () => {
    const plugin = await install();
    seen = [];
    const json = { description: 'New', status: 'inactive' };
    const { body } = await core('PATCH', `${PATH}/${plugin.id}`, { json });
    expect(body).toMatchObject({ ...json, last_checked_at: plugin['last_checked_at'] });
    expect(seen).toEqual([]);
    expect((await core('PATCH', `${PATH}/${plugin.id}`, { json: {} })).headers.get('etag')).toBe('"b-2"');
  });

  it('cannot change the type of the plugin: another type is answered 422', async () => {
    const plugin = await install();
    expectFault(await core('PATCH', `${PATH}/${plugin.id}`, { json: { type: 'data_source' } }), 'type');
    expect((await core('PATCH', `${PATH}/${plugin.id}`, { json: { type: 'tool' } })).status).toBe(200);
  });

  it('answers 412 for a stale If-Match, calls no upstream and changes nothing', async () => {
    const plugin = await install();
    seen = [];
    const options = { json: { url: url('/broken') }, headers: { 'if-match': '"b-9"' } };
    for (const [method, path] of [
      ['PUT', `${PATH}/${plugin.id}/config`],
      ['DELETE', `${PATH}/${plugin.id}`],
    ] as const) {
      expect((await core(method, path, options)).body).toMatchObject({ error: { code: 'precondition_failed' } });
    }
    expect(seen).toEqual([]);
    expect(await get(plugin.id)).toEqual(plugin);
  });

  it('answers 200 or 409 to each of 6 concurrent requests, and 200 to at least one', async () => {
    const plugin = await install();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        core('PUT', `${PATH}/${plugin.id}/config`, { json: { url: url('/tool'), headers: { 'X-N': `${n}` } } }),
      ),
    );
    const made = answers.filter(({ status }) => status === 200).length;
    expect(made).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6 - made);
    expect((await get(plugin.id)).version).toBe(1 + made);
  });
});

describe('GET /plugins', () => {
  it("lists the project's plugins with totals, and supports search, sort and status", async () => {
    const before = await platform.countOf('Commerce', 'plugins');
    const names = ['Zeta lookup', 'Alpha lookup', 'Midway'];
    for (const name of names) await post(tool({ name }), {}, commerce);
    const list = async (query: string) =>
      (await commerce('GET', `${PATH}?${query}`)).body as { items: Plugin[]; total: number };
    expect((await list('per_page=2')).total).toBe(before + 3);
    const found = await list('search=lookup&sort=name&order=asc');
    expect([found.total, found.items.map(({ name }) => name)]).toEqual([2, ['Alpha lookup', 'Zeta lookup']]);
    await commerce('PATCH', `${PATH}/${found.items[0]?.id}`, { json: { status: 'inactive' } });
    expect((await list('status=inactive')).items.map(({ name }) => name)).toEqual(['Alpha lookup']);
    expect(await platform.countOf('Commerce', 'plugins', 'inactive')).toBe(1);
    await commerce('DELETE', `${PATH}/${found.items[0]?.id}`);
    expect((await list('')).total).toBe(before + 2);
    expect(await platform.countOf('Commerce', 'plugins', 'inactive')).toBe(0);
  });
});

describe('DELETE /plugins/{plugin_id}', () => {
  it('removes the row with its secrets, but no audit entries', async () => {
    const plugin = await install();
    expect((await core('DELETE', `${PATH}/${plugin.id}`)).status).toBe(204);
    expect((await core('GET', `${PATH}/${plugin.id}`)).status).toBe(404);
    expect(await platform.db.prisma.plugin.count({ where: { id: decodeId('pl', plugin.id) ?? '' } })).toBe(0);
    expect((await platform.decisionsOn(plugin.id)).map(({ action }) => action)).toEqual([
      'plugin.create',
      'plugin.delete',
    ]);
  });

  it('answers the same 404 for an id of another project, an id of another kind and an unknown id', async () => {
    const plugin = await install();
    const ids = [encodeId('pl', newId()), encodeId('sk', newId()), 'pl_', plugin.id.toUpperCase(), 'nonsense'];
    const answers = [
      await commerce('DELETE', `${PATH}/${plugin.id}`),
      ...(await Promise.all(ids.map((id) => core('DELETE', `${PATH}/${id}`)))),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await core('GET', `${PATH}/${plugin.id}`)).status).toBe(200);
  });
});
