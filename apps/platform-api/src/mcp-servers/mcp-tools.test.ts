import { createMcpServers, createMcpToolCaller, listAvailableTools, type McpToolCaller } from '@millwright/mcp';
import { decodeId } from '@millwright/db';
import { createEgress, type Egress } from '@millwright/egress';
import {
  createFakeMcpServer,
  createTestDatabase,
  type FakeMcpServer,
  type FakeTool,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';
import type { McpServer, McpTool, QuarantinedTool } from './mcp-servers.contract.js';

let database: TestDatabase;
let platform: TestPlatform;
let client: HttpClient;
let admin: HttpClient;
let egress: Egress;
let caller: McpToolCaller;
let upstream: FakeMcpServer;
let id: string;
let names = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  client = await platform.clientOf('Core');
  admin = await platform.clientOf('Core', { admin: true });
  egress = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
  caller = createMcpToolCaller(createMcpServers({ db: platform.db, egress, secrets: platform.secretBox }));
});
afterAll(async () => {
  await egress.close();
  await platform.close();
  await database.drop();
});

const tool = (
  name: string,
  description = `Does ${name}.`,
  properties: object = { x: { type: 'string' } },
): FakeTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});
const path = (rest = '') => `/api/v1/mcp/servers/${id}${rest}`;

beforeEach(async () => {
  upstream = await createFakeMcpServer('modern', [tool('add'), tool('sub')]);
  const answer = await client('POST', '/api/v1/mcp/servers', {
    json: { name: `Server ${++names}`, url: upstream.url },
  });
  id = (answer.body as McpServer).id;
  await platform.probed();
});
afterEach(() => upstream.close());

interface Page<Item> {
  items: Item[];
  total: number;
}
/** Changes the tools of the server, and waits until a probe has read them. */
async function turn(...tools: FakeTool[]) {
  upstream.tools = tools;
  expect((await client('POST', path('/refresh'))).status).toBe(200);
}
const toolsOf = async (query = '') => (await client('GET', path(`/tools?${query}`))).body as Page<McpTool>;
const quarantineOf = async (query = '') =>
  (await client('GET', path(`/tools/quarantined?${query}`))).body as Page<QuarantinedTool>;
const namesOf = ({ items }: Page<{ name: string }>) => items.map(({ name }) => name).sort();
const held = async (name: string) => (await quarantineOf()).items.find((item) => item.name === name);
const approve = (name: string, hash: unknown, by = admin) =>
  by('POST', path(`/tools/${name}/approve`), { json: { hash } });
const call = (name: string) =>
  caller.callMcpTool(
    { project: 'Core', actor: { userId: platform.user.id, kind: 'user', label: 'Ada' } },
    { serverId: decodeId('ms', id) ?? '', tool: name, arguments: {} },
  );
/** Returns all texts of the server that a client or an agent receives. */
const offer = async () =>
  JSON.stringify([await toolsOf(), await listAvailableTools(platform.db, 'Core', [decodeId('ms', id) ?? ''])]);

describe('GET /api/v1/mcp/servers/{server_id}/tools', () => {
  it('lists the tools that the first probe read, with pages, order and search', async () => {
    const described = {
      description: 'Does add.',
      input_schema: { type: 'object', properties: { x: { type: 'string' } } },
    };
    expect(await toolsOf('sort=name&order=asc&per_page=1')).toEqual({
      items: [{ name: 'add', ...described }],
      total: 2,
      page: 1,
      per_page: 1,
    });
    expect(namesOf(await toolsOf('sort=name&order=asc&per_page=1&page=2'))).toEqual(['sub']);
    expect(await toolsOf('search=does%20s')).toMatchObject({ total: 1, items: [{ name: 'sub' }] });
    expect((await client('GET', path('/tools?per_page=101'))).status).toBe(422);
    expect((await client('GET', path('/tools?sort=hash'))).status).toBe(422);
  });
});

describe('a tool that is new or differs from its approved definition', () => {
  const MARK = 'IGNORE-ALL-BEFORE';

  it.each<[string, FakeTool]>([
    ['description', tool('add', MARK)],
    ['schema', tool('add', 'Does add.', { x: { type: 'string', description: MARK } })],
    ['title', { ...tool('add'), title: MARK, annotations: { title: MARK } }],
    ['annotation', { ...tool('add'), annotations: { readOnlyHint: true, [MARK]: true } }],
    ['output schema', { ...tool('add'), outputSchema: { type: 'object', description: MARK } }],
    ['icon', { ...tool('add'), icons: [{ src: MARK }] }],
    ['new tool', tool(MARK)],
  ])(
    'is hidden from agents and from the list of tools, and its calls are refused, after this change: %s',
    async (what, changed) => {
      await turn(...(what === 'new tool' ? [tool('add'), changed] : [changed]), tool('sub'));
      expect(await offer()).not.toContain(MARK);
      expect(namesOf(await toolsOf())).toEqual(what === 'new tool' ? ['add', 'sub'] : ['sub']);
      await expect(call(changed.name)).rejects.toMatchObject({ kind: 'not_available' });
      expect(upstream.calls).toEqual([]);
    },
  );

  it('is refused when it is called before a probe has read its new definition', async () => {
    upstream.tools = [tool('add', MARK), tool('sub')];
    await expect(call('add')).rejects.toMatchObject({ kind: 'not_available' });
    expect(upstream.calls).toEqual([]);
    expect(await call('sub')).toEqual({ is_error: false, text: 'sub {}' });
  });
});

