import { listAgentLinks } from '@millwright/catalog';
import { decodeId } from '@millwright/db';
import { listAvailableTools } from '@millwright/mcp';
import {
  createFakeMcpServer,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type FakeTool,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';
import type { AgentRule, McpToolRule, PluginRule } from './tool-rules.contract.js';

let database: TestDatabase;
let platform: TestPlatform;
let client: HttpClient;
let admin: HttpClient;
let upstream: FakeMcpServer;
let page: ListeningApp;
let server: string;
let plugin: string;
let names = 0;

const tool = (name: string, annotations?: object): FakeTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...(annotations && { annotations }),
});
const TOOLS = [tool('read', { readOnlyHint: true }), tool('send')];

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  client = await platform.clientOf('Core');
  admin = await platform.clientOf('Core', { admin: true });
  page = await listen((_request, response) => response.end());
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), page.close()]);
});
beforeEach(async () => {
  names += 1;
  upstream = await createFakeMcpServer('modern', TOOLS);
  const idOf = async (path: string, json: object) => ((await client('POST', path, { json })).body as { id: string }).id;
  server = await idOf('/api/v1/mcp/servers', { name: `Server ${names}`, url: upstream.url });
  plugin = await idOf('/api/v1/plugins', { name: `Plugin ${names}`, type: 'tool', config: { url: page.url } });
  await platform.probed();
  await platform.db.prisma.toolPolicy.deleteMany();
});
afterEach(() => upstream.close());

const rulesPath = () => `/api/v1/mcp/servers/${server}/tools/rules`;
const rulePath = () => `/api/v1/plugins/${plugin}/rule`;
const rulesOf = async () => ((await client('GET', rulesPath())).body as { items: McpToolRule[] }).items;
const ruleOf = async (name: string) => (await rulesOf()).find((item) => item.name === name);
const pluginRuleOf = async () => (await client('GET', rulePath())).body as PluginRule;
const mark = async (name: string, rule: string | null, more: object = {}) => {
  const { hash } = (await ruleOf(name)) ?? {};
  return admin('PUT', rulesPath(), { json: { rules: [{ name, hash, rule, ...more }] } });
};
const setPolicy = (json: object, by = admin) => by('PUT', '/api/v1/tool-policy', { json });
const inRuns = async () => listAvailableTools(platform.db, 'Core', [decodeId('ms', server) ?? '']);

describe('GET /api/v1/tool-policy', () => {
  it("returns the installation's setting until an admin has set a policy of the project", async () => {
    const before = await client('GET', '/api/v1/tool-policy');
    expect(before.body).toEqual({
      unmarked_tools: 'allow',
      other_decider: false,
      is_default: true,
      updated_at: null,
    });
    expect((await setPolicy({ unmarked_tools: 'ask_when_tainted', other_decider: true })).status).toBe(200);
    expect((await client('GET', '/api/v1/tool-policy')).body).toMatchObject({
      ...{ unmarked_tools: 'ask_when_tainted', other_decider: true, is_default: false },
      updated_at: expect.any(String) as string,
    });
  });
});

describe('PUT /api/v1/tool-policy', () => {
  it('changes and audits the rules for unmarked tools of this project only', async () => {
    await setPolicy({ unmarked_tools: 'ask' });
    expect(await rulesOf()).toMatchObject([{ effective: 'ask' }, { effective: 'ask' }]);
    expect(await pluginRuleOf()).toMatchObject({ rule: null, effective: 'ask' });
    const other = await platform.clientOf('Commerce');
    expect((await other('GET', '/api/v1/tool-policy')).body).toMatchObject({ unmarked_tools: 'allow' });
    const decisions = await platform.decisionsOn('tool-policy');
    expect(decisions.at(-1)).toMatchObject({
      ...{ action: 'tool_policy.update', decision: 'allow', project: 'Core' },
      detail: { unmarked_tools: 'ask', other_decider: false },
    });
  });

  it('answers 403 without the scope admin', async () => {
    expect((await setPolicy({ unmarked_tools: 'allow' }, client)).status).toBe(403);
  });
});

describe('GET /api/v1/mcp/servers/{server_id}/tools/rules', () => {
  it('lists approved tools with the rules that their annotations suggest; the suggestions have no effect', async () => {
    expect(await rulesOf()).toMatchObject([
      { name: 'read', rule: null, is_current: false, other_decider: false, suggested: 'allow', effective: 'allow' },
      { name: 'send', rule: null, is_current: false, other_decider: false, suggested: 'ask', effective: 'allow' },
    ]);
  });
});

