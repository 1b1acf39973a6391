import { newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type ModelBehaviour,
  type TestDatabase,
} from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { CONCIERGE } from './concierge.js';
import { requireDefaultAgent } from '../agents/find-agent.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;

beforeEach(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
});
afterEach(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const send = (json: { content: string; context_id?: string }, by = call) =>
  by('POST', '/api/v1/agents/concierge/messages', { json });
const names = async (by = call) => {
  const { body } = await by('GET', '/api/v1/agents/registry');
  return (body as { agents: { name: string }[] }).agents.map(({ name }) => name);
};

/** Makes the model call this tool, and then answer with the result of the tool. */
function modelCalls(name: string, args: object) {
  model.answerWith(({ body: { messages } }): ModelBehaviour => {
    const last = messages.at(-1) as unknown as { role: string; content: string };
    if (last.role === 'tool') return { content: `Result: ${last.content}` };
    const toolCall = { id: 'call_0', type: 'function', function: { name, arguments: JSON.stringify(args) } } as const;
    return { content: null, toolCalls: [toolCall] };
  });
}
const toolResult = ({ body }: { body: unknown }) =>
  JSON.parse((body as { content: string }).content.replace('Result: ', '')) as Record<string, unknown>;
const availableTools = () =>
  ((model.requests[0]?.body['tools'] ?? []) as { function: { name: string } }[]).map((item) => item.function.name);

describe('the built-in concierge', () => {
  it('is listed while the project has no active agent, and can be used even when it is not listed', async () => {
    expect(await names()).toEqual(['concierge']);
    await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
    expect(await names()).toEqual(['asleep', 'concierge']);
    await runtime.newAgent({ name: 'Helper' });
    expect(await names()).toEqual(['asleep', 'helper']);
    expect(await names(runtime.as(await runtime.newToken({ project: 'Commerce' })))).toEqual(['concierge']);
    expect((await call('GET', '/api/v1/agents/concierge')).body).toEqual({
      name: 'concierge',
      status: 'running',
      stopped_at: null,
      endpoint: `${RUNTIME_URL}/api/v1/agents/concierge/a2a`,
      capabilities: ['Find content', 'List what is available'],
      description: CONCIERGE.description,
      skills: CONCIERGE.skills.map(({ name, description }) => ({ name, description })),
    });
  });

  it('searches only the content of its project, and finds words that the query misspells', async () => {
    await call('POST', '/api/v1/content', {
      json: { title: 'Opening hours', content: 'We open the bakery at seven.' },
    });
    const other = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    await other('POST', '/api/v1/content', { json: { title: 'Bakery prices', content: 'The bakery sells bread.' } });
    modelCalls('search_content', { query: 'bakkery' });
    expect(toolResult(await send({ content: 'When does the bakery open?' }))).toMatchObject({
      total: 1,
      results: [{ id: expect.stringMatching(/^ct_/) as string, title: 'Opening hours', source: 'platform' }],
    });
  });

  it('lists active agents, skills, servers and collections of the project without their instructions', async () => {
    const skills = [{ name: 'Letters', description: 'Writes letters.', instructions: 'Internal wording.' }];
    await runtime.newAgent({ name: 'Scribe', description: 'Writes texts.', instructions: 'Internal orders.', skills });
    await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
    await runtime.newAgent({ name: 'Foreign', project: 'Commerce' });
    await call('POST', '/api/v1/content', { json: { title: 'Hours', content: 'Nine to five.', source: 'handbook' } });
    modelCalls('list_offers', {});
    expect(toolResult(await send({ content: 'What is there?' }))).toEqual({
      agents: [{ name: 'scribe', description: 'Writes texts.' }],
      skills: [{ name: 'Letters', description: 'Writes letters.' }],
      mcp_servers: [],
      collections: [{ name: 'handbook', items: 1 }],
    });
  });

  it("reads only records for which the calling user's token has the scope", async () => {
    await runtime.newAgent({ name: 'Scribe' });
    const narrow = runtime.as(await runtime.newToken({ scopes: ['agents:message', 'skills:read'] }));
    modelCalls('list_offers', {});
    expect(Object.keys(toolResult(await send({ content: 'What is there?' }, narrow)))).toEqual(['skills']);
    expect(availableTools()).toEqual(['list_offers']);
    modelCalls('search_content', { query: 'anything' });
    expect(toolResult(await send({ content: 'Search.' }, narrow))).toEqual({ error: 'There is no tool of that name.' });
  });

  it('receives the names of the invalid arguments when it calls a tool with such arguments', async () => {
    modelCalls('search_content', { query: '', extra: 1 });
    expect(toolResult(await send({ content: 'Search.' }))).toMatchObject({ faults: [{ path: 'query' }, { path: '' }] });
  });

  it("continues a user's context; other users and other agents cannot use that context", async () => {
    await runtime.newAgent({ name: 'Helper' });
    model.answerWith('Welcome.');
    const first = (await send({ content: 'Hello' })).body as { context_id: string; agent: string };
    expect(first.agent).toBe('concierge');
    const context_id = first.context_id;
    expect((await send({ content: 'And now?', context_id })).status).toBe(200);
    expect(
      model.requests
        .at(-1)
        ?.body.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['Hello', 'Welcome.', 'And now?']);
    const json = { content: 'Hello', context_id };
    expect((await call('POST', '/api/v1/agents/helper/messages', { json })).status).toBe(404);
    const { id: userId } = await runtime.newUser('lin@example.com');
    expect((await send(json, runtime.as(await runtime.newToken({ userId })))).status).toBe(404);
    const helpers = (await call('POST', '/api/v1/agents/helper/messages', { json: { content: 'Hi' } })).body;
    expect((await send({ content: 'Hi', context_id: (helpers as typeof first).context_id })).status).toBe(404);
  });

  it('has its messages, tool calls and searches recorded and counted like those of any other agent', async () => {
    modelCalls('search_content', { query: 'bread' });
    await send({ content: 'Bread?' });
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { action: { in: ['tool.call'] } } });
    expect(rows).toMatchObject([
      {
        user_id: runtime.owner.id,
        actor_kind: 'mcp',
        actor_id: 'platform',
        decision: 'allow',
        detail: { tool: 'search_content', agent: 'concierge' },
      },
    ]);
    const used = await runtime.db.prisma.usageEvent.findMany({ orderBy: { at: 'asc' } });
    expect(used.map(({ kind, subject_id }) => [kind, subject_id])).toEqual([
      ['agent_step', CONCIERGE.id],
      ['agent_message', CONCIERGE.id],
    ]);
    await runtime.counts.flush();
    expect(await runtime.db.prisma.metricCount.findMany({ where: { metric: 'content_searches' } })).toMatchObject([
      { n: 1n },
    ]);
  });
});

describe('the default agent', () => {
  const slug = async () => (await requireDefaultAgent(runtime.db)).slug;

  it('is the agent marked as default if it is active, or else the oldest active and published agent, or else the concierge', async () => {
    expect(await slug()).toBe('concierge');
    const row = { description: '', created_by: runtime.owner.id };
    const add = async (name: string, fields: object = {}) => {
      const data = { ...row, id: newId(), project: 'Core', name, slug: name, ...fields };
      return (await runtime.db.prisma.agent.create({ data })).id;
    };
    await add('asleep', { status: 'inactive' });
    await add('hidden', { published: false });
    expect(await slug()).toBe('concierge');
    await add('oldest', { project: 'Commerce', created_at: new Date('2026-01-01') });
    const newest = await add('newest');
    expect(await slug()).toBe('oldest');
    await runtime.db.prisma.defaultAgent.create({ data: { agent_id: newest } });
    expect(await slug()).toBe('newest');
    await runtime.db.prisma.agent.update({ where: { id: newest }, data: { status: 'inactive' } });
    expect(await slug()).toBe('oldest');
  });
});
