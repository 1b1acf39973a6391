import { clientSecretMatches } from '@millwright/auth';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { bodyOf } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;
let ann: { id: string; client: HttpClient };
let root: { id: string; client: HttpClient };

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  const [user, admin] = await Promise.all([
    site.addUser({ email: 'ann@example.com', project: 'Commerce' }),
    site.addUser({ email: 'root@example.com', role: 'admin' }),
  ]);
  ann = { id: user.id, client: (await site.signIn(user)).client };
  root = { id: admin.id, client: (await site.signIn(admin)).client };
});

afterAll(async () => {
  await site.close();
  await database.drop();
});

interface Issued {
  client_id: string;
  client_secret: string;
}
const URIS = ['https://app.example.com/callback'];
const create = (client: HttpClient, json: object) =>
  client('POST', '/admin/api/clients', { json: { name: 'app', redirect_uris: URIS, ...json } });
const made = async (client: HttpClient, json: object = {}) => bodyOf(await create(client, json), 201) as Issued;
const list = async (client: HttpClient) =>
  (bodyOf(await client('GET', '/admin/api/clients')) as { items: Record<string, unknown>[] }).items;
const works = async ({ client_id, client_secret }: Issued) =>
  clientSecretMatches(client_secret, await site.db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id } }));

describe('own OAuth clients', () => {
  it('are created with a secret that is shown once, and listed without it', async () => {
    const issued = await made(ann.client, { scopes: ['agents:read'] });
    const { client_secret, ...item } = issued;
    expect(item).toMatchObject({
      name: 'app',
      redirect_uris: URIS,
      scopes: ['agents:read'],
      project: 'Commerce',
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    });
    expect(await works(issued)).toBe(true);
    expect(await list(ann.client)).toContainEqual(item);
    expect(JSON.stringify(await list(ann.client))).not.toContain(client_secret);
  });

  it('may belong to either project and have any scope when an admin creates them', async () => {
    const wanted = { project: 'Commerce', scopes: ['admin', 'users:read'] };
    expect(await made(root.client, wanted)).toMatchObject(wanted);
  });

  it.each<[string, object, string]>([
    ['another project', { project: 'Core' }, 'project'],
    ['a scope of admins', { scopes: ['users:write'] }, 'scopes'],
    ['an unknown scope', { scopes: ['all'] }, 'scopes'],
    ['a plan', { plan: 'professional' }, 'plan'],
    ['a redirect URI without TLS', { redirect_uris: ['http://app.example.com/'] }, 'redirect_uris'],
    ['a redirect URI with a fragment', { redirect_uris: ['https://app.example.com/#x'] }, 'redirect_uris'],
    ['redirect URIs that are not a list', { redirect_uris: 'https://app.example.com/' }, 'redirect_uris'],
    ['no redirect URIs at all', { redirect_uris: undefined }, 'redirect_uris'],
    ['an invalid entry in the list of tools', { mcp_tools: ['sums'] }, 'mcp_tools'],
    ['too many tools', { mcp_tools: Array.from({ length: 201 }, (_, n) => `sums/${n}`) }, 'mcp_tools'],
    ['a blank name', { name: ' ' }, 'name'],
  ])('are refused to a user with %s', async (_case, json, field) => {
    const { status, body } = await create(ann.client, json);
    expect([status, body]).toMatchObject([422, { error: { message: expect.stringContaining(field) as string } }]);
  });

  it('can get another name and other redirect URIs', async () => {
    const { client_id } = await made(ann.client);
    const change = (json: object) => ann.client('PATCH', `/admin/api/clients/${client_id}`, { json });
    expect(bodyOf(await change({ name: 'new' }))).toMatchObject({ client_id, name: 'new', redirect_uris: URIS });
    expect(bodyOf(await change({ redirect_uris: [] }))).toMatchObject({ name: 'new', redirect_uris: [] });
    expect((await change({ redirect_uris: ['javascript:alert(1)'] })).status).toBe(422);
    expect((await change({ scopes: ['admin'] })).status).toBe(422);
  });

  it('may use all MCP tools, or only the tools on their list', async () => {
    const { client_id } = await made(ann.client);
    expect((await list(ann.client)).find((item) => item['client_id'] === client_id)?.['mcp_tools']).toEqual(['*']);
    const mcp_tools = ['sums/add', 'platform/*'];
    const change = (json: object) => ann.client('PATCH', `/admin/api/clients/${client_id}`, { json });
    expect(bodyOf(await change({ mcp_tools }))).toMatchObject({ mcp_tools });
    expect(bodyOf(await change({ name: 'other' }))).toMatchObject({ mcp_tools });
    expect((await change({ mcp_tools: ['*/add'] })).status).toBe(422);
    expect(await made(ann.client, { mcp_tools })).toMatchObject({ mcp_tools });
  });

  it('get a new secret by rotation; the old secret is valid until the overlap ends', async () => {
    const first = await made(ann.client);
    const rotate = async (json: object) =>
      bodyOf(await ann.client('POST', `/admin/api/clients/${first.client_id}/rotate`, { json })) as Issued;
    const second = await rotate({});
    expect([await works(first), await works(second)]).toEqual([true, true]);
    const third = await rotate({ overlap_hours: 0 });
    expect([await works(first), await works(second), await works(third)]).toEqual([false, false, true]);
  });

  it('lose their grants when they are revoked, and cannot be changed afterwards', async () => {
    const { client_id } = await made(ann.client);
    const path = `/admin/api/clients/${client_id}`;
    for (let n = 0; n < 2; n++) expect((await ann.client('DELETE', path)).status).toBe(204);
    expect((await list(ann.client)).find((item) => item['client_id'] === client_id)?.['revoked_at']).not.toBeNull();
    expect((await ann.client('PATCH', path, { json: { name: 'x' } })).status).toBe(409);
    expect((await ann.client('POST', `${path}/rotate`, { json: {} })).status).toBe(409);
  });

  it('are not found (404) by other users, even admins', async () => {
    const issued = await made(ann.client);
    const path = `/admin/api/clients/${issued.client_id}`;
    const answers = await Promise.all([
      root.client('PATCH', path, { json: { name: 'x' } }),
      root.client('POST', `${path}/rotate`, { json: {} }),
      root.client('DELETE', path),
      root.client('DELETE', '/admin/api/clients/mw_client_x'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await works(issued)).toBe(true);
    expect((await list(root.client)).map((item) => item['client_id'])).not.toContain(issued.client_id);
  });

  it('are audited: each change writes an audit row, which does not contain the secret', async () => {
    const { client_id, client_secret } = await made(ann.client);
    const path = `/admin/api/clients/${client_id}`;
    const { client_secret: next } = bodyOf(await ann.client('POST', `${path}/rotate`, { json: {} })) as Issued;
    bodyOf(await ann.client('PATCH', path, { json: { name: 'x' } }));
    await ann.client('DELETE', path);
    const auditRows = await site.db.prisma.governanceDecision.findMany({
      where: { user_id: ann.id },
      orderBy: { id: 'desc' },
    });
    expect(auditRows.slice(0, 4).map(({ action }) => action)).toEqual([
      'oauth_client.revoke',
      'oauth_client.update',
      'oauth_client.rotate',
      'oauth_client.create',
    ]);
    for (const secret of [client_secret, next])
      expect(
        JSON.stringify(auditRows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).not.toContain(secret.slice('mw_secret_'.length));
  });
});