describe('PUT /api/v1/mcp/servers/{server_id}/tools/rules', () => {
  it('sets the rules of several tools for runs, and names the tools in the audit log', async () => {
    const [read, send] = await rulesOf();
    const rules = [
      { name: 'read', hash: read?.hash, rule: 'allow' },
      { name: 'send', hash: send?.hash, rule: 'ask', other_decider: true },
    ];
    const answer = await admin('PUT', rulesPath(), { json: { rules } });
    expect(answer.body).toEqual({ items: await rulesOf() });
    expect(await inRuns()).toMatchObject([
      { name: 'read', rule: 'allow', is_rule_current: true, other_decider: false, unmarked_tools: null },
      { name: 'send', rule: 'ask', is_rule_current: true, other_decider: true, unmarked_tools: null },
    ]);
    const decisions = await platform.decisionsOn(server);
    expect(decisions.at(-1)).toMatchObject({
      action: 'mcp_server.set_tool_rules',
      detail: { rules: [{ name: 'read', rule: 'allow', other_decider: false }, rules[1]] },
    });
    expect((await mark('send', null)).status).toBe(200);
    expect(await ruleOf('send')).toMatchObject({ rule: null, other_decider: false });
  });

  it('answers 412 for a definition that is not the approved definition, and changes nothing', async () => {
    const { hash } = (await ruleOf('read')) ?? {};
    const rules = [
      { name: 'read', hash, rule: 'deny' },
      { name: 'send', hash, rule: 'deny' },
    ];
    expect((await admin('PUT', rulesPath(), { json: { rules } })).status).toBe(412);
    expect(await rulesOf()).toMatchObject([{ rule: null }, { rule: null }]);
  });

  it('answers 422 for a tool that is named twice and for more rules than the limit', async () => {
    const rule = { name: 'read', hash: '0'.repeat(64), rule: 'ask' };
    const many = Array.from({ length: 101 }, (_, n) => ({ ...rule, name: `tool_${n}` }));
    for (const rules of [[rule, rule], many, []])
      expect((await admin('PUT', rulesPath(), { json: { rules } })).status).toBe(422);
  });

  it.each([
    ['allow', 'ask', 'ask'],
    ['allow', 'allow', 'allow'],
    ['ask', 'allow', 'ask'],
    ['deny', 'allow', 'deny'],
  ])(
    'sets the rule %s. When unmarked tools have %s and a changed definition of the tool is approved, the rule in effect is %s',
    async (rule, unmarked_tools, effective) => {
      await setPolicy({ unmarked_tools });
      expect((await mark('send', rule)).status).toBe(200);
      expect(await ruleOf('send')).toMatchObject({ rule, is_current: true, effective: rule });
      upstream.tools = [TOOLS[0] ?? tool('read'), tool('send', { title: 'Changed' })];
      await client('POST', `/api/v1/mcp/servers/${server}/refresh`);
      const held = await client('GET', `/api/v1/mcp/servers/${server}/tools/quarantined`);
      const hash = (held.body as { items: { hash: string }[] }).items[0]?.hash;
      await admin('POST', `/api/v1/mcp/servers/${server}/tools/send/approve`, { json: { hash } });
      expect(await ruleOf('send')).toMatchObject({ rule, is_current: false, effective });
    },
  );
});