describe('GET /api/v1/mcp/servers/{server_id}/tools/quarantined', () => {
  it('answers an empty list while each tool of the server equals its approved definition', async () => {
    expect(await quarantineOf()).toEqual({ items: [], total: 0, page: 1, per_page: 20 });
  });

  it('lists new, changed and removed tools, each with its difference', async () => {
    await turn(tool('add', 'Does more.', { x: { type: 'number' }, y: {} }), tool('mul'));
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const approved = {
      description: 'Does add.',
      input_schema: { type: 'object', properties: { x: { type: 'string' } } },
    };
    const { items, total } = await quarantineOf('sort=name&order=asc');
    expect([total, items]).toEqual([
      3,
      [
        {
          name: 'add',
          reason: 'changed',
          hash,
          approved,
          current: {
            description: 'Does more.',
            input_schema: { type: 'object', properties: { x: { type: 'number' }, y: {} } },
          },
          difference: [
            { path: 'description', approved: 'Does add.', current: 'Does more.' },
            { path: 'input_schema.properties.x.type', approved: 'string', current: 'number' },
            { path: 'input_schema.properties.y', current: {} },
          ],
        },
        expect.objectContaining({
          name: 'mul',
          reason: 'new',
          hash,
          approved: null,
          difference: [
            { path: 'description', current: 'Does mul.' },
            { path: 'input_schema', current: { type: 'object', properties: { x: { type: 'string' } } } },
          ],
        }),
        expect.objectContaining({ name: 'sub', reason: 'removed', hash: null, current: null }),
      ],
    ]);
    expect(await quarantineOf('search=mul&per_page=1')).toMatchObject({ total: 1, items: [{ name: 'mul' }] });
  });
});

describe('a tool whose definition changes outside its description and input schema', () => {
  const inputSchema = tool('add').inputSchema as object;
  const before = { description: 'Does add.', input_schema: inputSchema };
  const annotations = { readOnlyHint: true, destructiveHint: false };

  it.each<[string, object, object, object[]]>([
    ['title', { title: 'Add' }, { title: 'Add' }, [{ path: 'title', current: 'Add' }]],
    ['annotations', { annotations }, { annotations }, [{ path: 'annotations', current: annotations }]],
    [
      'output schema',
      { outputSchema: { type: 'object' } },
      { output_schema: { type: 'object' } },
      [{ path: 'output_schema', current: { type: 'object' } }],
    ],
    [
      'other fields',
      { _meta: { ui: {} }, input_schema: {} },
      { other_members: { _meta: { ui: {} }, input_schema: {} } },
      [{ path: 'other_members', current: { _meta: { ui: {} }, input_schema: {} } }],
    ],
  ])(
    'is quarantined with %s as the difference, and is available after approval',
    async (_what, members, shown, difference) => {
      await turn({ ...tool('add'), ...members }, tool('sub'));
      const quarantined = await held('add');
      expect(quarantined).toMatchObject({ reason: 'changed', difference });
      expect([quarantined?.approved, quarantined?.current]).toEqual([before, { ...before, ...shown }]);
      const answer = await approve('add', quarantined?.hash);
      expect([answer.status, answer.body]).toEqual([200, { name: 'add', ...before }]);
      expect(namesOf(await toolsOf())).toEqual(['add', 'sub']);
      expect((await toolsOf('search=add')).items).toEqual([{ name: 'add', ...before }]);
      expect(await call('add')).toMatchObject({ is_error: false });
    },
  );

  it('is quarantined, and the difference names the annotation that changed', async () => {
    await turn({ ...tool('add'), annotations }, tool('sub'));
    await approve('add', (await held('add'))?.hash);
    await turn({ ...tool('add'), annotations: { ...annotations, readOnlyHint: false } }, tool('sub'));
    const { difference } = (await held('add')) ?? {};
    expect(difference).toEqual([{ path: 'annotations.readOnlyHint', approved: true, current: false }]);
  });
});

