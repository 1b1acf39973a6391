import { decodeId } from '@millwright/db';
import { openHeaders, type SealedHeaders } from '@millwright/mcp';
import { createFakeAgent } from '@millwright/testing/fake-agent';
import { createFakeMcpServer, messageOf, type FakeMcpServer } from '@millwright/testing';
import { usePlatform } from '../test-use-platform.js';
import type { McpServer } from './mcp-servers.contract.js';

const { platform, client, foreign } = usePlatform();
let upstream: FakeMcpServer;
let names = 0;

beforeAll(async () => {
  upstream = await createFakeMcpServer('modern', [
    { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } },
  ]);
});
afterAll(() => upstream.close());
afterEach(() => {
  upstream.behaviour = 'serve';
});

const SERVERS = '/api/v1/mcp/servers';
const path = (id: string) => `${SERVERS}/${id}`;
const newName = () => `Server ${++names}`;
const fields = (over: object = {}) => ({ name: newName(), url: upstream.url, ...over });
const uuidOf = (id: string) => decodeId('ms', id) ?? '';
const rowOf = (id: string) => platform.db.prisma.mcpServer.findUnique({ where: { id: uuidOf(id) } });
const read = async (id: string) => (await client('GET', path(id))).body as McpServer;
const secretsOf = async (id: string) =>
  openHeaders(platform.secretBox, uuidOf(id), (await rowOf(id))?.headers as SealedHeaders);

async function create(over: object = {}, by = client): Promise<McpServer> {
  const answer = await by('POST', SERVERS, { json: fields(over) });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  await platform.probed();
  return answer.body as McpServer;
}

