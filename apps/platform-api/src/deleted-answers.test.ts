import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from './test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let client: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  platform = await startPlatform(database.url);
  client = await platform.clientOf('Core', { admin: true });
});
afterAll(async () => {
  await platform.close();
  await database.drop();
});

describe('the answer to a POST with an Idempotency-Key', () => {
  it.each([
    ['/api/v1/skills', { name: 'Made', description: 'd', instructions: 'i' }],
    ['/api/v1/agents', { name: 'Made', description: 'd' }],
    ['/api/v1/content', { title: 'Made', body: 'b' }],
    ['/api/v1/plugins', { name: 'Made', type: 'tool', config: { url: 'https://tools.example/' } }],
    ['/api/v1/mcp/servers', { name: 'Made', url: 'https://mcp.example/mcp' }],
  ])('is deleted with the record that a POST to %s created; a repeat is then answered 404', async (path, json) => {
    const post = () => client('POST', path, { json, headers: { 'idempotency-key': `k${path}` } });
    const made = await post();
    expect(made.status).toBe(201);
    expect((await post()).headers.get('idempotent-replayed')).toBe('true');
    const { id } = made.body as { id: string };
    expect((await client('DELETE', `${path}/${id}`)).status).toBe(204);
    const kept = await platform.db.prisma.idempotencyKey.findMany();
    expect(JSON.stringify(kept.map(({ body, headers }) => [body, headers]))).not.toContain(id);
    expect((await post()).status).toBe(404);
    expect((await client('POST', path, { json, headers: { 'idempotency-key': `l${path}` } })).status).toBe(201);
  });

  it('stays stored when another record is deleted', async () => {
    const json = { name: 'Stays', description: 'd', instructions: 'i' };
    const post = () => client('POST', '/api/v1/skills', { json, headers: { 'idempotency-key': 'stays' } });
    const first = await post();
    const other = await client('POST', '/api/v1/skills', { json: { ...json, name: 'Goes' } });
    await client('DELETE', `/api/v1/skills/${(other.body as { id: string }).id}`);
    expect((await post()).body).toEqual(first.body);
  });

  it('is deleted by a database trigger, which exists on each table whose records such a POST can create', async () => {
    const tables = await platform.db.prisma.$queryRaw<{ name: string }[]>`
      SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'forget_answers' ORDER BY 1`;
    const kinds = await platform.db.prisma.$queryRaw<
      { name: string }[]
    >`SELECT DISTINCT kind AS name FROM record_counts`;
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...kinds.map(({ name }) => name), 'contexts', 'conversations', 'files', 'responses']),
    );
  });
});
