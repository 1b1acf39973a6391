import { refreshMcpServers } from '@millwright/mcp/refresh-servers';
import { newId } from '@millwright/db';
import { createEgress, type Egress } from '@millwright/egress';
import { createLogger } from '@millwright/http/process';
import { createFakeMcpServer, createTestDatabase, type FakeMcpServer, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';
import { createMcpProbes } from './probes.js';

let database: TestDatabase;
let platform: TestPlatform;
let egress: Egress;
let upstream: FakeMcpServer;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  egress = createEgress({ allowLoopback: true, allowHttp: false, allow: [] });
  upstream = await createFakeMcpServer('modern', [{ name: 'add', inputSchema: { type: 'object' } }]);
});
afterAll(async () => {
  await upstream.close();
  await egress.close();
  await platform.close();
  await database.drop();
});

const actor = () => ({ userId: platform.user.id, kind: 'user', label: 'Ada' }) as const;
const deps = () => ({ db: platform.db, fetch: egress.fetch, secrets: platform.secretBox });
const newProbes = () =>
  createMcpProbes({ ...deps(), logger: createLogger({ service: 'test', level: 'silent', version: 'test' }) });
async function newServer(): Promise<string> {
  const id = newId();
  const data = { id, project: 'Core', name: id, slug: id, url: upstream.url, created_by: platform.user.id };
  await platform.db.prisma.mcpServer.create({ data });
  return id;
}
const stateOf = async (id: string) => {
  const { status, tools_count, probe_due_at } = await platform.db.prisma.mcpServer.findUniqueOrThrow({ where: { id } });
  return { status, tools_count, due: probe_due_at.getTime() <= Date.now() };
};

describe('a process that stops', () => {
  it('waits for running probes to end', async () => {
    const probes = newProbes();
    const ids = [await newServer(), await newServer()];
    for (const id of ids) probes.start(actor(), id);
    await probes.close();
    for (const id of ids) expect(await stateOf(id)).toEqual({ status: 'active', tools_count: 1, due: false });
  });

  it('marks servers whose probes do not end in time as due for the scheduled refresh, and starts no further probe', async () => {
    const probes = newProbes();
    const [hanging, late] = [await newServer(), await newServer()];
    upstream.behaviour = 'hang';
    probes.start(actor(), hanging);
    await upstream.nextRequest();
    expect(await stateOf(hanging)).toMatchObject({ due: false });
    const before = performance.now();
    await probes.close();
    expect(performance.now() - before).toBeLessThan(10_000);
    probes.start(actor(), late);
    upstream.behaviour = 'serve';
    for (const id of [hanging, late])
      expect(await stateOf(id)).toEqual({ status: 'active', tools_count: 0, due: true });
    expect(await refreshMcpServers(deps(), actor())).toBe(2);
    for (const id of [hanging, late]) expect(await stateOf(id)).toMatchObject({ tools_count: 1, due: false });
  });
});

describe('a flood of registrations', () => {
  it('probes at most 16 servers at a time, and leaves the other servers to the scheduled refresh', async () => {
    const probes = newProbes();
    const ids = await Promise.all(Array.from({ length: 40 }, newServer));
    for (const id of ids) probes.start(actor(), id);
    await probes.idle();
    const states = await Promise.all(ids.map(stateOf));
    expect(states.filter(({ tools_count }) => tools_count === 1)).toHaveLength(16);
    expect(states.filter(({ due }) => due)).toHaveLength(24);
    expect(await refreshMcpServers(deps(), actor())).toBe(24);
    await probes.close();
  });
});