describe('POST /api/v1/mcp/servers/{server_id}/tools/{name}/approve', () => {
  it('makes the reviewed tool available, records it and makes a new version of the server', async () => {
    await turn(tool('add', 'Does more.'), tool('sub'));
    const { hash } = (await held('add')) ?? {};
    const before = (await client('GET', path())).headers.get('etag');
    const answer = await approve('add', hash);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ name: 'add', description: 'Does more.' }),
    ]);
    expect(namesOf(await toolsOf())).toEqual(['add', 'sub']);
    expect(await call('add')).toMatchObject({ is_error: false });
    const after = await client('GET', path());
    expect(after.body).toMatchObject({ tools_count: 2 });
    expect(after.headers.get('etag')).not.toBe(before);
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({ action: 'mcp.call' });
    expect((await platform.decisionsOn(id)).at(-2)).toMatchObject({
      action: 'mcp_server.approve_tool',
      actor_id: 'Grace',
      detail: { tool: 'add', hash },
    });
  });

  it('answers 412 for a tool that has changed since its review, and keeps the tool quarantined', async () => {
    await turn(tool('add', 'Harmless.'), tool('sub'));
    const { hash } = (await held('add')) ?? {};
    await turn(tool('add', 'Harmful.'), tool('sub'));
    expect((await approve('add', hash)).status).toBe(412);
    expect(namesOf(await toolsOf())).toEqual(['sub']);
  });

  it('answers 404 for a tool that does not exist or was removed', async () => {
    const { hash } = { hash: '0'.repeat(64) };
    await turn(tool('add'));
    expect((await approve('sub', hash)).status).toBe(404);
    expect((await approve('mul', hash)).status).toBe(404);
  });

  it('answers 422 without the hash, and 412 for a stale entity tag of the server', async () => {
    await turn(tool('add', 'x'), tool('sub'));
    const { hash } = (await held('add')) ?? {};
    for (const wrong of [undefined, 'abc', 7]) expect((await approve('add', wrong)).status).toBe(422);
    const stale = { json: { hash }, headers: { 'if-match': '"b-1"' } };
    expect((await admin('POST', path('/tools/add/approve'), stale)).status).toBe(412);
  });

  it('answers 403 to a key of a user without the role admin, records the attempt and changes nothing', async () => {
    await turn(tool('add', 'x'), tool('sub'));
    const { hash } = (await held('add')) ?? {};
    expect((await approve('add', hash, client)).status).toBe(403);
    expect(namesOf(await toolsOf())).toEqual(['sub']);
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({
      action: 'mcp_server.approve_tool',
      decision: 'deny',
    });
  });

  it("answers 403 to an admin's key without the scope admin, records the attempt and changes nothing", async () => {
    await turn(tool('add', 'x'), tool('sub'));
    const { hash } = (await held('add')) ?? {};
    const narrow = await platform.clientOf('Core', { admin: true, scopes: ['mcp:read', 'mcp:write'] });
    expect((await approve('add', hash, narrow)).status).toBe(403);
    expect((await narrow('PATCH', path(), { json: { pin_tools: false } })).status).toBe(403);
    const json = { name: `Server ${++names}`, url: upstream.url, pin_tools: false };
    expect((await narrow('POST', '/api/v1/mcp/servers', { json })).status).toBe(403);
    expect(namesOf(await toolsOf())).toEqual(['sub']);
    expect((await platform.decisionsOn(id)).slice(-2)).toMatchObject([
      { action: 'mcp_server.approve_tool', decision: 'deny' },
      { action: 'mcp_server.unpin', decision: 'deny' },
    ]);
  });

  it('changes nothing when the tool is already approved', async () => {
    await turn(tool('add', 'x'), tool('sub'));
    const { hash } = (await held('add')) ?? {};
    await approve('add', hash);
    const before = (await client('GET', path())).headers.get('etag');
    expect((await approve('add', hash)).status).toBe(200);
    expect((await client('GET', path())).headers.get('etag')).toBe(before);
  });
});

describe('a server whose tools are not pinned', () => {
  it('has all its current tools available, including new and changed tools', async () => {
    await turn(tool('add', 'x'), tool('mul'));
    expect(namesOf(await toolsOf())).toEqual([]);
    const trusted = await admin('PATCH', path(), { json: { pin_tools: false } });
    expect(trusted.body).toMatchObject({ pin_tools: false, tools_count: 2 });
    await turn(tool('add', 'y'), tool('div'));
    expect(namesOf(await toolsOf())).toEqual(['add', 'div']);
  });

  it('treats its current tools as approved when pinning is turned on', async () => {
    await admin('PATCH', path(), { json: { pin_tools: false } });
    await turn(tool('add', 'x'));
    await client('PATCH', path(), { json: { pin_tools: true } });
    await turn(tool('add', 'y'), tool('mul'));
    expect(namesOf(await toolsOf())).toEqual([]);
    await turn(tool('add', 'x'));
    expect(namesOf(await toolsOf())).toEqual(['add']);
  });

  it('requires an admin to turn pinning off: other users get 403, and the attempt is recorded', async () => {
    const patched = await client('PATCH', path(), { json: { pin_tools: false } });
    expect([patched.status, (await client('GET', path())).body]).toEqual([
      403,
      expect.objectContaining({ pin_tools: true }),
    ]);
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({ action: 'mcp_server.unpin', decision: 'deny' });
    const json = { name: `Server ${++names}`, url: upstream.url, pin_tools: false };
    expect((await client('POST', '/api/v1/mcp/servers', { json })).status).toBe(403);
    const trusted = await admin('POST', '/api/v1/mcp/servers', { json });
    expect([trusted.status, trusted.body]).toEqual([201, expect.objectContaining({ pin_tools: false })]);
    await admin('PATCH', path(), { json: { pin_tools: false } });
    expect((await client('PATCH', path(), { json: { pin_tools: false, description: 'x' } })).status).toBe(200);
    await platform.probed();
  });
});
