import { setQuota } from '@millwright/db/quotas';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../../test-runtime.js';

const PATH = '/api/v1/mcp/platform/mcp';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let admin: TestUser;
let by: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Hello.')]);
  runtime = await startRuntime(database.url, model.url);
  admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  by = await withScopes('*');
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const withScopes = async (...scopes: string[]) => runtime.as(await runtime.newToken({ userId: admin.id, scopes }));

interface Result {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: { record: Record<string, unknown> & { id: string }; version: number; records: object[] };
}

async function call(name: string, args: object, as = by): Promise<Result> {
  const json = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } };
  const { body, status } = await as('POST', PATH, { json });
  const { result } = body as { result?: Result };
  if (status !== 200 || !result) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return result;
}
async function done(name: string, args: object) {
  const { isError, content, structuredContent } = await call(name, args);
  if (isError || !structuredContent) throw new Error(content[0]?.text);
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  return structuredContent;
}
const refused = async (name: string, args: object) => {
  const { isError, content } = await call(name, args);
  expect(isError).toBe(true);
  return content[0]?.text;
};
const total = async (kind: string) => {
  const { _sum } = await runtime.db.prisma.recordCount.aggregate({
    where: { kind, project: 'Core' },
    _sum: { n: true },
  });
  return Number(_sum.n ?? 0);
};
const lastDecision = () => runtime.db.prisma.governanceDecision.findFirstOrThrow({ orderBy: { seq: 'desc' } });

const SKILL = { name: 'Write letters', description: 'Letters.', instructions: 'Write a letter.' };

