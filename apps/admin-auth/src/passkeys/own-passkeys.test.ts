import { newId } from '@millwright/db';
import {
  createPasskey,
  createTestDatabase,
  messageOf,
  type ClientAnswer,
  type HttpClient,
  type TestDatabase,
  type TestPasskey,
} from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, bodyOf, browser, enrol, enrolledUser, signInWith } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
});

afterAll(async () => {
  await site.close();
  await database.drop();
});

interface Listed {
  items: { id: string; name: string; last_used_at: string | null; device_type: string; backed_up: boolean }[];
  signals: { signalName: string; allAcceptedCredentialIDs: string[] }[];
}
const list = async (client: HttpClient) => bodyOf(await client('GET', '/admin/api/passkeys')) as Listed;

/** Signs a user in with the first of two passkeys. */
async function withTwo(email: string) {
  const { user, passkey: first } = await enrolledUser(site, email);
  const second = createPasskey(site.url);
  const { next } = browser(site.url);
  await signInWith(next, site.url, first);
  const added = bodyOf(await enrol(next, second), 201) as Listed;
  return { user, first, second, client: next(), added };
}
/** Adds rows of passkeys to an account; with `removedAt`, they are removed passkeys. */
async function addPasskeys(user_id: string, count: number, removedAt?: (n: number) => Date): Promise<void> {
  const rows = Array.from({ length: count }, (_value, n) => ({
    ...{ id: newId(), user_id, credential_id: newId(), public_key: new Uint8Array(1), device_type: 'singleDevice' },
    ...{ backed_up: false, aaguid: newId(), name: removedAt ? `Removed ${n}` : 'Added' },
    ...(removedAt && { removed_at: removedAt(n) }),
  }));
  await site.db.prisma.passkey.createMany({ data: rows });
}
/** Begins the enrolment of a further passkey of the signed-in user. The returned function sends the new passkey. */
async function startEnrolment(client: HttpClient): Promise<() => Promise<ClientAnswer>> {
  const started = bodyOf(await client('POST', '/admin/api/passkey/register/start', { json: {} }));
  const { ceremony, options } = started as { ceremony: string; options: Parameters<TestPasskey['create']>[0] };
  const response = createPasskey(site.url).create(options);
  return () => client('POST', '/admin/api/passkey/register/finish', { json: { ceremony, response } });
}
const auditRowsOf = async (userId: string) =>
  (await site.db.prisma.governanceDecision.findMany({ where: { user_id: userId }, orderBy: { id: 'asc' } })).map(
    ({ action }) => action,
  );

describe('own passkeys', () => {
  it('are listed together with WebAuthn signals for the browser; a request that adds a passkey returns the same signals', async () => {
    const { user, client, first, second, added } = await withTwo('list@example.com');
    const notices = await site.db.prisma.accountNotice.findMany({ where: { user_id: user.id } });
    expect(notices).toMatchObject([{ kind: 'passkey_added', email: 'list@example.com' }]); // adding the first passkey causes no message
    const { items, signals } = await list(client);
    expect(items).toMatchObject([
      { name: 'Test', device_type: 'singleDevice', backed_up: false, last_used_at: expect.any(String) as string },
      { name: 'Test', last_used_at: null },
    ]);
    expect(signals).toMatchObject([{ signalName: 'allAcceptedCredentials', rpID: 'localhost' }]);
    expect(signals[0]?.allAcceptedCredentialIDs).toEqual([first.id, second.id]);
    expect(added.signals).toEqual(signals);
  });

  it('are limited to 20; the refusal of a further passkey states that the user must remove one first', async () => {
    const { user, client } = await withTwo('many@example.com');
    await addPasskeys(user.id, 17);
    const begun = await Promise.all([startEnrolment(client), startEnrolment(client)]);
    const statuses = await Promise.all(begun.map((finish) => finish()));
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await list(client)).items).toHaveLength(20);
    const reason = 'user: has 20 passkeys, the most an account can have; remove one first.';
    const further = await client('POST', '/admin/api/passkey/register/start', { json: {} });
    for (const refused of [further, ...statuses.filter(({ status }) => status === 409)]) {
      expect(refused.status).toBe(409);
      expect(messageOf(refused)).toContain(reason);
    }
    const oldest = (await list(client)).items.find(({ name }) => name === 'Added');
    expect((await client('DELETE', `/admin/api/passkeys/${oldest?.id ?? ''}`)).status).toBe(204);
    expect((await (await startEnrolment(client))()).status).toBe(201);
  });

  it('stay in the database after their removal, so that browsers can be notified; only the last 20 are stored', async () => {
    const { user, client } = await withTwo('removed@example.com');
    await addPasskeys(user.id, 25, (n) => new Date(Date.now() - n * 60_000));
    expect((await (await startEnrolment(client))()).status).toBe(201);
    const where = { user_id: user.id, removed_at: { not: null } };
    const kept = await site.db.prisma.passkey.findMany({ where, orderBy: { removed_at: 'desc' } });
    expect(kept.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_value, n) => `Removed ${n}`));
    expect((await list(client)).items).toHaveLength(3);
  });

  it('can be renamed', async () => {
    const { client, user } = await withTwo('rename@example.com');
    const id = (await list(client)).items[1]?.id ?? '';
    const renamed = await client('PATCH', `/admin/api/passkeys/${id}`, { json: { name: ' Key ring ' } });
    expect(bodyOf(renamed)).toMatchObject({ id, name: 'Key ring' });
    expect((await list(client)).items.map(({ name }) => name)).toEqual(['Test', 'Key ring']);
    expect(await auditRowsOf(user.id)).toContain('passkey.rename');
    for (const name of ['', ' ', 'x'.repeat(101)])
      expect((await client('PATCH', `/admin/api/passkeys/${id}`, { json: { name } })).status).toBe(422);
  });

  it('can be removed, except the last passkey, which even two concurrent requests cannot remove', async () => {
    const { client, user } = await withTwo('remove@example.com');
    const ids = (await list(client)).items.map(({ id }) => id);
    const remove = (id = '') => client('DELETE', `/admin/api/passkeys/${id}`);
    const answers = await Promise.all(ids.map(remove));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const [left] = (await list(client)).items;
    expect((await remove(left?.id)).body).toMatchObject({ error: { code: 'conflict' } });
    expect((await list(client)).signals[0]?.allAcceptedCredentialIDs).toHaveLength(1);
    expect((await auditRowsOf(user.id)).filter((action) => action === 'passkey.remove')).toHaveLength(1);
  });

  it("cannot be renamed or removed by the id of a removed or unknown passkey or of another user's passkey: the answer is 404", async () => {
    const [mine, theirs] = [await withTwo('mine@example.com'), await withTwo('theirs@example.com')];
    const foreign = (await list(theirs.client)).items[0]?.id ?? '';
    const removed = (await list(mine.client)).items[1]?.id ?? '';
    expect((await mine.client('DELETE', `/admin/api/passkeys/${removed}`)).status).toBe(204);
    for (const id of [foreign, removed, 'pk_x', 'x', `pk_${'0'.repeat(22)}`]) {
      expect((await mine.client('DELETE', `/admin/api/passkeys/${id}`)).status).toBe(404);
      expect((await mine.client('PATCH', `/admin/api/passkeys/${id}`, { json: { name: 'x' } })).status).toBe(404);
    }
    expect((await list(theirs.client)).items).toHaveLength(2);
  });
});

