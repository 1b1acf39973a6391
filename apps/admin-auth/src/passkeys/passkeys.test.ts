import { issueSetupToken } from '@millwright/accounts';
import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { enrolledUser } from '../test-sign-in.js';
import { createCeremonyStore } from './ceremonies.store.js';
import { createPasskeyStore, type NewPasskey } from './passkeys.store.js';

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

const newPasskey = (id: string): NewPasskey => ({
  credential: { id, publicKey: new Uint8Array(77), counter: 0, transports: ['internal'] },
  deviceType: 'singleDevice',
  backedUp: false,
  aaguid: '00000000-0000-0000-0000-000000000000',
  name: id,
});

async function userWithToken(email: string) {
  const user = await site.addUser({ email });
  const actor = { userId: user.id, kind: 'user', label: user.name } as const;
  const { token } = await site.db.transaction((tx) => issueSetupToken(tx, email, actor));
  return { user, actor, token };
}

describe('a setup token', () => {
  it('is accepted in one of 100 attempts, ten of them at a time; afterwards, the account gets no other setup token', async () => {
    const { actor, token, user } = await userWithToken('race@example.com');
    const store = createPasskeyStore(site.db);
    const found = await store.ownerOfSetupToken(token);
    if (!found) throw new Error('the token is not live');
    const enrol = (n: number) =>
      site.db.transaction((tx) => store.enrol(tx, found.owner, found.tokenId, newPasskey(`race-${n}`), actor));
    const results = [];
    for (let batch = 0; batch < 10; batch++)
      results.push(...(await Promise.allSettled(Array.from({ length: 10 }, (_, n) => enrol(10 * batch + n)))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store.list(user.id)).toHaveLength(1);
    await expect(site.db.transaction((tx) => issueSetupToken(tx, 'race@example.com', actor))).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await createHttpClient(site.url)('GET', `/admin/add-passkey?token=${token}`)).status).toBe(403);
  });

  it('is accepted only by POST, so that the page can keep it in the fragment of its address', async () => {
    const { token } = await userWithToken('fragment@example.com');
    const open = (json: object) => createHttpClient(site.url)('POST', '/admin/api/passkey/register/account', { json });
    expect(await open({ setup_token: token })).toMatchObject({ status: 200, body: { email: 'fragment@example.com' } });
    expect((await open({ setup_token: 'f'.repeat(64) })).status).toBe(403);
    expect((await open({})).status).toBe(422);
    const page = await createHttpClient(site.url)('GET', '/admin/add-passkey');
    expect([page.status, page.text.includes('This link is not valid')]).toEqual([403, true]);
  });

  it('is required to start an enrolment without a session', async () => {
    const start = (json: object) => createHttpClient(site.url)('POST', '/admin/api/passkey/register/start', { json });
    expect((await start({})).status).toBe(401);
    expect((await start({ setup_token: 'f'.repeat(64) })).status).toBe(403);
    const { token } = await userWithToken('begin@example.com');
    expect((await start({ setup_token: token })).body).toMatchObject({
      options: {
        rp: { id: 'localhost' },
        authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
      },
    });
  });
});

describe('POST /admin/api/passkey/login/start', () => {
  const authorization = () =>
    `?${new URLSearchParams({
      response_type: 'code',
      client_id: 'marketplace-admin',
      redirect_uri: `${site.url}/admin/login`,
      scope: 'user',
      state: 'statestate',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    })}`;
  const start = async (email?: string) => {
    const json = { authorization: authorization(), ...(email !== undefined && { email }) };
    const { status, body } = await createHttpClient(site.url)('POST', '/admin/api/passkey/login/start', { json });
    const { options } = body as { options?: Record<string, unknown> };
    return { status, ...options, challenge: undefined };
  };

  it('lists no credentials, and gives the same answer with any email and without an email', async () => {
    await enrolledUser(site, 'enrolled@example.com');
    await site.addUser({ email: 'empty@example.com' });
    const answers = [
      await start(),
      await start('nobody@example.com'),
      await start('empty@example.com'),
      await start('enrolled@example.com'),
    ];
    expect(answers[0]).toEqual({ status: 200, rpId: 'localhost', timeout: 60_000, userVerification: 'required' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('reads no account: it answers even when the tables of accounts and passkeys are missing', async () => {
    const rename = (from: string, to: string) =>
      site.db.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename('passkeys', 'passkeys_away');
    await rename('users', 'users_away');
    const { status } = await start('enrolled@example.com');
    await rename('users_away', 'users');
    await rename('passkeys_away', 'passkeys');
    expect(status).toBe(200);
  });

  it.each<[string, Parameters<HttpClient>[2], number]>([
    ['no body', {}, 400],
    ['an array', { json: [] }, 400],
    ['text', { body: 'email', headers: { 'content-type': 'text/plain' } }, 415],
    ['an email with NUL', { json: { email: 'a\0@example.com' } }, 422],
    ['half a surrogate pair', { json: { email: '\ud800@example.com' } }, 422],
    ['a field with the name constructor', { json: { constructor: {} } }, 422],
  ])('refuses an invalid body: %s', async (_case, init, status) => {
    const answer = await createHttpClient(site.url)('POST', '/admin/api/passkey/login/start', init);
    expect(answer.status).toBe(status);
  });

  it.each([
    ['the method plain', 'S256', 'plain'],
    ['no challenge', /&code_challenge=c+/, ''],
    ['another redirect URI', '%2Fadmin%2Flogin', '%2Fadmin%2Flogin%2F'],
  ])('refuses a changed authorization request: %s', async (_name, from, to) => {
    const json = { authorization: authorization().replace(from, to) };
    expect((await createHttpClient(site.url)('POST', '/admin/api/passkey/login/start', { json })).status).toBe(400);
  });
});

describe('a ceremony', () => {
  it('accepts one of 100 concurrent answers, and only answers from the browser that started the ceremony', async () => {
    const store = createCeremonyStore(site.db);
    const id = await store.begin('authentication', 'browser', { challenge: 'x', state: 's', code_challenge: 'c' });
    expect(await store.consume('authentication', id, 'another browser')).toBeUndefined();
    expect(await store.consume('registration', id, 'browser')).toBeUndefined();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => store.consume('authentication', id, 'browser')),
    );
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  });
});
