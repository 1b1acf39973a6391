import { createHash } from 'node:crypto';
import {
  createHttpClient,
  createPasskey,
  createTestDatabase,
  type Lies,
  type TestDatabase,
  type TestPasskey,
} from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, bodyOf, browser, enrolledUser, exchangeForm, newFlow, signInWith } from '../test-sign-in.js';

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

let count = 0;
const someone = (options?: { counting?: boolean }) => enrolledUser(site, `someone${++count}@example.com`, options);
const begin = (email?: string) => beginSignIn(browser(site.url).next, site.url, email);
async function denials(userId: string) {
  await site.settled();
  return site.db.prisma.governanceDecision.findMany({ where: { user_id: userId, decision: 'deny' } });
}
const codes = (userId: string) => site.db.prisma.consoleCode.count({ where: { user_id: userId } });
const encoded = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url');
const REFUSED = { error: { code: 'unauthorized', message: 'Missing or invalid credential.', status: 401 } };

describe('POST /admin/api/passkey/login/finish', () => {
  it('accepts a valid passkey proof, and stores its time', async () => {
    const { user, passkey } = await someone();
    const { finish } = await begin();
    const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
    expect(redirect_to.startsWith(`${site.url}/admin/login?iss=`)).toBe(true);
    const row = await site.db.prisma.passkey.findUniqueOrThrow({ where: { credential_id: passkey.id } });
    expect([Number(row.counter), row.last_used_at !== null]).toEqual([passkey.counter, true]);
    expect(await codes(user.id)).toBe(1);
  });

  it.each<[string, Lies, string]>([
    ['another origin', { origin: 'https://evil.example' }, 'passkey not verified'],
    ['another port of this host', { origin: 'http://localhost:1' }, 'passkey not verified'],
    ['a subdomain', { origin: 'http://a.localhost' }, 'passkey not verified'],
    ['another relying party', { rpId: 'evil.example' }, 'passkey not verified'],
    ['no user verification', { userVerified: false }, 'passkey not verified'],
    ['no user presence', { userPresent: false }, 'passkey not verified'],
    ['another challenge', { challenge: 'x'.repeat(43) }, 'passkey not verified'],
    ['the type of a registration', { type: 'webauthn.create' }, 'passkey not verified'],
    ['an unchanged counter', { counter: 1 }, 'signature counter went back'],
    ['a counter that went back to 0', { counter: 0 }, 'signature counter went back'],
    ["another account's handle", { userHandle: 'AAAA' }, 'passkey of another account'],
  ])('refuses %s with the same answer, and records the refusal', async (_case, lies, reason) => {
    const { user, passkey } = await someone();
    const { finish } = await begin();
    expect((await finish(passkey, lies)).body).toEqual(REFUSED);
    expect(await denials(user.id)).toMatchObject([{ action: 'session.create', reason }]);
    expect(await codes(user.id)).toBe(0);
  });

  it("refuses a signature by another key under a known passkey's id", async () => {
    const { user, passkey } = await someone();
    const { finish } = await begin();
    expect((await finish(createPasskey(site.url), { id: passkey.id })).body).toEqual(REFUSED);
    expect(await denials(user.id)).toMatchObject([{ reason: 'passkey not verified' }]);
  });

  it('refuses an unknown passkey', async () => {
    const { finish } = await begin();
    expect((await finish(createPasskey(site.url))).body).toEqual(REFUSED);
  });

  it('refuses an answer without a user handle: no list of credentials was sent, so the answer must name the account', async () => {
    const { passkey } = await enrolledUser(site, 'unnamed@example.com');
    for (const email of [undefined, 'unnamed@example.com']) {
      const { finish } = await begin(email);
      expect((await finish(passkey, { userHandle: '' })).status).toBe(401);
    }
    bodyOf(await (await begin()).finish(passkey));
  });

  it('gives an unknown passkey the same answer as a wrong proof by a known passkey', async () => {
    const { passkey } = await enrolledUser(site, 'known@example.com');
    const stranger = createPasskey(site.url);
    const answerTo = async (lies: Lies, by: TestPasskey) => {
      const { status, text } = await (await begin()).finish(by, lies);
      return { status, text: text.replace(/"request_id":"[^"]*"/, '') };
    };
    const wrong = await answerTo({ origin: 'https://evil.example' }, passkey);
    expect(wrong.status).toBe(401);
    expect(await answerTo({ userHandle: 'x' }, stranger)).toEqual(wrong);
    expect(await answerTo({ id: '' }, stranger)).toEqual(wrong);
  });

  it("refuses another user's passkey for the typed email", async () => {
    const [ann, bob] = [await someone(), await someone()];
    const { email } = await site.db.prisma.user.findUniqueOrThrow({ where: { id: ann.user.id } });
    const { finish } = await begin(email);
    expect((await finish(bob.passkey)).body).toEqual(REFUSED);
    expect(await denials(bob.user.id)).toMatchObject([{ reason: 'passkey of another account' }]);
    bodyOf(await (await begin(email.toUpperCase())).finish(ann.passkey));
  });

  it('refuses an answer that was sent before, whether the first attempt succeeded or failed', async () => {
    const { user, passkey } = await someone({ counting: false });
    const first = await begin();
    const answer = first.answer(passkey);
    bodyOf(await first.send(answer));
    expect((await first.send(answer)).body).toEqual(REFUSED);
    expect(await denials(user.id)).toMatchObject([
      { reason: 'the sign-in was used before or has expired', detail: { by: 'stranger' } },
    ]);
    const second = await begin();
    expect((await second.finish(passkey, { userVerified: false })).status).toBe(401);
    expect((await second.finish(passkey)).body).toEqual(REFUSED);
  });

  it('refuses an answer after five minutes, from another browser, or without a ceremony', async () => {
    const { passkey } = await someone();
    const late = await begin();
    await site.db.prisma.webAuthnCeremony.update({ where: { id: late.ceremony }, data: { expires_at: new Date() } });
    expect((await late.finish(passkey)).body).toEqual(REFUSED);
    const elsewhere = await begin();
    const path = '/admin/api/passkey/login/finish';
    const stranger = createHttpClient(site.url, { cookie: 'ceremony=another' });
    expect((await stranger('POST', path, { json: elsewhere.answer(passkey) })).body).toEqual(REFUSED);
    const none = { ...elsewhere.answer(passkey), ceremony: '018f0000-0000-7000-8000-000000000001' };
    expect((await elsewhere.send(none)).body).toEqual(REFUSED);
    bodyOf(await elsewhere.finish(passkey));
  });

  it('accepts a challenge for five minutes after its creation', async () => {
    const { ceremony } = await begin();
    const row = await site.db.prisma.webAuthnCeremony.findUniqueOrThrow({ where: { id: ceremony } });
    expect(Buffer.from(row.challenge, 'base64url')).toHaveLength(32);
    expect((row.expires_at.getTime() - Date.now()) / 1_000).toBeCloseTo(300, -1);
  });

  it('refuses a disabled account, and revokes its remaining credentials', async () => {
    const { user, passkey } = await someone();
    const { sessionId } = await site.signIn(user);
    await site.db.prisma.user.update({ where: { id: user.id }, data: { status: 'inactive' } });
    expect((await (await begin()).finish(passkey)).body).toEqual(REFUSED);
    expect(await denials(user.id)).toMatchObject([{ reason: 'account disabled' }]);
    const session = await site.db.prisma.userSession.findUniqueOrThrow({ where: { id: sessionId } });
    expect(session.revoked_reason).toBe('sign-in refused');
  });

  it('ends no session when a passkey is wrong', async () => {
    const { user, passkey } = await someone();
    const { client } = await site.signIn(user);
    await (await begin()).finish(passkey, { origin: 'https://evil.example' });
    expect((await client('GET', '/admin/api/me')).status).toBe(200);
  });

  it.each<[string, object, number]>([
    ['no response', { response: undefined }, 422],
    ['a malformed response', { response: { id: 'x' } }, 401],
    [
      'a response whose field response is a text',
      { response: { id: 'x', rawId: 'x', type: 'public-key', response: 'x' } },
      401,
    ],
    ['a malformed id of the ceremony', { ceremony: 'x' }, 422],
    ['an id with NUL', { response: { id: 'a\u0000' } }, 422],
    [
      'a challenge with NUL',
      { response: { id: 'x', response: { clientDataJSON: encoded({ challenge: 'a\0' }) } } },
      401,
    ],
    ['an id of 10,000 characters', { response: { id: 'x'.repeat(10_000) } }, 422],
  ])('refuses %s', async (_case, change, status) => {
    const { passkey } = await someone();
    const { answer, send } = await begin();
    expect((await send({ ...answer(passkey), ...change })).status).toBe(status);
  });

  it.each([
    ['truncated authenticator data', { authenticatorData: 'AAAA' }],
    ['client data that is not JSON', { clientDataJSON: 'AAAA' }],
    ['an empty signature', { signature: '' }],
    ['no signature', { signature: undefined }],
  ])('refuses %s', async (_case, change) => {
    const { user, passkey } = await someone();
    const { answer, send } = await begin();
    const { ceremony, response } = answer(passkey);
    const changed = { ...response, response: { ...(response['response'] as object), ...change } };
    expect((await send({ ceremony, response: changed })).body).toEqual(REFUSED);
    expect(await denials(user.id)).toHaveLength(1);
  });
});

describe('PKCE', () => {
  const start = (query: URLSearchParams) =>
    createHttpClient(site.url)('POST', '/admin/api/passkey/login/start', { json: { authorization: `?${query}` } });
  const authorize = (query: URLSearchParams) => createHttpClient(site.url)('GET', `/admin/oauth/authorize?${query}`);

  it.each<[string, (query: URLSearchParams, verifier: string) => void]>([
    [
      'no challenge and no method',
      (q) => ['code_challenge', 'code_challenge_method'].forEach((name) => q.delete(name)),
    ],
    ['no challenge', (q) => q.delete('code_challenge')],
    ['no method, which means plain', (q) => q.delete('code_challenge_method')],
    ['the method plain', (q) => q.set('code_challenge_method', 'plain')],
    ['the method s256', (q) => q.set('code_challenge_method', 's256')],
    ['the method none', (q) => q.set('code_challenge_method', 'none')],
    ['an empty method', (q) => q.set('code_challenge_method', '')],
    ['both methods', (q) => q.append('code_challenge_method', 'plain')],
    [
      'both methods, plain first',
      (q) => ['plain', 'S256'].forEach((method, n) => q[n === 0 ? 'set' : 'append']('code_challenge_method', method)),
    ],
    [
      'the method plain, with the verifier as challenge',
      (q, v) =>
        Object.entries({ code_challenge_method: 'plain', code_challenge: v }).forEach(([name, value]) =>
          q.set(name, value),
        ),
    ],
    ['two challenges', (q, v) => q.append('code_challenge', v)],
    ['an empty challenge', (q) => q.set('code_challenge', '')],
    ['a challenge too short', (q) => q.set('code_challenge', 'c'.repeat(42))],
    ['a challenge too long', (q) => q.set('code_challenge', 'c'.repeat(44))],
    ['a challenge in padded base64', (q) => q.set('code_challenge', `${'c'.repeat(42)}=`)],
    ['a challenge with other characters', (q) => q.set('code_challenge', `${'c'.repeat(42)}+`)],
  ])('refuses an authorization request without a valid S256 challenge: %s', async (_case, change) => {
    const { query, verifier } = newFlow(site.url);
    change(query, verifier);
    expect((await start(query)).status).toBe(400);
    const { status, headers } = await authorize(query);
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('error=invalid_request')]);
  });

  it.each<[string, (form: Record<string, string>, challenge: string) => void]>([
    ['no verifier', (form) => delete form['code_verifier']],
    ['an empty verifier', (form) => (form['code_verifier'] = '')],
    ['the challenge in place of the verifier', (form, challenge) => (form['code_verifier'] = challenge)],
    ['another verifier', (form) => (form['code_verifier'] = 'v'.repeat(43))],
    ['a verifier too short', (form) => (form['code_verifier'] = 'v'.repeat(42))],
    ['a verifier too long', (form) => (form['code_verifier'] = 'v'.repeat(129))],
    ['a verifier with other characters', (form) => (form['code_verifier'] = `${'v'.repeat(43)}!`)],
    ['a verifier in upper case', (form) => (form['code_verifier'] = form['code_verifier']?.toUpperCase() ?? '')],
    [
      'the method plain in the exchange',
      (form, challenge) => Object.assign(form, { code_verifier: challenge, code_challenge_method: 'plain' }),
    ],
    [
      'a challenge in the exchange',
      (form) =>
        Object.assign(form, {
          code_verifier: 'v'.repeat(43),
          code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
        }),
    ],
  ])('refuses to exchange a code without the verifier of its flow: %s', async (_case, change) => {
    const { user, passkey } = await someone();
    const { verifier, finish } = await begin();
    const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
    const form = exchangeForm(site.url, redirect_to, verifier);
    change(form, createHash('sha256').update(verifier).digest('base64url'));
    const answer = await createHttpClient(site.url)('POST', '/admin/oauth/token', { json: form });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
    expect(await site.db.prisma.userSession.count({ where: { user_id: user.id } })).toBe(0);
  });

  it('binds a code to the flow in which it was issued: an exchange with the verifier of another flow fails and consumes the code', async () => {
    const { user, passkey } = await someone();
    const [one, two] = [await begin(), await begin()];
    const { redirect_to } = bodyOf(await one.finish(passkey)) as { redirect_to: string };
    const exchange = (verifier: string) =>
      createHttpClient(site.url)('POST', '/admin/oauth/token', { json: exchangeForm(site.url, redirect_to, verifier) });
    expect((await exchange(two.verifier)).status).toBe(400);
    expect((await exchange(one.verifier)).status).toBe(400);
    expect(await site.db.prisma.userSession.count({ where: { user_id: user.id } })).toBe(0);
    const denied = await denials(user.id);
    expect(denied.length).toBeLessThanOrEqual(2);
    expect(denied[0]).toMatchObject({
      action: 'session.create',
      reason: 'authorization code not good',
      detail: { by: 'stranger' },
    });
  });
});

