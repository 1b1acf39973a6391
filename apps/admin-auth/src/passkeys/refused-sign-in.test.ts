import { deactivateUser, disableUser, issueApiKey } from '@millwright/accounts';
import { encodeId } from '@millwright/db';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { createPasskeyStore } from './passkeys.store.js';
import { createTestAuthenticator, type TestAuthenticator } from './test-authenticator.js';

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

/** Creates a user with a passkey, a session and an API key. */
async function withPasskey(email: string) {
  const row = await site.addUser({ email });
  const actor = { userId: row.id, kind: 'user', label: row.name } as const;
  const passkeys = createPasskeyStore(site.db);
  const owner = await passkeys.owner(row.id);
  if (!owner) throw new Error('no owner');
  const authenticator = createTestAuthenticator(owner.webauthn_user_id);
  await site.db.transaction((tx) => passkeys.enrol(tx, owner, null, authenticator.passkey, actor));
  await site.signIn(row);
  const key = { userId: row.id, name: 'k', scopes: ['*'], plan: 'standard', project: 'Core' } as const;
  await site.db.transaction((tx) => issueApiKey(tx, key, actor));
  return { ...row, actor, authenticator };
}

/** Signs in with the answer of the passkey. `forge` may change this answer. */
async function signInBy(authenticator: TestAuthenticator, forge = (answer: object): object => answer) {
  const authorization = `?${new URLSearchParams({
    response_type: 'code',
    client_id: 'marketplace-admin',
    redirect_uri: `${site.url}/admin/login`,
    scope: 'user',
    state: 'statestate',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  })}`;
  const started = await createHttpClient(site.url)('POST', '/admin/api/passkey/login/start', {
    json: { authorization },
  });
  const { ceremony, options } = started.body as { ceremony: string; options: { challenge: string } };
  const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return createHttpClient(site.url, { cookie })('POST', '/admin/api/passkey/login/finish', {
    json: { ceremony, response: forge(authenticator.answer(options.challenge, site.url)) },
  });
}

const live = async (user_id: string) => {
  const where = { where: { user_id, revoked_at: null } };
  return [await site.db.prisma.userSession.count(where), await site.db.prisma.userApiKey.count(where)];
};
/** Restores credentials, as an operator's database script might, so that they outlive their account. */
const reviveCredentials = async (user_id: string) => {
  await site.db.prisma.userSession.updateMany({
    where: { user_id },
    data: { revoked_at: null, revoked_reason: null },
  });
  await site.db.prisma.userApiKey.updateMany({ where: { user_id }, data: { revoked_at: null } });
};
const anyone = () => undefined;

describe('a passkey sign-in', () => {
  it('returns a code for an active account', async () => {
    const { authenticator } = await withPasskey('fine@example.com');
    expect(await signInBy(authenticator)).toMatchObject({
      status: 200,
      body: { redirect_to: expect.stringMatching(/\/admin\/login\?.*code=\w{64}/) as string },
    });
  });

  it.each([
    ['disabled', disableUser],
    ['deleted', deactivateUser],
  ])('is refused for a %s account and revokes every remaining credential of the account', async (state, end) => {
    const user = await withPasskey(`${state}@example.com`);
    await site.db.transaction((tx) => end(tx, user.id, user.actor, anyone));
    await reviveCredentials(user.id);
    expect(await live(user.id)).toEqual([1, 1]);
    expect((await signInBy(user.authenticator)).status).toBe(401);
    expect(await live(user.id)).toEqual([0, 0]);
    const auditRows = await site.db.prisma.governanceDecision.findMany({
      where: { resource: encodeId('usr', user.id) },
      orderBy: { id: 'asc' },
    });
    expect(auditRows.slice(-2).map(({ action, decision, reason }) => [action, decision, reason])).toEqual([
      ['user.revoke_credentials', 'allow', null],
      ['session.create', 'deny', 'account disabled'],
    ]);
  });

  it.each([
    ['disabled', true],
    ['active', false],
  ])('revokes nothing when the passkey is wrong and the account is %s', async (state, isDisabled) => {
    const user = await withPasskey(`wrong-${state}@example.com`);
    if (isDisabled) await site.db.transaction((tx) => disableUser(tx, user.id, user.actor, anyone));
    await reviveCredentials(user.id);
    const forged = await signInBy(createTestAuthenticator(new Uint8Array(32)), (answer) => ({
      ...answer,
      id: user.authenticator.passkey.credential.id,
      rawId: user.authenticator.passkey.credential.id,
    }));
    expect(forged.status).toBe(401);
    await site.settled();
    expect(await live(user.id)).toEqual([1, 1]);
    expect(
      await site.db.prisma.governanceDecision.findFirst({ where: { user_id: user.id, decision: 'deny' } }),
    ).toMatchObject({ action: 'session.create' });
  });

  it('is recorded as unauthenticated when the passkey is wrong, at most once a minute for an account', async () => {
    const user = await withPasskey('repeated@example.com');
    const { id } = user.authenticator.passkey.credential;
    const startedAt = Date.now();
    for (let n = 0; n < 8; n++)
      await signInBy(createTestAuthenticator(new Uint8Array(32)), (answer) => ({ ...answer, id, rawId: id }));
    await site.settled();
    const denied = await site.db.prisma.governanceDecision.findMany({ where: { user_id: user.id, decision: 'deny' } });
    const minutes = 2 + Math.floor((Date.now() - startedAt) / 60_000);
    expect([denied.length > 0, denied.length <= minutes]).toEqual([true, true]);
    expect(denied[0]).toMatchObject({ action: 'session.create', detail: { by: 'stranger' } });
  });
});