describe('the mark repeatable', () => {
  it("belongs to the approved definition: it stays when the tool's rule changes, and is dropped when the definition changes", async () => {
    expect(await ruleOf('send')).toMatchObject({ repeatable: false });
    await mark('send', null, { repeatable: true });
    await mark('send', 'ask');
    expect(await ruleOf('send')).toMatchObject({ repeatable: true });
    expect(await inRuns()).toMatchObject([{ is_repeatable: false }, { name: 'send', is_repeatable: true }]);
    expect((await platform.decisionsOn(server)).at(-2)).toMatchObject({
      action: 'mcp_server.set_tool_rules',
      detail: { rules: [{ name: 'send', rule: null, repeatable: true }] },
    });
    upstream.tools = [TOOLS[0] ?? tool('read'), tool('send', { title: 'Changed' })];
    await client('POST', `/api/v1/mcp/servers/${server}/refresh`);
    const held = await client('GET', `/api/v1/mcp/servers/${server}/tools/quarantined`);
    const hash = (held.body as { items: { hash: string }[] }).items[0]?.hash;
    await admin('POST', `/api/v1/mcp/servers/${server}/tools/send/approve`, { json: { hash } });
    expect(await ruleOf('send')).toMatchObject({ repeatable: false });
    expect(await inRuns()).toMatchObject([{ is_repeatable: false }, { is_repeatable: false }]);
  });

  it('is removed when a request sets it to false', async () => {
    await mark('send', null, { repeatable: true });
    await mark('send', null, { repeatable: false });
    expect(await ruleOf('send')).toMatchObject({ repeatable: false });
  });

  it('of a plugin stays when its rule or status changes, and is dropped when its definition changes', async () => {
    const put = (json: object) => admin('PUT', rulePath(), { json });
    expect((await put({ rule: null, repeatable: true })).body).toMatchObject({ rule: null, repeatable: true });
    expect((await put({ rule: 'ask' })).body).toMatchObject({ rule: 'ask', repeatable: true });
    await client('PATCH', `/api/v1/plugins/${plugin}`, { json: { status: 'inactive' } });
    expect(await pluginRuleOf()).toMatchObject({ repeatable: true });
    await client('PATCH', `/api/v1/plugins/${plugin}`, { json: { description: 'Sends money.' } });
    expect(await pluginRuleOf()).toMatchObject({ repeatable: false });
    expect((await put({ rule: null, repeatable: true })).body).toMatchObject({ repeatable: true });
    expect((await put({ rule: null, repeatable: false })).body).toMatchObject({ repeatable: false });
  });

  it('can be set only by an admin', async () => {
    const { hash } = (await ruleOf('send')) ?? {};
    const rules = [{ name: 'send', hash, rule: null, repeatable: true }];
    expect((await client('PUT', rulesPath(), { json: { rules } })).status).toBe(403);
    expect((await client('PUT', rulePath(), { json: { rule: null, repeatable: true } })).status).toBe(403);
  });
});

describe('the field on_unknown of an agent', () => {
  it('is ask by default, is validated and is stored in versions; requests cannot change stopped_at', async () => {
    const json = { name: `Certain ${names}`, description: '' };
    const made = (await client('POST', '/api/v1/agents', { json })).body as { id: string };
    expect(made).toMatchObject({ on_unknown: 'ask', stopped_at: null });
    const path = `/api/v1/agents/${made.id}`;
    const changed = await client('PATCH', path, { json: { on_unknown: 'fail', stopped_at: null } });
    expect(changed.body).toMatchObject({ on_unknown: 'fail', stopped_at: null });
    expect((await client('GET', `${path}/versions/2`)).body).toMatchObject({
      state: { on_unknown: 'fail' },
      changed: ['on_unknown'],
    });
    expect((await client('PUT', path, { json })).body).toMatchObject({ on_unknown: 'ask' });
    expect((await client('PATCH', path, { json: { on_unknown: 'guess' } })).status).toBe(422);
  });
});

describe('PUT /api/v1/plugins/{plugin_id}/rule', () => {
  const change = (json: object) => client('PATCH', `/api/v1/plugins/${plugin}`, { json });

  it("sets a rule that applies until the plugin's definition changes; a change of its status leaves the rule in effect", async () => {
    expect((await admin('PUT', rulePath(), { json: { rule: 'allow' } })).status).toBe(200);
    await setPolicy({ unmarked_tools: 'ask' });
    await change({ status: 'inactive' });
    await change({ status: 'active' });
    expect(await pluginRuleOf()).toMatchObject({ rule: 'allow', is_current: true, effective: 'allow' });
    await change({ description: 'Sends money.' });
    expect(await pluginRuleOf()).toMatchObject({ rule: 'allow', is_current: false, effective: 'ask' });
    await change({ status: 'inactive' });
    expect(await pluginRuleOf()).toMatchObject({ rule: 'allow', is_current: false, effective: 'ask' });
    expect((await platform.decisionsOn(plugin)).map(({ action }) => action)).toContain('plugin.set_rule');
  });

  it('sets a rule that applies to calls in runs', async () => {
    const agent = await client('POST', '/api/v1/agents', {
      json: { name: `Agent ${names}`, description: '', plugin_ids: [plugin] },
    });
    await admin('PUT', rulePath(), { json: { rule: 'deny', other_decider: true } });
    const id = decodeId('ag', (agent.body as { id: string }).id) ?? '';
    expect((await listAgentLinks(platform.db, 'Core', { id })).plugins).toMatchObject([
      { rule: 'deny', is_rule_current: true, other_decider: true, unmarked_tools: null },
    ]);
  });

  it('answers 412 when If-Match names another version, and 404 for the plugin of another project', async () => {
    const headers = { 'if-match': '"7"' };
    expect((await admin('PUT', rulePath(), { json: { rule: 'ask' }, headers })).status).toBe(412);
    const other = await platform.clientOf('Commerce', { admin: false, scopes: ['plugins:read'] });
    expect((await other('GET', rulePath())).status).toBe(404);
  });
});

