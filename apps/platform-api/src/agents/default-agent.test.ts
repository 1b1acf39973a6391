import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';
import type { Agent } from './agents.contract.js';

let database: TestDatabase;
let platform: TestPlatform;
let core: HttpClient;
let commerce: HttpClient;
let names = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  core = await platform.clientOf('Core', { admin: true });
  commerce = await platform.clientOf('Commerce', { admin: true });
});
afterAll(async () => {
  await platform.close();
  await database.drop();
});

async function create(by: HttpClient): Promise<Agent> {
  const { body } = await by('POST', '/api/v1/agents', { json: { name: `Agent ${++names}`, description: '' } });
  return body as Agent;
}
const path = ({ id }: Agent) => `/api/v1/agents/${id}`;
const mark = (agent: Agent, by: HttpClient, headers = {}) => by('PUT', `${path(agent)}/default`, { headers });
const unmark = (agent: Agent, by: HttpClient) => by('DELETE', `${path(agent)}/default`);
const isDefault = async (agent: Agent, by: HttpClient) => ((await by('GET', path(agent))).body as Agent).is_default;
const marks = () => platform.db.prisma.defaultAgent.count();

describe('PUT /api/v1/agents/{agent_id}/default', () => {
  it('makes the agent the default in place of the former default agent, creates a new version of both agents, and audits the change', async () => {
    const [first, second] = [await create(core), await create(commerce)];
    const marked = await mark(first, core);
    expect([marked.status, marked.headers.get('etag')]).toEqual([200, '"b-2"']);
    expect(marked.body).toMatchObject({ id: first.id, is_default: true });

    expect((await mark(second, commerce)).status).toBe(200);
    const was = await core('GET', path(first));
    expect([was.headers.get('etag'), (was.body as Agent).is_default]).toEqual(['"b-3"', false]);
    expect(await isDefault(second, commerce)).toBe(true);
    expect((await platform.decisionsOn(second.id)).at(-1)).toMatchObject({
      action: 'agent.mark_default',
      detail: { instead_of: first.id },
    });
  });

  it('changes nothing when the agent is already the default agent', async () => {
    const agent = await create(core);
    await mark(agent, core);
    expect((await mark(agent, core)).headers.get('etag')).toBe('"b-2"');
    expect(await platform.decisionsOn(agent.id)).toHaveLength(2);
  });

  it('leaves exactly one default agent after 8 concurrent requests for different agents', async () => {
    const agents = await Promise.all(Array.from({ length: 8 }, () => create(core)));
    const answers = await Promise.all(agents.map((agent) => mark(agent, core)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await marks()).toBe(1);
    const shown = await Promise.all(agents.map((agent) => isDefault(agent, core)));
    expect(shown.filter(Boolean)).toHaveLength(1);
  });

  it('answers 412 for a stale entity tag, and does not change the default agent', async () => {
    const agent = await create(core);
    expect((await mark(agent, core, { 'if-match': '"b-7"' })).status).toBe(412);
    expect(await isDefault(agent, core)).toBe(false);
  });

  it('requires an admin; a PUT of the agent by a user cannot remove the default mark', async () => {
    const agent = await create(core);
    await mark(agent, core);
    const worker = await platform.clientOf('Core');
    expect((await mark(agent, worker)).status).toBe(403);
    expect((await unmark(agent, worker)).status).toBe(403);
    const { name, description } = agent;
    expect((await worker('PUT', path(agent), { json: { name, description, is_default: false } })).body).toMatchObject({
      is_default: true,
    });
  });
});

describe('DELETE /api/v1/agents/{agent_id}/default', () => {
  it('removes the mark, and answers 404 the second time', async () => {
    const agent = await create(core);
    await mark(agent, core);
    expect((await unmark(agent, core)).status).toBe(204);
    expect(await isDefault(agent, core)).toBe(false);
    expect((await platform.decisionsOn(agent.id)).at(-1)).toMatchObject({ action: 'agent.unmark_default' });
    expect((await unmark(agent, core)).status).toBe(404);
  });

  it('is not needed before DELETE /api/v1/agents/{agent_id}, which removes the mark too', async () => {
    const agent = await create(core);
    await mark(agent, core);
    expect((await core('DELETE', path(agent))).status).toBe(204);
    expect(await marks()).toBe(0);
  });
});
