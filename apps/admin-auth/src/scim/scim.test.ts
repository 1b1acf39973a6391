import { createHash } from 'node:crypto';
import { encodeId } from '@millwright/db';
import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { scimClient, scimHeaders, scimIssuer, scimOnly, scimToken } from './test-scim.js';

let database: TestDatabase;
let site: TestConsole;
let one: HttpClient;
beforeAll(async () => {
  database = await createTestDatabase();
  const issuers = [
    scimIssuer('one'),
    scimIssuer('two', { linkByVerifiedEmail: true }),
    scimIssuer('ownerless', {
      scim: {
        tokenHashes: [createHash('sha256').update(scimToken('ownerless')).digest()],
        owner: 'nobody@example.com',
      },
    }),
  ];
  site = await startConsole(database.url, { sso: scimOnly(issuers) });
  await site.addUser({ email: 'owner@example.com', role: 'admin' });
  one = clientOf('one');
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const clientOf = (name: string): HttpClient => scimClient(site.url, scimHeaders(name));

const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

interface Resource {
  id: string;
  [name: string]: unknown;
}
let count = 0;
const newEmail = () => `person-${(count += 1)}@example.com`;
const send = (client: HttpClient, method: string, path: string, body?: object) =>
  client(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
async function created(more: object = {}, client = one): Promise<Resource> {
  const { status, body, text } = await send(client, 'POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...{ userName: newEmail(), name: { givenName: 'Ann', familyName: 'Lee' } },
    ...more,
  });
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return body as Resource;
}
const rowOf = async ({ userName }: Resource) =>
  site.db.prisma.user.findUniqueOrThrow({ where: { email: String(userName) } });
const patch = (user: Resource, ...Operations: object[]) =>
  send(one, 'PATCH', `/Users/${user.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations,
  });
const isError = (status: number, scimType?: string) =>
  expect.objectContaining({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
  }) as object;

describe('the token of /scim/v2', () => {
  it.each([
    ['missing', {}],
    ['unknown', { authorization: `Bearer ${'x'.repeat(40)}` }],
    ['of another scheme', { authorization: `Basic ${scimToken('one')}` }],
    ['short', { authorization: 'Bearer x' }],
    ['a hash', { authorization: `Bearer ${createHash('sha256').update(scimToken('one')).digest('hex')}` }],
  ])('is refused when it is %s', async (_case, headers) => {
    for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/nothing']) {
      const { status, body, headers: sent } = await scimClient(site.url, headers)('GET', path);
      expect([path, status, body]).toEqual([path, 401, isError(401)]);
      expect(sent.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it("cannot be replaced by an admin's session", async () => {
    const owner = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'owner@example.com' } });
    const { client } = await site.signIn(owner);
    expect((await client('GET', '/scim/v2/Users')).status).toBe(401);
  });

  it('is refused while the owner of its issuer is not an active admin', async () => {
    const { status, body } = await clientOf('ownerless')('GET', '/Users');
    expect([status, body]).toEqual([403, isError(403)]);
  });
});

describe('/scim/v2/Users', () => {
  it('creates an account; the audit row names the owner of the issuer as actor', async () => {
    const user = await created({ externalId: 'e-1', emails: [{ value: 'ignored@elsewhere.example' }], title: 'x' });
    expect(user).toMatchObject({ displayName: 'Ann Lee', externalId: 'e-1', active: true });
    expect(user['meta']).toMatchObject({ location: `${site.url}/scim/v2/Users/${user.id}` });
    const row = await rowOf(user);
    expect(row).toMatchObject({ role: 'user', platform_admin: false, project: 'Core', self_registered: false });
    const owner = await site.db.prisma.user.findUniqueOrThrow({ where: { email: 'owner@example.com' } });
    expect(
      await site.db.prisma.governanceDecision.findMany({ where: { resource: user.id }, orderBy: { seq: 'asc' } }),
    ).toMatchObject([
      { action: 'user.create', user_id: owner.id, detail: { scim: 'one' } },
      { action: 'scim_user.create', user_id: owner.id, detail: { by: 'new account' } },
    ]);
  });

  it('finds an account by its userName in any case, but not the accounts of another issuer', async () => {
    const user = await created();
    const filter = encodeURIComponent(`userName eq "${String(user['userName']).toUpperCase()}"`);
    expect((await one('GET', `/Users?filter=${filter}`)).body).toMatchObject({ totalResults: 1, Resources: [user] });
    expect((await clientOf('two')('GET', `/Users?filter=${filter}`)).body).toMatchObject({ totalResults: 0 });
  });

  it('lists accounts page by page', async () => {
    for (let n = 0; n < 3; n += 1) await created();
    const { body } = await one('GET', '/Users?startIndex=2&count=2');
    const { Resources, totalResults } = body as { Resources: Resource[]; totalResults: number };
    expect([Resources.length, totalResults > 2]).toEqual([2, true]);
    expect((await one('GET', '/Users?count=0')).body).toMatchObject({ itemsPerPage: 0, totalResults });
    expect((await one('GET', '/Users?startIndex=-1&count=1')).body).toMatchObject({ startIndex: 1 });
  });

  it('answers POST .search like GET with the same parameters', async () => {
    const user = await created();
    const filter = `userName eq "${String(user['userName'])}"`;
    const search = (more: object) => send(one, 'POST', '/Users/.search', { schemas: [SEARCH], filter, ...more });
    const query = new URLSearchParams({ filter, attributes: 'userName,active', count: '5' });
    const found = await search({ attributes: ['userName', 'active'], count: 5 });
    expect(found.body).toEqual((await one('GET', `/Users?${query.toString()}`)).body);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id, active: true }] });
    expect((await search({ filter: 'title eq "a"' })).body).toEqual(isError(400, 'invalidFilter'));
    expect((await search({ startIndex: 'x' })).status).toBe(400);
    const stranger = await send(clientOf('two'), 'POST', '/Users/.search', { filter });
    expect(stranger.body).toMatchObject({ totalResults: 0 });
    const groups = await send(one, 'POST', '/Groups/.search', { filter: 'displayName eq "None"' });
    expect(groups.body).toMatchObject({ totalResults: 0, Resources: [] });
  });

  it.each([
    'userName co "a"',
    'userName eq a',
    'userName eq "a\\u0000"',
    'title eq "a"',
    'userName eq "a" or id eq "b"',
    'userName eq "a" and',
    'userName eq "a" and userName eq "b"',
    'userName eq "a" id eq "b"',
    '',
    `userName eq "${'a'.repeat(2_000)}"`,
  ])('refuses the filter %s', async (filter) => {
    const { status, body } = await one('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body]).toEqual([400, isError(400, 'invalidFilter')]);
  });

  it.each<[string, object[]]>([
    ['a path', [{ op: 'replace', path: 'active', value: false }]],
    ['no path', [{ op: 'replace', value: { active: false } }]],
    ['the value as a text, and capital letters', [{ op: 'Replace', path: 'active', value: 'False' }]],
    [
      'the URN of its schema',
      [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false }],
    ],
  ])(
    'revokes the sessions of a user immediately when a patch deactivates the user; the patch has %s',
    async (_case, operations) => {
      const user = await created();
      const row = await rowOf(user);
      const { client } = await site.signIn(row);
      expect((await client('GET', '/admin/api/me')).status).toBe(200);
      const { status, body } = await patch(user, ...operations);
      expect([status, body]).toEqual([200, expect.objectContaining({ active: false })]);
      expect((await client('GET', '/admin/api/me')).status).toBe(401);
      expect((await patch(user, { op: 'replace', path: 'active', value: true })).body).toMatchObject({ active: true });
      expect((await client('GET', '/admin/api/me')).status).toBe(401);
    },
  );

  it('replaces a user on PUT, and deactivates a user permanently on DELETE', async () => {
    const user = await created();
    const { client } = await site.signIn(await rowOf(user));
    const path = `/Users/${user.id}`;
    const wanted = { userName: user['userName'], displayName: 'Ann M.', externalId: 'e-2' };
    expect((await send(one, 'PUT', path, wanted)).body).toMatchObject({ displayName: 'Ann M.', externalId: 'e-2' });
    expect((await one('DELETE', path)).status).toBe(204);
    expect((await client('GET', '/admin/api/me')).status).toBe(401);
    expect([(await one('GET', path)).status, (await one('DELETE', path)).status]).toEqual([404, 404]);
    expect((await rowOf(user)).deleted_at).not.toBeNull();
  });

  it.each<[string, object, string]>([
    ['no userName', { userName: undefined }, 'invalidValue'],
    ['an address of another domain', { userName: 'a@elsewhere.example' }, 'invalidValue'],
    ['a userName that is not an address', { userName: 'a b@example.com' }, 'invalidValue'],
    ['a value of active that is not a boolean', { active: 'perhaps' }, 'invalidValue'],
    ['a name with a line break', { displayName: 'a\nb' }, 'invalidValue'],
    ['an id with NUL', { externalId: 'a\u0000' }, 'invalidValue'],
  ])('refuses %s, and creates nothing', async (_case, change, scimType) => {
    const before = await site.db.prisma.user.count();
    const { status, body } = await send(one, 'POST', '/Users', { userName: newEmail(), ...change });
    expect([status, body]).toEqual([400, isError(400, scimType)]);
    expect(await site.db.prisma.user.count()).toBe(before);
  });

  it('links an existing account only for an issuer that is allowed to link accounts', async () => {
    const email = newEmail();
    const existing = await site.addUser({ email });
    const refused = await send(one, 'POST', '/Users', { userName: email });
    expect([refused.status, refused.body]).toEqual([409, isError(409, 'uniqueness')]);
    const id = encodeId('usr', existing.id);
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { userName: email, active: false }]] as const)
      expect((await send(one, method, `/Users/${id}`, body)).status).toBe(404);
    expect((await created({ userName: email }, clientOf('two'))).id).toBe(id);
    expect((await send(clientOf('two'), 'POST', '/Users', { userName: email })).status).toBe(409);
  });

  it('revokes the credentials of a self-registered account when a user with its email address is provisioned', async () => {
    const email = newEmail();
    const existing = await site.addUser({ email, selfRegistered: true });
    const { client } = await site.signIn(existing);
    await created({ userName: email }, clientOf('two'));
    expect((await client('GET', '/admin/api/me')).status).toBe(401);
  });

  it('creates an account that nobody can claim by registering its email address', async () => {
    const user = await created();
    const json = { name: 'Eve', email: user['userName'], role: 'user' };
    const { body } = await createHttpClient(site.url)('POST', '/admin/api/register', { json });
    expect(body).toMatchObject({ setup_token: null, setup_url: null });
  });

  it('does not link or change the account of a platform admin', async () => {
    const email = newEmail();
    await site.addUser({ email, role: 'admin', platformAdmin: true });
    expect((await send(clientOf('two'), 'POST', '/Users', { userName: email })).status).toBe(409);
    const user = await created();
    await site.db.prisma.user.update({
      where: { email: String(user['userName']) },
      data: { role: 'admin', platform_admin: true },
    });
    for (const operation of [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'displayName', value: 'x' },
    ])
      expect((await patch(user, operation)).status).toBe(403);
    expect((await one('DELETE', `/Users/${user.id}`)).status).toBe(403);
    expect(await rowOf(user)).toMatchObject({ status: 'active', platform_admin: true });
  });

  it.each(['admin', 'project_admin', 'auditor'] as const)(
    'keeps the email address of an account with the role %s, audits the attempt, and changes the other attributes',
    async (role) => {
      const user = await created();
      const data = role === 'admin' ? { role } : { delegated_role: role };
      const email = String(user['userName']);
      await site.db.prisma.user.update({ where: { email }, data });
      for (const refused of [
        await patch(user, { op: 'replace', path: 'userName', value: newEmail() }),
        await send(one, 'PUT', `/Users/${user.id}`, { userName: newEmail(), displayName: 'Taken over' }),
      ])
        expect([refused.status, refused.body]).toEqual([403, isError(403)]);
      expect(await rowOf(user)).toMatchObject({ email, name: 'Ann Lee' });
      const denied = await site.db.prisma.governanceDecision.findMany({
        where: { resource: user.id, decision: 'deny' },
      });
      expect(denied[0]).toMatchObject({
        action: 'scim.change',
        reason: 'email of an admin or auditor is changed in the console only',
        detail: { scim: 'one' },
      });
      const renamed = await patch(
        user,
        { op: 'replace', path: 'userName', value: email.toUpperCase().replace('EXAMPLE.COM', 'example.com') },
        { op: 'replace', path: 'displayName', value: 'Ann Other' },
      );
      expect([renamed.status, renamed.body]).toEqual([200, expect.objectContaining({ displayName: 'Ann Other' })]);
    },
  );

  it.each<[string, object]>([
    ['no operations', { Operations: [] }],
    ['an unknown operation', { Operations: [{ op: 'move', path: 'active', value: false }] }],
    ['101 operations', { Operations: Array.from({ length: 101 }, () => ({ op: 'add', path: 'title', value: 'x' })) }],
    ['a removal without a path', { Operations: [{ op: 'remove' }] }],
    ['the removal of userName', { Operations: [{ op: 'remove', path: 'userName' }] }],
    ['a list in place of an object', []],
  ])('refuses a patch with %s', async (_case, body) => {
    const user = await created();
    expect((await send(one, 'PATCH', `/Users/${user.id}`, body)).status).toBe(400);
  });

  it('answers a body over 1 MiB with 413 and a body that is not JSON with 400', async () => {
    expect((await send(one, 'POST', '/Users', { userName: 'x'.repeat(1_100_000) })).body).toEqual(isError(413));
    expect((await one('POST', '/Users', { body: '{' })).body).toEqual(isError(400, 'invalidSyntax'));
  });
});

describe('/scim/v2/.search', () => {
  it('lists the users and then the groups page by page, each once', async () => {
    await created();
    await send(one, 'POST', '/Groups', { displayName: 'Searched' });
    const totalOf = async (path: string) => ((await one('GET', path)).body as { totalResults: number }).totalResults;
    const [users, groups] = [await totalOf('/Users?count=0'), await totalOf('/Groups?count=0')];
    const types: string[] = [];
    const ids = new Set<string>();
    for (let startIndex = 1; startIndex <= users + groups; startIndex += 2) {
      const { body } = await send(one, 'POST', '/.search', { startIndex, count: 2, excludedAttributes: ['emails'] });
      const page = body as { totalResults: number; Resources: (Resource & { meta: { resourceType: string } })[] };
      expect(page.totalResults).toBe(users + groups);
      for (const { id, meta } of page.Resources) {
        types.push(meta.resourceType);
        ids.add(id);
      }
    }
    expect(types).toEqual([...Array<string>(users).fill('User'), ...Array<string>(groups).fill('Group')]);
    expect(ids.size).toBe(users + groups);
  });

  it('filters by externalId, and answers 400 to a filter that only users or only groups support', async () => {
    const user = await created({ externalId: 'searched-1' });
    const found = await send(one, 'POST', '/.search', { filter: 'externalId eq "searched-1"' });
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id }] });
    const refused = await send(one, 'POST', '/.search', { filter: 'userName eq "a"' });
    expect(refused.body).toEqual(isError(400, 'invalidFilter'));
  });
});

describe('/scim/v2/Groups', () => {
  const newGroup = async (displayName: string, members: Resource[] = [], client = one) =>
    send(client, 'POST', '/Groups', { displayName, members: members.map(({ id: value }) => ({ value })) });
  const change = (id: string, ...Operations: object[]) => send(one, 'PATCH', `/Groups/${id}`, { Operations });

  it('gives members the mapped rights at once, and removes the rights when a member is removed or the group is renamed', async () => {
    const user = await created();
    const { status, body } = await newGroup('Admins', [user]);
    const { id } = body as Resource;
    expect([status, body]).toEqual([201, expect.objectContaining({ displayName: 'Admins' })]);
    expect(await rowOf(user)).toMatchObject({ role: 'admin', platform_admin: false });
    await change(id, { op: 'remove', path: `members[value eq "${user.id}"]` });
    expect(await rowOf(user)).toMatchObject({ role: 'user' });
    await change(id, { op: 'add', path: 'members', value: [{ value: user.id }] });
    expect(await rowOf(user)).toMatchObject({ role: 'admin' });
    await change(id, { op: 'replace', path: 'displayName', value: 'Former admins' });
    expect(await rowOf(user)).toMatchObject({ role: 'user' });
    await send(one, 'PUT', `/Groups/${id}`, { displayName: 'Shop', members: [{ value: user.id }] });
    expect(await rowOf(user)).toMatchObject({ role: 'user', project: 'Commerce' });
    expect((await one('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await one('GET', `/Groups/${id}`)).status).toBe(404);
  });

  it('removes the rights of the members when a group is deleted', async () => {
    const user = await created();
    const { id } = (await newGroup('Admins', [user])).body as Resource;
    await one('DELETE', `/Groups/${id}`);
    expect(await rowOf(user)).toMatchObject({ role: 'user' });
  });

  it('refuses a group with a taken name, and members that the issuer does not provision', async () => {
    const { body } = await newGroup('Twice');
    expect((await newGroup('Twice')).body).toEqual(isError(409, 'uniqueness'));
    const stranger = await site.addUser({ email: newEmail() });
    const members = [{ id: encodeId('usr', stranger.id) }];
    expect((await newGroup('Strangers', members)).body).toEqual(isError(400, 'invalidValue'));
    const foreign = await created({}, clientOf('two'));
    expect((await newGroup('Foreign', [foreign])).body).toEqual(isError(400, 'invalidValue'));
    expect((await clientOf('two')('GET', `/Groups/${(body as Resource).id}`)).status).toBe(404);
    expect((await one('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Foreign"')}`)).body).toMatchObject({
      totalResults: 0,
    });
  });

  it('gives a member the rights of two groups that are created concurrently', async () => {
    const user = await created();
    const [first, second] = await Promise.all([newGroup('Shop', [user]), newGroup('Others', [user])]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await rowOf(user)).toMatchObject({ project: 'Commerce' });
  });

  it('does not change a platform admin', async () => {
    const user = await created();
    await site.db.prisma.user.update({
      where: { email: String(user['userName']) },
      data: { role: 'admin', platform_admin: true },
    });
    await newGroup('Readers', [user]);
    expect(await rowOf(user)).toMatchObject({ role: 'admin', platform_admin: true });
  });
});

describe('the discovery documents', () => {
  it.each([
    ['/ServiceProviderConfig', { patch: { supported: true }, bulk: { supported: false } }],
    ['/Schemas', { totalResults: 2 }],
    ['/Schemas/urn:ietf:params:scim:schemas:core:2.0:User', { name: 'User' }],
    ['/ResourceTypes', { totalResults: 2 }],
    ['/ResourceTypes/Group', { endpoint: '/Groups' }],
  ])('are returned: %s', async (path, body) => {
    const answer = await one('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject(body);
    expect(answer.headers.get('content-type')).toMatch('application/scim+json');
  });

  it.each(['/Schemas/x', '/ResourceTypes/x', '/Bulk', '/Me', '/Users/x', '/Groups/x', '/'])(
    'answer an unknown path with 404 in the form of SCIM: %s',
    async (path) => {
      const { status, body } = await one('GET', path);
      expect([status, body]).toEqual([404, isError(404)]);
    },
  );
});
