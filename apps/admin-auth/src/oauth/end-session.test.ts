import { generateKeyPairSync } from 'node:crypto';
import { issueOAuthClient } from '@millwright/accounts';
import { createTokenSigner } from '@millwright/auth';
import { createIdTokenSigner } from '@millwright/auth/id-tokens';
import { publishSigningKey, type SigningKey } from '@millwright/auth/signing-keys';
import { newId } from '@millwright/db';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

const ISSUER = 'http://runtime.test';
const CALLBACK = 'https://app.example/cb?from=millwright';

let database: TestDatabase;
let site: TestConsole;
let clientId: string;
let key: SigningKey;

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: newId(), privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
}

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  key = newKey();
  await publishSigningKey(site.db, 'runtime-api', key);
  clientId = await newClient('Notebook');
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

async function newClient(name: string): Promise<string> {
  const owner = await site.addUser({ email: `${name}@example.com` });
  const input = { userId: owner.id, name, redirectUris: [CALLBACK], scopes: ['*'], project: 'Core' as const };
  const actor = { userId: owner.id, kind: 'user', label: 'Owner' } as const;
  return (await site.db.transaction((tx) => issueOAuthClient(tx, input, actor))).client_id;
}

const idToken = (sub: string, { by = key, client = clientId } = {}) =>
  createIdTokenSigner(by)({
    ...{ issuer: ISSUER, clientId: client, claims: { sub }, accessToken: 'x' },
    ...{ authTime: undefined, nonce: undefined },
  });

let count = 0;
async function signedIn() {
  const user = await site.addUser({ email: `user${(count += 1)}@example.com` });
  const { client, sessionId } = await site.signIn(user);
  const isLive = async () =>
    (await site.db.prisma.userSession.findUniqueOrThrow({ where: { id: sessionId } })).revoked_at === null;
  return { user, client, isLive };
}
const anonymous = () => (method: 'GET', path: string) => fetch(`${site.url}${path}`, { method, redirect: 'manual' });
async function end(query: Record<string, string>, by: HttpClient | ReturnType<typeof anonymous> = anonymous()) {
  const { status, headers } = await by('GET', `/admin/oauth/end-session?${new URLSearchParams(query).toString()}`);
  return { status, to: headers.get('location'), cookies: headers.getSetCookie() };
}
const back = { post_logout_redirect_uri: CALLBACK, state: 'a b' };

describe('GET /admin/oauth/end-session', () => {
  it("ends the session when the request has the user's id token, and redirects to the client with its state", async () => {
    const { user, client, isLive } = await signedIn();
    const answer = await end({ id_token_hint: idToken(user.id), client_id: clientId, ...back }, client);
    expect([answer.status, answer.to]).toEqual([303, `${CALLBACK}&state=a+b`]);
    expect(answer.cookies.join()).toContain('access_token=;');
    expect([await isLive(), (await client('GET', '/admin/api/me')).status]).toEqual([false, 401]);
    const rows = await site.db.prisma.governanceDecision.findMany({
      where: { user_id: user.id, action: 'session.revoke' },
    });
    expect(rows).toMatchObject([{ detail: { reason: 'signed out by an application' } }]);
  });

  it.each<[string, (userId: string) => Promise<Record<string, string>>]>([
    ['without an id token', () => Promise.resolve({ client_id: clientId })],
    ["with another user's id token", async () => ({ id_token_hint: idToken((await signedIn()).user.id) })],
    [
      "with another client's id token",
      async (id) => ({ id_token_hint: idToken(id), client_id: await newClient('Other') }),
    ],
    [
      'with an id token that the runtime API did not sign',
      (id) => Promise.resolve({ id_token_hint: idToken(id, { by: newKey() }) }),
    ],
    [
      'with an access token in place of the id token',
      (subject) => {
        const token = { issuer: ISSUER, subject, audience: clientId, scope: 'openid', sid: newId(), expiresIn: 60 };
        return Promise.resolve({ id_token_hint: createTokenSigner(key)(token) });
      },
    ],
  ])('shows a confirmation page and does not end the session when it is requested %s', async (_name, query) => {
    const { user, client, isLive } = await signedIn();
    const answer = await end({ ...(await query(user.id)), ...back }, client);
    expect([answer.status, answer.to, await isLive()]).toEqual([200, null, true]);
  });

  it('without a session, redirects only to a redirect URI of the client that the id token names', async () => {
    const id_token_hint = idToken(newId());
    expect((await end({ id_token_hint, ...back })).to).toBe(`${CALLBACK}&state=a+b`);
    const queries: Record<string, string>[] = [
      { client_id: clientId, ...back },
      { id_token_hint, ...back, post_logout_redirect_uri: 'https://evil.example/' },
      { id_token_hint, ...back, post_logout_redirect_uri: `${CALLBACK}/..` },
      { id_token_hint: idToken(newId(), { client: newId() }), ...back },
      { id_token_hint },
    ];
    for (const query of queries) expect(await end(query)).toMatchObject({ status: 200, to: null });
  });
});
