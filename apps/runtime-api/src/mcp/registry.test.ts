import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  type FakeMcpServer,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let upstream: FakeMcpServer;
let runtime: TestRuntime;
let call: HttpClient;

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await createFakeMcpServer('modern', [tool('sub'), tool('add')]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});

const registered = async (by = call) => {
  const { body } = await by('GET', '/api/v1/mcp/registry');
  return (body as { servers: { name: string }[] }).servers.filter(({ name }) => name !== 'platform');
};

describe('GET /api/v1/mcp/registry', () => {
  it("lists the project's active servers with their endpoints here and their available tools", async () => {
    const { id } = await runtime.newMcpServer({ name: 'Sums', url: upstream.url });
    await runtime.newMcpServer({ name: 'Asleep', url: upstream.url, status: 'inactive' });
    await runtime.newMcpServer({ name: 'Lost', url: upstream.url, status: 'unreachable' });
    await runtime.newMcpServer({ name: 'Foreign', url: upstream.url, project: 'Commerce' });
    const entry = {
      name: 'sums',
      endpoint: `${RUNTIME_URL}/api/v1/mcp/sums/mcp`,
      transport: 'streamable-http',
      tools: ['add', 'sub'],
    };
    expect(await registered()).toEqual([entry]);
    upstream.tools = [{ ...tool('add'), description: 'Changed.' }, tool('sub'), tool('new')];
    await runtime.probeMcpServer(id);
    expect(await registered()).toEqual([{ ...entry, tools: ['sub'] }]);
    const other = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    expect((await registered(other)).map(({ name }) => name)).toEqual(['foreign']);
  });
});