describe('ask_tools of an agent', () => {
  it('is validated, and is stored in each version', async () => {
    const ask_tools = ['mail/*', `plugins/${plugin}`];
    const made = await client('POST', '/api/v1/agents', {
      json: { name: `Careful ${names}`, description: '', ask_tools },
    });
    expect(made.body).toMatchObject({ ask_tools });
    const { id } = made.body as { id: string };
    expect((await admin('PATCH', `/api/v1/agents/${id}`, { json: { ask_tools: [] } })).body).toMatchObject({
      ask_tools: [],
    });
    const kept = await client('GET', `/api/v1/agents/${id}/versions/1`);
    expect(kept.body).toMatchObject({ state: { ask_tools } });
    const wrong = await client('PATCH', `/api/v1/agents/${id}`, { json: { ask_tools: ['mail'] } });
    expect(wrong).toMatchObject({ status: 422 });
  });

  it('can be extended with the scope agents:write; each kind of request that removes tools from it requires the scope admin', async () => {
    const writer = await platform.clientOf('Core', { scopes: ['agents:read', 'agents:write'] });
    const agent = { name: `Held ${names}`, description: '', ask_tools: ['mail/*'] };
    const { body } = await writer('POST', '/api/v1/agents', { json: agent });
    const { id } = body as { id: string };
    const path = `/api/v1/agents/${id}`;
    expect((await writer('PATCH', path, { json: { ask_tools: ['mail/*', 'plugins/*'] } })).status).toBe(200);
    const update = { kind: 'agent', action: 'update', id, fields: { ask_tools: [] } };
    const looser: Parameters<HttpClient>[] = [
      ['PATCH', path, { json: { ask_tools: ['mail/send', 'plugins/*'] } }],
      ['PUT', path, { json: { name: agent.name, description: '' } }],
      ['POST', `${path}/versions/1/restore`],
      ['POST', '/api/v1/changes', { json: { changes: [update] } }],
    ];
    for (const request of looser) {
      const { status, headers, body: refusal } = await writer(...request);
      expect([request[0], status, refusal]).toMatchObject([request[0], 403, { error: { code: 'forbidden' } }]);
      expect(headers.get('www-authenticate')).toContain('scope="admin"');
    }
    expect((await writer('GET', path)).body).toMatchObject({ ask_tools: ['mail/*', 'plugins/*'] });
    expect((await admin('PUT', path, { json: { name: agent.name, description: '' } })).body).toMatchObject({
      ask_tools: [],
    });
  });
});

describe('PUT /api/v1/agents/{agent_id}/rule', () => {
  it('sets a rule that applies only until the agent changes', async () => {
    const json = { name: `Callee ${names}`, description: '' };
    const { id } = (await client('POST', '/api/v1/agents', { json })).body as { id: string };
    const at = `/api/v1/agents/${id}`;
    const ruleNow = async () => (await client('GET', `${at}/rule`)).body as AgentRule;
    await setPolicy({ unmarked_tools: 'ask' });
    expect(await ruleNow()).toEqual({ rule: null, is_current: false, other_decider: false, effective: 'ask' });
    expect((await client('PUT', `${at}/rule`, { json: { rule: 'allow' } })).status).toBe(403);
    const marked = await admin('PUT', `${at}/rule`, { json: { rule: 'allow', other_decider: true } });
    expect([marked.status, marked.body]).toEqual([
      200,
      { rule: 'allow', is_current: true, other_decider: true, effective: 'allow' },
    ]);
    await client('PATCH', at, { json: { description: 'Changed.' } });
    expect(await ruleNow()).toMatchObject({ rule: 'allow', is_current: false, effective: 'ask' });
    expect((await admin('PUT', '/api/v1/agents/ag_x/rule', { json: { rule: null } })).status).toBe(404);
  });
});