describe('admin tools, without the scope admin,', () => {
  it('are not listed; a call of them is audited, and is answered 403 with the needed scope', async () => {
    const plain = await withScopes('mcp:read', 'mcp:call', 'skills:write', 'content:read');
    const listed = await plain('POST', PATH, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(listed.body).toMatchObject({ result: { tools: [{ name: 'search_content' }] } });
    const params = { name: 'create_skill', arguments: SKILL };
    const answer = await plain('POST', PATH, { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", scope="mcp:call admin", resource_metadata=/,
    );
    expect(await lastDecision()).toMatchObject({ decision: 'deny', action: 'mcp.request', user_id: admin.id });
    expect(await runtime.db.prisma.skill.count()).toBe(0);
  });

  it('are not listed for users without an admin role; even a credential with all scopes gives them no admin scope', async () => {
    const own = runtime.as(await runtime.newToken({ scopes: ['*'] }));
    const { body } = await own('POST', PATH, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect((body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)).toEqual([
      'search_content',
    ]);
  });
});

describe('a quota that is used up', () => {
  const refusals = (resource: string) =>
    runtime.db.prisma.governanceDecision.findMany({ where: { action: 'quota.exceed', resource } });

  it('makes a tool call fail with an error that names the remedy; the refusal is audited once an hour', async () => {
    await runtime.db.transaction((tx) => setQuota(tx, 'content', { rows: 0, bytes: 1_000_000 }, 'Core'));
    const params = { name: 'create_content', arguments: { title: 'One', body: 'b' } };
    for (let n = 0; n < 2; n += 1) {
      const { body } = await by('POST', PATH, { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
      expect(JSON.stringify(body)).toContain('delete what is no longer needed');
    }
    expect(await refusals('content')).toMatchObject([{ decision: 'deny', project: 'Core' }]);
    await runtime.db.transaction((tx) => setQuota(tx, 'content', { rows: 1_000, bytes: 1_000_000 }, 'Core'));
  });

  it('makes an A2A message fail, and the refusal is audited', async () => {
    await runtime.newAgent({ name: 'Counted' });
    await runtime.db.transaction((tx) => setQuota(tx, 'contexts', { rows: 0, bytes: 1_000_000 }, 'Core'));
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
    const answer = await by('POST', '/api/v1/agents/counted/a2a', {
      json: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
      headers: { 'a2a-version': '1.0' },
    });
    expect(answer.body).toMatchObject({ error: {} });
    expect(await refusals('contexts')).toMatchObject([{ decision: 'deny', project: 'Core' }]);
    await runtime.db.prisma.agent.deleteMany({ where: { name: 'Counted' } });
    await runtime.db.transaction((tx) => setQuota(tx, 'contexts', { rows: 1_000, bytes: 1_000_000 }, 'Core'));
  });
});

describe('admin tools, with the scope admin,', () => {
  it('are listed with the schemas of their arguments', async () => {
    const { body } = await by('POST', PATH, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    const { tools } = (body as { result: { tools: { name: string; inputSchema: object }[] } }).result;
    expect(tools.map(({ name }) => name)).toEqual([
      'search_content',
      'list_records',
      'create_skill',
      'update_skill',
      'create_agent',
      'update_agent',
      'create_content',
      'update_content',
    ]);
    expect(tools.find(({ name }) => name === 'create_skill')?.inputSchema).toMatchObject({
      type: 'object',
      required: ['name', 'description', 'instructions'],
      additionalProperties: false,
      properties: { name: { type: 'string', maxLength: 200 } },
    });
  });

  it('create and change a skill; each change is audited and stored as a version, and the number of skills increases', async () => {
    const before = await total('skills');
    const { record, version } = await done('create_skill', SKILL);
    expect([record, version]).toMatchObject([{ ...SKILL, status: 'active', parameters: {} }, 1]);
    expect(await total('skills')).toBe(before + 1);
    expect(await lastDecision()).toMatchObject({
      action: 'skill.create',
      resource: record.id,
      project: 'Core',
      user_id: admin.id,
    });
    const changed = await done('update_skill', { id: record.id, version: 1, changes: { status: 'inactive' } });
    expect(changed).toMatchObject({ record: { ...SKILL, status: 'inactive' }, version: 2 });
    expect(await lastDecision()).toMatchObject({ action: 'skill.update', detail: { fields: ['status'] } });
    const versions = await runtime.db.prisma.skillVersion.findMany({ orderBy: { version: 'asc' } });
    expect(versions.map(({ version, created_by }) => [version, created_by])).toEqual([
      [1, admin.id],
      [2, admin.id],
    ]);
  });

  it('create and change an agent with its skills', async () => {
    const skill = await done('create_skill', { ...SKILL, name: 'Reply' });
    const input = { name: 'Scribe', description: 'Writes.', skill_ids: [skill.record.id], model: 'house' };
    const { record } = await done('create_agent', input);
    expect(record).toMatchObject({ ...input, slug: 'scribe', status: 'active' });
    const { content } = await call('ask_scribe', { content: 'Hi' });
    expect(content).toMatchObject([{ text: 'Hello.' }]);
    const changes = { skill_ids: [], instructions: 'Be brief.' };
    const changed = await done('update_agent', { id: record.id, changes });
    expect(changed).toMatchObject({ record: changes, version: 2 });
    expect(await runtime.db.prisma.agentVersion.count()).toBe(2);
  });

  it('create and change content that search_content finds', async () => {
    const before = await total('content_items');
    const { record } = await done('create_content', { title: 'Refunds', body: 'Paid within 14 days.' });
    expect(await total('content_items')).toBe(before + 1);
    await done('update_content', { id: record.id, changes: { body: 'Paid within ten days.' } });
    const { content } = await call('search_content', { query: 'ten days' });
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ total: 1, results: [{ id: record.id }] });
  });

  it('list only the records of the project, with their ids and versions', async () => {
    await runtime.newAgent({ name: 'Foreign', project: 'Commerce' });
    await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
    const { records } = await done('list_records', { kind: 'agents' });
    expect(records).toMatchObject([
      { name: 'Asleep', status: 'inactive', version: 1 },
      { name: 'Scribe', version: 2 },
    ]);
    expect((await done('list_records', { kind: 'agents', search: 'SCR' })).records).toHaveLength(1);
    expect((await done('list_records', { kind: 'content', offset: 50 })).records).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['create_skill', {}, ' name: is required. description: is required. instructions: is required.'],
    ['create_skill', { ...SKILL, name: 'x', color: 'red' }, ' color: '],
    ['create_skill', { ...SKILL, name: 'x', parameters: { a: { type: 'date' } } }, ' parameters.a.type: '],
    [
      'create_agent',
      { name: 'x', description: '', model: 'unknown' },
      ' model: "unknown" is not a model of this project. Available: house, other, seeing.',
    ],
    ['create_agent', { name: 'x', description: '', skill_ids: ['sk_0'] }, ' skill_ids: sk_0 does not exist.'],
    ['create_content', { title: '', body: 'x' }, ' title: '],
    ['update_skill', { id: 'sk_0000000000000000000000', changes: { name: 7 } }, ' changes.name: '],
    ['list_records', { kind: 'users' }, ' kind: '],
  ])(
    'return, for %s with the arguments %j, an error result that names the invalid field',
    async (name, args, fault) => {
      expect(await refused(name, args)).toContain(fault);
    },
  );

  it('refuse names in use, outdated versions, unknown records and records of another project, and change nothing', async () => {
    const { record } = await done('create_skill', { ...SKILL, name: 'Taken' });
    expect(await refused('create_skill', { ...SKILL, name: 'Taken' })).toMatch(/conflict|exists|taken/i);
    const change = { id: record.id, version: 9, changes: { description: 'x' } };
    expect(await refused('update_skill', change)).toMatch(/version|changed/i);
    const foreign = await runtime.newAgent({ name: 'Far', project: 'Commerce' });
    for (const id of ['ag_0000000000000000000000', 'x', foreign.id])
      expect(await refused('update_agent', { id, changes: { description: 'x' } })).toMatch(/not/i);
    expect(await runtime.db.prisma.skill.findFirst({ where: { name: 'Taken' } })).toMatchObject({ version: 1 });
  });
});