describe('registration of another passkey', () => {
  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['another challenge', { challenge: 'x'.repeat(43) }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
  ])('refuses an answer with %s', async (_case, lies) => {
    const { user, passkey } = await someone();
    const { next } = browser(site.url);
    await signInWith(next, site.url, passkey);
    const { ceremony, options } = bodyOf(await next()('POST', '/admin/api/passkey/register/start', { json: {} })) as {
      ceremony: string;
      options: Parameters<typeof passkey.create>[0];
    };
    const response = createPasskey(site.url).create(options, lies);
    const finished = await next()('POST', '/admin/api/passkey/register/finish', { json: { ceremony, response } });
    expect(finished.status).toBe(403);
    expect(await site.db.prisma.passkey.count({ where: { user_id: user.id } })).toBe(1);
  });

  it("refuses to finish in another user's session, and refuses a passkey that belongs to another account", async () => {
    const [ann, bob] = [await someone(), await someone()];
    const { next, cookies } = browser(site.url);
    await signInWith(next, site.url, ann.passkey);
    const start = async () =>
      bodyOf(await next()('POST', '/admin/api/passkey/register/start', { json: {} })) as {
        ceremony: string;
        options: Parameters<typeof ann.passkey.create>[0];
      };
    const finish = (ceremony: string, response: object) =>
      next()('POST', '/admin/api/passkey/register/finish', { json: { ceremony, response } });
    const begun = await start();
    const kept = cookies.get('ceremony') ?? '';
    await signInWith(next, site.url, bob.passkey);
    cookies.set('ceremony', kept);
    expect((await finish(begun.ceremony, createPasskey(site.url).create(begun.options))).status).toBe(403);
    const taken = await start();
    expect((await finish(taken.ceremony, ann.passkey.create(taken.options))).status).toBe(409);
  });
});
