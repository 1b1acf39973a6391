import { createApiKeyVerifier, SCOPES } from '@millwright/auth';
import { KEY_SCOPES } from '@millwright/auth/key-scopes';
import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { bodyOf } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;
let verify: ReturnType<typeof createApiKeyVerifier>;
let ann: { id: string; client: HttpClient };
let root: { id: string; client: HttpClient };

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  verify = createApiKeyVerifier(site.db);
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
  id: string;
  key: string;
  prefix: string;
  expires_at: string | null;
}
const create = (client: HttpClient, json: object) => client('POST', '/admin/api/keys', { json });
const made = async (client: HttpClient, json: object = {}) =>
  bodyOf(await create(client, { name: 'k', ...json }), 201) as Issued;
const list = async (client: HttpClient) =>
  (bodyOf(await client('GET', '/admin/api/keys')) as { items: Record<string, unknown>[] }).items;
const rotate = (client: HttpClient, id: string, json: object = {}) =>
  client('POST', `/admin/api/keys/${id}/rotate`, { json });

describe('POST /admin/api/keys', () => {
  it('answers 409 with the remedy when the account has 20 live keys, and writes no audit row', async () => {
    const full = await site.addUser({ email: 'full@example.com' });
    const { client } = await site.signIn(full);
    for (let n = 0; n < 20; n += 1) await made(client);
    const refused = await create(client, { name: 'one more' });
    expect([refused.status, (refused.body as { error: { message: string } }).error.message]).toEqual([
      409,
      'The request conflicts with the current state: user: has 20 API keys, the most an account can have; revoke one first.',
    ]);
    const where = { user_id: full.id, action: 'api_key.create' };
    expect(await site.db.prisma.governanceDecision.count({ where })).toBe(20);
  });

  it("creates a key in the owner's project with every scope that the owner may grant, and shows the key only once", async () => {
    const { key, ...item } = await made(ann.client, { name: ' CI ' });
    expect(item).toMatchObject({
      kind: 'api_key',
      name: 'CI',
      scopes: ['*'],
      plan: 'standard',
      project: 'Commerce',
      expires_at: expect.any(String) as string,
      last_used_at: null,
      revoked_at: null,
      successor_id: null,
    });
    expect(key.startsWith(`${item.prefix}_`)).toBe(true);
    expect(await verify(key)).toMatchObject({ project: 'Commerce', user: { id: ann.id } });
    // `last_used_at` is stored after the response is sent, so poll for it.
    let listed = await list(ann.client);
    while (listed.some(({ last_used_at }) => last_used_at === null)) listed = await list(ann.client);
    expect(listed).toContainEqual({ ...item, last_used_at: expect.anything() as unknown });
    expect(JSON.stringify(await list(ann.client))).not.toContain(key);
  });

  it('creates a personal access token when the kind is pat; the token is not accepted as an API key', async () => {
    const { key } = await made(ann.client, { kind: 'pat' });
    expect(key).toMatch(/^mw_pat_\w{12}_\w{49}$/);
    expect(await verify(key)).toBeUndefined();
  });

  it('creates a key that expires after the requested number of days, by default after 90 days, or never', async () => {
    const days = async (json: object) => {
      const { expires_at } = await made(ann.client, json);
      return expires_at === null ? null : (Date.parse(expires_at) - Date.now()) / 86_400_000;
    };
    expect(await days({ expires_in_days: 30 })).toBeCloseTo(30, 2);
    expect(await days({})).toBeCloseTo(90, 2);
    expect(await days({ kind: 'pat' })).toBeCloseTo(90, 2);
    expect(await days({ expires_in_days: null })).toBeNull();
  });

  it('lets an admin choose the project, the plan and any scopes', async () => {
    const wanted = { project: 'Commerce', plan: 'professional', scopes: ['users:write', 'admin'] };
    expect(await made(root.client, wanted)).toMatchObject(wanted);
  });

  it.each<[string, object, string]>([
    ['another project', { project: 'Core' }, 'project'],
    ['the plan professional', { plan: 'professional' }, 'plan'],
    ['a scope of admins', { scopes: ['users:read'] }, 'scopes'],
    ['the scope admin', { scopes: ['skills:read', 'admin'] }, 'scopes'],
    ['an unknown scope', { scopes: ['skills:all'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a blank name', { name: ' ' }, 'name'],
    ['no name', { name: undefined }, 'name'],
    ['too long a name', { name: 'x'.repeat(201) }, 'name'],
    ['an unknown kind', { kind: 'root' }, 'kind'],
    ['no days', { expires_in_days: 0 }, 'expires_in_days'],
    ['more than ten years', { expires_in_days: 3_651 }, 'expires_in_days'],
    ['an unknown field', { user_id: 'usr_x' }, 'user_id'],
  ])('refuses a user %s, and creates nothing', async (_case, json, field) => {
    const before = await site.db.prisma.userApiKey.count();
    const { status, body } = await create(ann.client, { name: 'k', ...json });
    expect([status, body]).toMatchObject([422, { error: { message: expect.stringContaining(field) as string } }]);
    expect(await site.db.prisma.userApiKey.count()).toBe(before);
  });

  it('stores no answer under an Idempotency-Key, because the answer contains the API key, which is shown only once', async () => {
    const twice = () =>
      ann.client('POST', '/admin/api/keys', { json: { name: 'idem' }, headers: { 'idempotency-key': 'same' } });
    const [one, two] = [bodyOf(await twice(), 201) as Issued, bodyOf(await twice(), 201) as Issued];
    expect(one.key).not.toBe(two.key);
    expect(await site.db.prisma.idempotencyKey.count()).toBe(0);
  });
});

describe('POST /admin/api/keys/{key_id}/rotate', () => {
  it('creates a successor; the old key stays valid for a day, or for the requested overlap', async () => {
    const old = await made(ann.client);
    const successor = bodyOf(await rotate(ann.client, old.id), 201) as Issued;
    expect((await verify(old.key))?.credential.id).toBe(old.id);
    expect((await verify(successor.key))?.credential.id).toBe(successor.id);
    const row = (await list(ann.client)).find(({ id }) => id === old.id);
    expect(row).toMatchObject({ successor_id: successor.id });
    expect((Date.parse(String(row?.['expires_at'])) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    bodyOf(await rotate(ann.client, successor.id, { overlap_hours: 0 }), 201);
    expect(await verify(successor.key)).toBeUndefined();
    expect((await rotate(ann.client, successor.id)).status).toBe(409);
  });

  it('creates a successor that expires after the requested number of days, by default after 90 days, or never', async () => {
    const days = async (json: object) => {
      const { id } = await made(ann.client, { expires_in_days: 5 });
      const { expires_at } = bodyOf(await rotate(ann.client, id, json), 201) as Issued;
      return expires_at === null ? null : (Date.parse(expires_at) - Date.now()) / 86_400_000;
    };
    expect(await days({})).toBeCloseTo(90, 2);
    expect(await days({ expires_in_days: 10 })).toBeCloseTo(10, 2);
    expect(await days({ expires_in_days: null })).toBeNull();
    const { id } = await made(ann.client);
    expect((await rotate(ann.client, id, { expires_in_days: 3_651 })).status).toBe(422);
  });

  it.each([-1, 721, 1.5, '24', null])('refuses an overlap of %j hours', async (overlap_hours) => {
    const { id } = await made(ann.client);
    expect((await rotate(ann.client, id, { overlap_hours })).status).toBe(422);
  });
});

describe('DELETE /admin/api/keys/{key_id}', () => {
  it('makes the key invalid at once; a second DELETE is answered with 204 too', async () => {
    const { id, key } = await made(ann.client);
    for (let n = 0; n < 2; n++) expect((await ann.client('DELETE', `/admin/api/keys/${id}`)).status).toBe(204);
    expect(await verify(key)).toBeUndefined();
    const auditRows = await site.db.prisma.governanceDecision.findMany({
      // Reads only rows of allowed actions: the row about the refused use of the revoked key may be written after this query.
      where: { resource: id, decision: 'allow' },
      orderBy: { id: 'asc' },
    });
    expect(auditRows.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['api_key.create', ann.id],
      ['api_key.revoke', ann.id],
    ]);
  });
});

describe('a key of another user', () => {
  it('is answered with the same 404 as an unknown key, even when an admin sends the request', async () => {
    const { id, key } = await made(ann.client);
    const answers = [];
    for (const other of [id, 'key_x', `key_${'0'.repeat(22)}`]) {
      answers.push(await rotate(root.client, other), await root.client('DELETE', `/admin/api/keys/${other}`));
    }
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await verify(key)).toBeDefined();
    expect((await list(root.client)).map((item) => item['id'])).not.toContain(id);
  });
});

describe('GET /admin/api/scopes', () => {
  it('lists the scopes that the caller may grant', async () => {
    const scopes = async (client: HttpClient) =>
      (bodyOf(await client('GET', '/admin/api/scopes')) as { items: { scope: string }[] }).items.map(
        ({ scope }) => scope,
      );
    expect(await scopes(root.client)).toEqual(['*', ...SCOPES, ...KEY_SCOPES]);
    const ofUser = await scopes(ann.client);
    expect(ofUser).toHaveLength(SCOPES.length - 3 + KEY_SCOPES.length);
    bodyOf(await create(ann.client, { name: 'all', scopes: ofUser }), 201);
  });
});

it.each([
  ['GET', '/admin/api/scopes'],
  ['GET', '/admin/api/keys'],
  ['POST', '/admin/api/keys'],
  ['POST', '/admin/api/keys/x/rotate'],
  ['DELETE', '/admin/api/keys/x'],
  ['GET', '/admin/api/clients'],
  ['POST', '/admin/api/clients'],
  ['PATCH', '/admin/api/clients/x'],
  ['POST', '/admin/api/clients/x/rotate'],
  ['DELETE', '/admin/api/clients/x'],
  ['GET', '/admin/api/passkeys'],
  ['PATCH', '/admin/api/passkeys/x'],
  ['DELETE', '/admin/api/passkeys/x'],
  ['PATCH', '/admin/api/me'],
  ['POST', '/admin/api/sessions/revoke-others'],
])('%s %s requires a session, and refuses a change from another origin', async (method, path) => {
  expect((await createHttpClient(site.url)(method, path)).status).toBe(401);
  const foreign = await ann.client(method, path, { headers: { origin: 'https://evil.example' } });
  if (method !== 'GET') expect(foreign.status).toBe(403);
});