describe('signing in with a passkey that was removed', () => {
  async function removedPasskey(email: string): Promise<TestPasskey> {
    const { second } = await withTwo(email);
    await site.db.prisma.passkey.update({ where: { credential_id: second.id }, data: { removed_at: new Date() } });
    return second;
  }
  const attempt = async (passkey: TestPasskey, lies?: Parameters<TestPasskey['get']>[1]) =>
    (await (await beginSignIn(browser(site.url).next, site.url)).finish(passkey, lies)).body;

  it('is refused with passkey_removed when the proof is valid, and the attempt is recorded', async () => {
    const passkey = await removedPasskey('gone@example.com');
    expect(await attempt(passkey)).toMatchObject({ error: { code: 'passkey_removed', status: 401 } });
    const where = { user: { email: 'gone@example.com' }, decision: 'deny' };
    expect(await site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([{ reason: 'passkey removed' }]);
  });

  it('is answered like a sign-in with an unknown passkey when the proof is invalid', async () => {
    const passkey = await removedPasskey('hidden@example.com');
    const unknown = await attempt(createPasskey(site.url));
    expect(unknown).toMatchObject({ error: { code: 'unauthorized' } });
    expect(await attempt(createPasskey(site.url), { id: passkey.id })).toEqual(unknown);
    expect(await attempt(passkey, { origin: 'https://evil.example' })).toEqual(unknown);
  });
});

describe('PATCH /admin/api/me', () => {
  it("changes the user's name, and returns the WebAuthn signals for the browser", async () => {
    const { client, user } = await withTwo('me@example.com');
    const me = bodyOf(await client('PATCH', '/admin/api/me', { json: { name: ' Ada Lovelace ' } }));
    expect(me).toMatchObject({
      username: 'Ada Lovelace',
      email: 'me@example.com',
      signals: [{ signalName: 'currentUserDetails', userName: 'me@example.com', userDisplayName: 'Ada Lovelace' }],
    });
    expect(bodyOf(await client('GET', '/admin/api/me'))).toMatchObject({ username: 'Ada Lovelace' });
    expect(await auditRowsOf(user.id)).toContain('user.rename');
    expect(await site.db.prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ version: 2 });
  });

  it.each([{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(201) }, { name: 1 }, { name: 'x', role: 'admin' }])(
    'refuses %j, and the error names the field',
    async (json) => {
      const { client } = await site.signIn(
        await site.addUser({ email: `refused${JSON.stringify(json).length}@example.com` }),
      );
      expect((await client('PATCH', '/admin/api/me', { json })).body).toMatchObject({
        error: { code: 'validation_error', message: expect.stringMatching(/name|role/) as string },
      });
    },
  );
});
