import { randomBytes } from 'node:crypto';
import { issueOAuthClient, updateOAuthClient } from '@millwright/accounts';
import { hashSecret } from '@millwright/auth';
import { asRole, createDatabase, decodeId, newId } from '@millwright/db';
import type { ConsentData } from '@millwright/pages';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { bodyOf } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;
let ann: { id: string; client: HttpClient };
let bob: HttpClient;
let root: { id: string; client: HttpClient; sessionId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  const [maker, other, admin] = await Promise.all([
    site.addUser({ email: 'ann@example.com', name: 'Ann' }),
    site.addUser({ email: 'bob@example.com' }),
    site.addUser({ email: 'root@example.com', name: 'Root', role: 'admin' }),
  ]);
  ann = { id: maker.id, client: (await site.signIn(maker)).client };
  bob = (await site.signIn(other)).client;
  root = { id: admin.id, ...(await site.signIn(admin)) };
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const actor = () => ({ userId: ann.id, kind: 'user', label: 'Ann' }) as const;

async function newClient(name: string, userId = ann.id): Promise<string> {
  const input = { userId, name, redirectUris: ['https://app.example/cb'], scopes: ['*'], project: 'Core' as const };
  return (await site.db.transaction((tx) => issueOAuthClient(tx, input, actor()))).id;
}

/** Returns the data of the consent page that the user gets for a new authorization request. */
async function consentOf(id: string, user: HttpClient): Promise<ConsentData> {
  const request = randomBytes(32).toString('hex');
  const hash = () => new Uint8Array(hashSecret(randomBytes(32).toString('hex')));
  await site.db.prisma.oAuthAuthorization.create({
    data: {
      id: newId(),
      request_hash: new Uint8Array(hashSecret(request)),
      browser_hash: hash(),
      client_id: decodeId('cli', id) ?? '',
      redirect_uri: 'https://app.example/cb',
      scopes: ['agents:read'],
      expires_at: new Date(Date.now() + 600_000),
    },
  });
  return pageIn((await user('GET', `/admin/consent?request=${request}`)).text).data as ConsentData;
}

const approve = (id: string, client = root.client) => client('POST', `/admin/api/applications/${id}/approve`);
const list = async (query: string) =>
  (
    bodyOf(await root.client('GET', `/admin/api/applications?${query}`)) as { items: Record<string, unknown>[] }
  ).items.map(({ name }) => name);
const rowOf = (id: string) =>
  site.db.prisma.oAuthClient.findUniqueOrThrow({ where: { id: decodeId('cli', id) ?? '' } });

describe('the approval of an OAuth client', () => {
  it('removes the warning that other users see on the consent page, and is audited', async () => {
    const id = await newClient('Notebook');
    expect(await consentOf(id, bob)).toMatchObject({ isUnverified: true, isApproved: false, madeBy: { name: 'Ann' } });
    expect(await consentOf(id, ann.client)).toMatchObject({ isUnverified: false, isApproved: false });
    for (let n = 0; n < 2; n++) expect((await approve(id)).status).toBe(204);
    expect(await consentOf(id, bob)).toMatchObject({ isUnverified: false, isApproved: true, madeBy: { name: 'Ann' } });
    const rows = await site.db.prisma.governanceDecision.findMany({
      where: { resource: id, action: 'oauth_client.approve' },
    });
    expect(rows).toMatchObject([{ user_id: root.id, decision: 'allow', detail: { name: 'Notebook' } }]);
  });

  it('requires an admin with a recent passkey proof', async () => {
    const id = await newClient('Waiting');
    expect((await approve(id, ann.client)).status).toBe(403);
    await site.db.prisma.userSession.update({
      where: { id: root.sessionId },
      data: { proven_at: new Date(Date.now() - 3_600_000) },
    });
    expect((await approve(id)).body).toMatchObject({ error: { code: 'step_up_required' } });
    await site.db.prisma.userSession.update({ where: { id: root.sessionId }, data: { proven_at: new Date() } });
    expect((await rowOf(id)).approved_at).toBeNull();
    expect((await approve('cli_x')).status).toBe(404);
  });

  it.each<[string, object]>([
    ['name', { name: 'Other' }],
    ['redirect URIs', { redirectUris: ['https://other.example/cb'] }],
  ])('is withdrawn when the %s of the client changes', async (_title, changes) => {
    const id = await newClient('Changing');
    await approve(id);
    await site.db.transaction((tx) => updateOAuthClient(tx, id, { name: 'Changing' }, actor()));
    expect((await rowOf(id)).approved_at).not.toBeNull();
    await site.db.transaction((tx) => updateOAuthClient(tx, id, changes, actor()));
    expect(await rowOf(id)).toMatchObject({ approved_at: null, approved_by: null });
    const last = await site.db.prisma.governanceDecision.findFirst({
      where: { resource: id, action: 'oauth_client.update' },
      orderBy: { id: 'desc' },
    });
    expect(last?.detail).toMatchObject({ approval_ended: true });
  });

  it("ends when any SQL statement changes the client's scopes, and cannot be set by the runtime API's database role", async () => {
    const id = await newClient('Guarded');
    const where = { id: decodeId('cli', id) ?? '' };
    await site.db.prisma.oAuthClient.update({ where, data: { scopes: ['agents:write'] } });
    await approve(id);
    const runtime = createDatabase({ url: asRole(database.url, 'runtime-api'), poolMax: 1 });
    await runtime.prisma.oAuthClient.update({ where, data: { scopes: ['agents:read'] } });
    expect((await rowOf(id)).approved_at).toBeNull();
    const data = { approved_at: new Date(), approved_by: root.id };
    await expect(runtime.prisma.oAuthClient.update({ where, data })).rejects.toThrow(
      'approved by who may change roles',
    );
    await runtime.close();
  });

  it('can be withdrawn; a second withdrawal is answered with 204 too', async () => {
    const id = await newClient('Withdrawn');
    await approve(id);
    for (let n = 0; n < 2; n++)
      expect((await root.client('DELETE', `/admin/api/applications/${id}/approval`)).status).toBe(204);
    expect(await consentOf(id, bob)).toMatchObject({ isUnverified: true, isApproved: false });
  });

  it('is refused with 409 for a revoked client', async () => {
    const id = await newClient('Revoked');
    await site.db.prisma.oAuthClient.update({
      where: { id: decodeId('cli', id) ?? '' },
      data: { revoked_at: new Date() },
    });
    expect((await approve(id)).status).toBe(409);
  });
});

describe('GET /admin/api/applications', () => {
  it('lists the clients of all users, filtered by name and by approval', async () => {
    const [one, , ofAdmin] = [
      await newClient('Listed one'),
      await newClient('Listed two'),
      await newClient('Listed by root', root.id),
    ];
    await approve(one);
    expect(await list('search=listed')).toEqual(['Listed by root', 'Listed two', 'Listed one']);
    expect(await list('search=listed&approval=approved')).toEqual(['Listed one']);
    expect(await list('search=listed&approval=unverified')).toEqual(['Listed two']);
    const where = { id: decodeId('cli', ofAdmin) ?? '' };
    await site.db.prisma.oAuthClient.update({ where, data: { made_by_key: true } });
    expect(await list('search=listed&approval=unverified')).toEqual(['Listed by root', 'Listed two']);
    const found = bodyOf(await root.client('GET', '/admin/api/applications?search=listed%20one')) as {
      items: object[];
    };
    expect(found.items).toMatchObject([
      { id: one, owner: { email: 'ann@example.com' }, approved_by: 'Root', redirect_uris: ['https://app.example/cb'] },
    ]);
    await site.db.prisma.oAuthClient.update({
      where: { id: decodeId('cli', ofAdmin) ?? '' },
      data: { revoked_at: new Date() },
    });
    expect(await list('search=listed')).toEqual(['Listed two', 'Listed one']);
    expect((await bob('GET', '/admin/api/applications')).status).toBe(403);
  });
});