describe('POST /api/v1/mcp/servers', () => {
  it('answers 201 before the server is probed, and lists the tools soon after', async () => {
    const before = await platform.countOf('Core', 'mcp_servers', 'active');
    const answer = await client('POST', SERVERS, { json: fields({ name: ' Über Tools ', description: 'Sums' }) });
    const server = answer.body as McpServer;
    expect(answer.status).toBe(201);
    expect(server).toEqual({
      id: expect.stringMatching(/^ms_[0-9A-Za-z]{22}$/) as string,
      name: 'Über Tools',
      slug: 'uber-tools',
      url: upstream.url,
      description: 'Sums',
      headers: {},
      auth: { type: 'none' },
      status: 'active',
      transport: 'streamable-http',
      agent_card: null,
      pin_tools: true,
      tools_count: 0,
      last_seen_at: null,
      last_error: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      updated_at: server.created_at,
    });
    expect(answer.headers.get('location')).toBe(path(server.id));
    expect(answer.headers.get('etag')).toBe('"b-1"');
    expect(await platform.countOf('Core', 'mcp_servers', 'active')).toBe(before + 1);
    await platform.probed();
    const later = await client('GET', path(server.id));
    expect(later.headers.get('etag')).toBe('"b-2"');
    expect(later.body).toEqual({ ...server, tools_count: 1, last_seen_at: expect.any(String) as string });
    expect(await platform.decisionsOn(server.id)).toMatchObject([
      { action: 'mcp_server.create', actor_id: platform.user.name, detail: { name: 'Über Tools', slug: 'uber-tools' } },
      { action: 'mcp_server.probe', user_id: platform.user.id, detail: { status: 'active', changed: 1, approved: 1 } },
    ]);
  });

  it('registers an agent of another system, and refuses an unsigned card when a signature is required', async () => {
    const agent = await createFakeAgent();
    const server = await create({ url: agent.url, transport: 'a2a' });
    expect(server).toMatchObject({
      transport: 'a2a',
      agent_card: { require_signature: false, jwks_url: null, signature: null },
    });
    expect(await read(server.id)).toMatchObject({
      ...{ status: 'active', tools_count: 1, agent_card: { signature: 'unsigned' } },
    });
    const { items } = (await client('GET', `${path(server.id)}/tools`)).body as { items: unknown[] };
    expect(items).toMatchObject([{ name: 'send_message', input_schema: { required: ['message'] } }]);
    const strict = { agent_card: { require_signature: true } };
    const changed = await client('PATCH', path(server.id), { json: strict });
    expect(changed.body).toMatchObject({ agent_card: { require_signature: true } });
    await platform.probed();
    expect(await read(server.id)).toMatchObject({
      ...{ status: 'unreachable', last_error: 'The agent card is not signed.' },
    });
    expect((await client('PATCH', path(server.id), { json: await read(server.id) })).status).toBe(200);
    await agent.close();
  });

  it('stores header values encrypted, and includes them in no answer', async () => {
    const server = await create({ headers: { Authorization: 'Bearer s3cret-value', 'X-Team': 'blue' } });
    expect(server.headers).toEqual({ authorization: '********', 'x-team': '********' });
    expect(await secretsOf(server.id)).toEqual({ authorization: 'Bearer s3cret-value', 'x-team': 'blue' });
    const rows = [await rowOf(server.id), await platform.db.prisma.governanceDecision.findMany()];
    const stored = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(stored).not.toContain('s3cret-value');
    expect(upstream.seen.at(-1)).toMatchObject({ authorization: 'Bearer s3cret-value', 'x-team': 'blue' });
  });

  it('registers a server that does not respond; its status becomes unreachable', async () => {
    const before = await platform.countOf('Core', 'mcp_servers', 'unreachable');
    const { id, status } = await create({ url: 'http://127.0.0.1:1/mcp' });
    expect([status, (await read(id)).status]).toEqual(['active', 'unreachable']);
    expect(await platform.countOf('Core', 'mcp_servers', 'unreachable')).toBe(before + 1);
    const list = await client('GET', `${SERVERS}?status=unreachable&per_page=1`);
    expect(list.body).toMatchObject({ total: before + 1, items: [{ id, status: 'unreachable' }] });
  });

  it.each<[object, string]>([
    [{ name: undefined }, 'name: is required'],
    [{ name: ' ' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(201) }, 'name: must be at most 200 characters'],
    [{ url: undefined }, 'url: is required'],
    [{ url: 7 }, 'url: must be a string'],
    [{ url: '' }, 'url: must not be empty'],
    [{ description: null }, 'description: must be a string'],
    [{ pin_tools: 'yes' }, 'pin_tools: must be a boolean'],
    [{ transport: 'stdio' }, 'transport: must be one of'],
    [{ agent_card: { require_signature: true } }, 'agent_card: is for the transport a2a'],
    [{ transport: 'a2a', agent_card: { keys: [] } }, 'agent_card.keys: is an unknown field'],
    [
      { transport: 'a2a', agent_card: { jwks_url: 'http://10.0.0.1/keys' } },
      'agent_card.jwks_url: must be the public https',
    ],
    [{ headers: [] }, 'headers: must be a'],
    [{ headers: { 'a b': 'x' } }, 'headers.a b: is not allowed as a name'],
    [{ headers: { Host: 'x' } }, 'headers.Host: is not allowed as a name'],
    [{ headers: { 'Mcp-Session-Id': 'x' } }, 'headers.Mcp-Session-Id: is not allowed as a name'],
    [{ headers: { 'x-a': 'a\r\nx-b: c' } }, 'headers.x-a: must match'],
    [{ headers: { 'x-a': '********' } }, 'headers.x-a: has no value to keep'],
    [
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'x'])) },
      'headers: must have at most 20',
    ],
    [{ status: 'inactive' }, 'status: is an unknown field'],
    [{ colour: 'red' }, 'colour: is an unknown field'],
  ])('answers 422 for %j, and stores nothing', async (over, fault) => {
    const before = await platform.db.prisma.mcpServer.count();
    const answer = await client('POST', SERVERS, { json: fields(over) });
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
    expect(await platform.db.prisma.mcpServer.count()).toBe(before);
  });

  it('answers 409 when the project already has that name', async () => {
    const { name } = await create();
    const total = await platform.countOf('Core', 'mcp_servers');
    expect((await client('POST', SERVERS, { json: fields({ name }) })).status).toBe(409);
    expect(await platform.countOf('Core', 'mcp_servers')).toBe(total);
    expect((await create({ name }, foreign)).name).toBe(name);
  });

  it.each([
    ['platform', 'platform-2'],
    ['Registry', 'registry-2'],
    ['工場', undefined],
  ])('gives a server with the name %s a slug that is neither reserved nor empty', async (name, slug) => {
    const server = await create({ name });
    expect(server.slug).toBe(slug ?? server.id);
  });

  it('gives concurrently registered servers with the same name distinct slugs', async () => {
    const variants = Array.from({ length: 6 }, (_, n) => `Race${'!'.repeat(n)}`);
    const servers = await Promise.all(variants.map((name) => create({ name })));
    expect(servers.map(({ slug }) => slug).sort()).toEqual(['race', 'race-2', 'race-3', 'race-4', 'race-5', 'race-6']);
    expect((await create({ name: 'Race' }, foreign)).slug).toBe('race');
  });

  it('registers one server from 10 requests with the same Idempotency-Key', async () => {
    const json = fields();
    const headers = { 'idempotency-key': 'register-once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => client('POST', SERVERS, { json, headers })));
    expect(answers.every(({ status }) => [201, 409].includes(status))).toBe(true);
    expect(await platform.db.prisma.mcpServer.count({ where: { name: json.name } })).toBe(1);
    const again = await client('POST', SERVERS, { json, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    await platform.probed();
  });
});

describe('GET /api/v1/mcp/servers', () => {
  it('finds servers of the project by a part of their name or description', async () => {
    const { id } = await create({ name: 'Warehouse lookup', description: 'Counts crates' });
    await create({ name: 'Warehouse lookup', description: 'Counts crates' }, foreign);
    for (const search of ['rehouse', 'CRATES'])
      expect((await client('GET', `${SERVERS}?search=${search}`)).body).toMatchObject({ total: 1, items: [{ id }] });
    expect((await client('GET', `${SERVERS}?status=broken`)).status).toBe(422);
  });
});

describe('GET /api/v1/mcp/registry', () => {
  it('answers null when no registry is configured; GET /api/v1/mcp/registry/servers then answers 404', async () => {
    expect((await client('GET', '/api/v1/mcp/registry')).body).toEqual({ url: null });
    expect((await client('GET', '/api/v1/mcp/registry/servers')).status).toBe(404);
  });
});

describe('PATCH /api/v1/mcp/servers/{server_id}', () => {
  it('changes only the fields of the request, and does not probe the server', async () => {
    const server = await create({ headers: { 'x-key': 'one' } });
    const asked = upstream.seen.length;
    const answer = await client('PATCH', path(server.id), { json: { description: 'New' } });
    const { tools_count, last_seen_at } = await read(server.id);
    const updated_at = (answer.body as McpServer).updated_at;
    expect(answer.body).toEqual({ ...server, tools_count, last_seen_at, description: 'New', updated_at });
    await platform.probed();
    expect(upstream.seen.length).toBe(asked);
    expect((await platform.decisionsOn(server.id)).at(-1)).toMatchObject({
      action: 'mcp_server.update',
      detail: { fields: ['description'] },
    });
  });

  it('accepts the body of a GET and keeps the secrets', async () => {
    const { id } = await create({ headers: { 'x-key': 'one' } });
    const server = await read(id);
    const answer = await client('PATCH', path(id), { json: server });
    await platform.probed();
    expect(answer.body).toEqual({ ...server, updated_at: (answer.body as McpServer).updated_at });
    expect(await secretsOf(id)).toEqual({ 'x-key': 'one' });
  });

  it('keeps, changes, adds and removes headers in one request', async () => {
    const { id } = await create({ headers: { 'x-kept': 'one', 'x-changed': 'two', 'x-gone': 'three' } });
    const headers = { 'X-Kept': '********', 'x-changed': 'four', 'x-new': 'five' };
    expect((await client('PATCH', path(id), { json: { headers } })).status).toBe(200);
    await platform.probed();
    expect(await secretsOf(id)).toEqual({ 'x-kept': 'one', 'x-changed': 'four', 'x-new': 'five' });
    expect(upstream.seen.at(-1)).toMatchObject({ 'x-kept': 'one', 'x-new': 'five' });
  });

  it('removes the approved tools when the url changes, and approves the tools that the first probe of the new url reads', async () => {
    const { id } = await create();
    const other = await createFakeMcpServer('legacy', [
      { name: 'sub', description: 'Subtracts.', inputSchema: { type: 'object' } },
    ]);
    const answer = await client('PATCH', path(id), { json: { url: other.url } });
    expect(answer.body).toMatchObject({ url: other.url, tools_count: 0, last_seen_at: null });
    await platform.probed();
    const tools = (await client('GET', `${path(id)}/tools`)).body;
    expect(tools).toMatchObject({ total: 1, items: [{ name: 'sub' }] });
    await other.close();
  });

  it('answers 422 when the url changes to another origin without new secrets, and never sends the former secrets there', async () => {
    const { id } = await create({ headers: { authorization: 'Bearer s3cret' } });
    const thief = await createFakeMcpServer('modern');
    for (const json of [{ url: thief.url }, { url: thief.url, headers: { authorization: '********' } }]) {
      const answer = await client('PATCH', path(id), { json });
      expect([answer.status, messageOf(answer)]).toEqual([
        422,
        expect.stringContaining('headers: must be sent') as string,
      ]);
    }
    expect(JSON.stringify(thief.seen)).not.toContain('s3cret');
    expect((await client('PATCH', path(id), { json: { url: `${upstream.url}/other` } })).status).toBe(200);
    const sent = { url: thief.url, headers: { authorization: 'Bearer other' } };
    expect((await client('PATCH', path(id), { json: sent })).status).toBe(200);
    await platform.probed();
    expect(JSON.stringify(thief.seen)).not.toContain('s3cret');
    await thief.close();
  });

  it('deactivates and activates a server and updates the totals', async () => {
    const { id } = await create();
    const counts = async () => [
      await platform.countOf('Core', 'mcp_servers', 'active'),
      await platform.countOf('Core', 'mcp_servers', 'inactive'),
    ];
    const [active = 0, inactive = 0] = await counts();
    await client('PATCH', path(id), { json: { status: 'inactive' } });
    await platform.probed();
    expect([await counts(), (await read(id)).status]).toEqual([[active - 1, inactive + 1], 'inactive']);
    expect((await client('POST', `${path(id)}/refresh`)).status).toBe(409);
    await client('PATCH', path(id), { json: { status: 'active' } });
    await platform.probed();
    expect([await counts(), (await read(id)).status]).toEqual([[active, inactive], 'active']);
  });

  it('answers 412 for a stale entity tag and 409 for a name that is taken, and changes nothing', async () => {
    const [{ id }, { name }] = [await create(), await create()];
    const patch = (json: object, headers = {}) => client('PATCH', path(id), { json, headers });
    expect((await patch({ description: 'x' }, { 'if-match': '"b-1"' })).status).toBe(412);
    expect((await patch({ name })).status).toBe(409);
    expect((await patch({ description: 'x' }, { 'if-match': '"b-2"' })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ version: 3, description: 'x' });
  });
});

describe('POST /api/v1/mcp/servers/{server_id}/refresh', () => {
  it('answers with the current tools of the server', async () => {
    const { id } = await create();
    upstream.behaviour = 'error';
    expect((await client('POST', `${path(id)}/refresh`)).body).toMatchObject({
      id,
      status: 'unreachable',
      tools_count: 1,
    });
    upstream.behaviour = 'serve';
    const answer = await client('POST', `${path(id)}/refresh`);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"b-4"']);
    expect(answer.body).toMatchObject({ id, status: 'active', tools_count: 1 });
  });
});

describe('DELETE /api/v1/mcp/servers/{server_id}', () => {
  it('answers 204, deletes the server and its tools and decreases the total; the audit log stays unchanged', async () => {
    const { id } = await create();
    const total = await platform.countOf('Core', 'mcp_servers');
    expect((await client('DELETE', path(id), { headers: { 'if-match': '"b-1"' } })).status).toBe(412);
    expect((await client('DELETE', path(id))).status).toBe(204);
    expect([await rowOf(id), await platform.db.prisma.mcpTool.count({ where: { server_id: uuidOf(id) } })]).toEqual([
      null,
      0,
    ]);
    expect(await platform.countOf('Core', 'mcp_servers')).toBe(total - 1);
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({ action: 'mcp_server.delete' });
  });

  it('leaves no rows behind when a probe of the server is running', async () => {
    upstream.behaviour = 'hang';
    const answer = await client('POST', SERVERS, { json: fields() });
    const { id } = answer.body as McpServer;
    expect((await client('DELETE', path(id))).status).toBe(204);
    await platform.probed();
    expect(await platform.db.prisma.mcpTool.count({ where: { server_id: uuidOf(id) } })).toBe(0);
  });
});

describe('another project', () => {
  it('can neither read nor change a server or its tools, nor start a probe', async () => {
    const { id } = await create();
    const asked = upstream.seen.length;
    const answers = [
      await foreign('GET', path(id)),
      await foreign('PATCH', path(id), { json: { url: upstream.url } }),
      await foreign('DELETE', path(id)),
      await foreign('GET', `${path(id)}/tools`),
      await foreign('GET', `${path(id)}/tools/quarantined`),
      await foreign('POST', `${path(id)}/refresh`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(await rowOf(id)).toMatchObject({ version: 2 });
    expect(upstream.seen.length).toBe(asked);
  });
});
