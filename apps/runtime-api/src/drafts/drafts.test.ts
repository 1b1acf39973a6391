import { encodeId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import type { Run, RunDetail } from '../runs/runs.contract.js';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import { DRAFT_DAYS } from '@millwright/catalog/drafts';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let ann: TestUser;
let asAnn: HttpClient;
let asBen: HttpClient;
let guide: { id: string };

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  ann = await runtime.newUser('ann@example.com');
  const ben = await runtime.newUser('ben@example.com');
  asAnn = runtime.as(await runtime.newToken({ userId: ann.id }));
  asBen = runtime.as(await runtime.newToken({ userId: ben.id }));
  guide = await runtime.newAgent({ name: 'Guide', instructions: 'You are the saved guide.' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => {
  model.requests.length = 0;
  model.answerWith('From the draft.');
});

const draft = { name: 'Guide', instructions: 'You are the draft.', mcp_tools: ['platform/*'] };
const run = (json: object = {}, call = asAnn) =>
  call('POST', '/api/v1/runs/draft', { json: { ...draft, content: 'Hello', ...json }, headers: { prefer: 'wait=30' } });
const read = async (id: string) => (await asAnn('GET', `/api/v1/runs/${id}`)).body as RunDetail;
const detailsOf = (body: unknown) => (body as { error: { details: object } }).error.details;

describe('POST /api/v1/runs/draft', () => {
  it('runs the unsaved agent and changes no agent', async () => {
    const before = await runtime.db.prisma.agent.findMany();
    const { status, body } = await run({ model_parameters: { temperature: 0.5 } });
    expect([status, body]).toMatchObject([200, { state: 'completed', channel: 'draft', subject: { version: null } }]);
    const detail = await read((body as Run).id);
    expect(detail).toMatchObject({
      output: 'From the draft.',
      data: { draft: { instructions: 'You are the draft.' } },
    });
    expect(model.requests[0]?.body).toMatchObject({
      temperature: 0.5,
      messages: [
        { role: 'system', content: expect.stringContaining('You are the draft.') as string },
        { role: 'user' },
      ],
      tools: [{ function: { name: 'current_time' } }, { function: { name: 'calculate' } }],
    });
    expect(await runtime.db.prisma.agent.findMany()).toEqual(before);
  });

  it('starts a run of the agent that the draft changes: its usage and audit row name that agent', async () => {
    const { body } = await run({ agent: 'guide' });
    const { id, subject, context_id } = body as Run;
    expect(subject).toEqual({ kind: 'agent', id: encodeId('ag', guide.id), name: 'guide', version: null });
    expect(await runtime.db.prisma.usageEvent.count({ where: { subject_id: guide.id } })).toBe(1);
    const audited = await runtime.db.prisma.governanceDecision.findMany({ where: { resource: context_id ?? '' } });
    expect(audited).toMatchObject([{ action: 'agent.message', detail: { agent: 'guide', draft: true } }]);
    expect((await read(id)).state).toBe('completed');
  });

  it('continues the conversation of an earlier draft even after the draft was changed; no list contains the conversation', async () => {
    const first = (await run({ agent: 'guide' })).body as Run;
    const second = await run({
      agent: 'guide',
      instructions: 'You are new.',
      content: 'And?',
      context_id: first.context_id,
    });
    expect(second.status).toBe(200);
    expect(model.requests[1]?.body).toMatchObject({
      messages: [
        { content: expect.stringContaining('You are new.') as string },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'From the draft.' },
        { role: 'user', content: 'And?' },
      ],
    });
    for (const path of ['/api/v1/contexts', '/api/v1/agents/guide/contexts'])
      expect((await asAnn('GET', path)).body).toMatchObject({ total: 0 });
    expect((await asAnn('GET', `/api/v1/contexts/${first.context_id}`)).status).toBe(404);
    expect(
      (await asBen('POST', '/api/v1/runs/draft', { json: { ...draft, content: 'Hi', context_id: first.context_id } }))
        .status,
    ).toBe(404);
    const saved = await asAnn('POST', '/api/v1/agents/guide/messages', {
      json: { content: 'Hi', context_id: first.context_id },
    });
    expect(saved.status).toBe(404);
  });

  it('starts a conversation that is deleted some days after its last message', async () => {
    const { context_id } = (await run()).body as Run;
    const [row] = await runtime.db.prisma.$queryRaw<{ days: number }[]>`
      SELECT round(extract(epoch FROM d.at - now()) / 86400)::int AS days FROM contexts c JOIN deleted_agents d ON d.id = c.agent_id
       ORDER BY c.id DESC LIMIT 1`;
    expect([context_id, row?.days]).toEqual([expect.stringContaining('ctx_'), DRAFT_DAYS]);
    await runtime.db.prisma.$executeRaw`UPDATE deleted_agents SET at = now()`;
    expect((await run({ context_id })).status).toBe(404);
  });

  it.each([
    [{ agent: 'nobody' }, 'agent'],
    [{ model: 'gpt-99' }, 'model'],
    [{ skill_ids: ['sk_0'] }, 'skill_ids'],
    [{ mcp_server_ids: ['ms_0'] }, 'mcp_server_ids'],
    [{ plugin_ids: ['pl_0'] }, 'plugin_ids'],
    [{ mcp_tools: ['a b'] }, 'mcp_tools.0'],
    [{ model_parameters: { temperature: 9 } }, 'model_parameters.temperature'],
    [{ content: ' ' }, 'content'],
    [{ published: true }, 'published'],
  ])('answers 400 and names the invalid field for %j, and calls no model', async (wrong, field) => {
    const { status, body } = await run(wrong);
    expect([status, detailsOf(body)]).toMatchObject([400, { field }]);
    expect(model.requests).toEqual([]);
  });

  it('answers 403 when the token lacks agents:write, agents:message or, for an MCP server, mcp:read; each refusal is recorded', async () => {
    const server = await runtime.db.prisma.mcpServer.create({
      data: {
        ...{ id: crypto.randomUUID(), project: 'Core', name: 'Shop', slug: 'shop', url: 'http://127.0.0.1:9/mcp' },
        created_by: runtime.owner.id,
      },
    });
    const scopes = ['agents:read', 'agents:write', 'agents:message', 'runs:read'];
    const without = async (scope: string) =>
      runtime.as(await runtime.newToken({ userId: ann.id, scopes: scopes.filter((one) => one !== scope) }));
    const uses = { mcp_server_ids: [encodeId('ms', server.id)] };
    const refused = [
      await run({}, await without('agents:write')),
      await run({}, await without('agents:message')),
      await run(uses, await without('none')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    const denied = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'run.draft', decision: 'deny' },
    });
    expect(denied.map(({ reason }) => reason).sort()).toEqual([
      'scope agents:message is missing',
      'scope agents:write is missing',
      'scope mcp:read is missing',
    ]);
    expect(model.requests).toEqual([]);
  });

  it('is refused while an admin has stopped the agent', async () => {
    const { id } = await runtime.newAgent({ name: 'Asleep' });
    await runtime.db.prisma.agent.update({ where: { id }, data: { stopped_at: new Date() } });
    expect((await run({ agent: 'asleep' })).body).toMatchObject({ error: { code: 'AGENT_STOPPED' } });
  });

  it('starts a run that cannot be retried, because only the sender has the draft', async () => {
    model.answerWith({ status: 500 });
    const { id } = (await run()).body as Run;
    const { status, body } = await asAnn('POST', `/api/v1/runs/${id}/retry`);
    expect([status, detailsOf(body)]).toEqual([
      409,
      { field: 'run', reason: expect.stringContaining('not saved') as string },
    ]);
  });
});
