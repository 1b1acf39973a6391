import { createHash, generateKeyPairSync } from 'node:crypto';
import { createHttpClient } from '@millwright/testing';
import { createSurfer } from './test-issuer.js';
import { startSso, type TestSso } from './test-sso.js';

type Json = Record<string, unknown>;

let sso: TestSso;
beforeAll(async () => {
  sso = await startSso({ honest: {}, other: {} });
});
afterAll(() => sso.close());

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const forger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
let count = 0;
const now = () => Math.floor(Date.now() / 1_000);

async function signedIn(name = 'honest', subject = `subject-${(count += 1)}`) {
  const email = `${subject}@example.com`;
  sso.issuer(name).login(subject, { email, email_verified: true, name: subject });
  const surfer = createSurfer();
  await sso.signIn(name, surfer);
  const { session_id, sid } = await sso.site.db.prisma.ssoSession.findFirstOrThrow({
    where: { subject, issuer: sso.issuer(name).url },
    orderBy: { session_id: 'desc' },
  });
  const isIn = async () => (await sso.me(surfer)).status === 200;
  return { subject, surfer, isIn, sid: sid ?? '', session_id };
}

/** Returns the claims of a valid logout token. */
const claimsOf = (more: Json, name = 'honest'): Json => ({
  ...{ iss: sso.issuer(name).url, aud: 'millwright', iat: now(), exp: now() + 120 },
  ...{ jti: `jti-${(count += 1)}`, events: { [EVENT]: {} } },
  ...more,
});
const post = (token: string, name = 'honest') =>
  createHttpClient(sso.site.url)('POST', `/admin/sso/${name}/backchannel-logout`, {
    body: new URLSearchParams({ logout_token: token }),
  });
const sign = (claims: Json, header: Json = { typ: 'logout+jwt' }, name = 'honest') =>
  sso.issuer(name).sign(claims, header);

describe('POST /admin/sso/<name>/backchannel-logout', () => {
  it('ends the session when the user signs out at the issuer', async () => {
    const { surfer, isIn, subject, session_id } = await signedIn();
    const issuer = sso.issuer('honest').url;
    const { answer } = await surfer.visit(`${issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(answer.text)?.[1] ?? '';
    await surfer.visit(`${issuer}/session/end/confirm`, undefined, { xsrf, logout: 'yes' });
    expect(await isIn()).toBe(false);
    const session = await sso.site.db.prisma.userSession.findUniqueOrThrow({ where: { id: session_id } });
    expect(session.revoked_reason).toBe('signed out at the issuer');
    const user = await sso.site.db.prisma.user.findUniqueOrThrow({ where: { email: `${subject}@example.com` } });
    expect(
      await sso.site.db.prisma.governanceDecision.findMany({ where: { user_id: user.id, action: 'session.revoke' } }),
    ).toMatchObject([{ detail: { reason: 'signed out at the issuer', issuer } }]);
  });

  it("ends only the session that has the token's sid, before the answer is sent", async () => {
    const first = await signedIn();
    const second = await signedIn('honest', first.subject);
    const { status, headers } = await post(sign(claimsOf({ sub: first.subject, sid: first.sid })));
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([await first.isIn(), await second.isIn()]).toEqual([false, true]);
  });

  it('ends no session of another subject, even with the same sid', async () => {
    const first = await signedIn();
    const second = await signedIn();
    expect((await post(sign(claimsOf({ sub: second.subject, sid: first.sid })))).status).toBe(200);
    expect([await first.isIn(), await second.isIn()]).toEqual([true, true]);
  });

  it('ends, for a token without a sid, all sessions of its subject except sessions opened by passkey', async () => {
    const first = await signedIn();
    const second = await signedIn('honest', first.subject);
    const user = await sso.site.db.prisma.user.findUniqueOrThrow({ where: { email: `${first.subject}@example.com` } });
    const { client } = await sso.site.signIn(user);
    expect((await post(sign(claimsOf({ sub: first.subject })))).status).toBe(200);
    expect([await first.isIn(), await second.isIn()]).toEqual([false, false]);
    expect((await client('GET', '/admin/api/me')).status).toBe(200);
  });

  it('answers 200 for an unknown session', async () => {
    expect((await post(sign(claimsOf({ sid: 'unknown' })))).status).toBe(200);
  });

  it('refuses a reused token', async () => {
    const token = sign(claimsOf({ sid: 'unknown' }));
    expect([(await post(token)).status, (await post(token)).status]).toEqual([200, 400]);
  });

  it('ends no session of a user of another issuer, even with the same subject', async () => {
    const { isIn, subject } = await signedIn('other');
    await post(sign(claimsOf({ sub: subject })));
    expect(await isIn()).toBe(true);
  });

  it.each<[string, Json, Json?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another audience', { aud: 'another-client' }],
    ['without an audience', { aud: undefined }],
    ['with a nonce', { nonce: 'x' }],
    ['without events', { events: undefined }],
    ['with another event', { events: { 'https://evil.example': {} } }],
    ['whose event is no object', { events: { [EVENT]: true } }],
    ['without jti', { jti: undefined }],
    ['whose jti is a number', { jti: 7 }],
    ['without iat', { iat: undefined }],
    ['that has expired', { exp: now() - 3_600, iat: now() - 7_200 }],
    ['of an hour ago, whatever its exp is', { iat: now() - 3_600, exp: now() + 3_600 }],
    ['of the future', { iat: now() + 3_600 }],
    ['without sub and sid', { sub: undefined }],
    ['with the type of an access token', {}, { typ: 'at+jwt' }],
    ['with alg none', {}, { alg: 'none' }],
    ['with the algorithm of a shared secret', {}, { alg: 'HS256' }],
    ['with an unknown key', {}, { kid: 'unknown' }],
  ])('refuses a token %s, and ends no session', async (_case, change, header = {}) => {
    const { isIn, subject } = await signedIn();
    const { status, body } = await post(sign(claimsOf({ sub: subject, ...change }), { typ: 'logout+jwt', ...header }));
    expect([status, body]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
    expect(await isIn()).toBe(true);
  });

  it('refuses a token signed by another key, and a token of another issuer', async () => {
    const { isIn, subject } = await signedIn();
    const claims = claimsOf({ sub: subject });
    expect((await post(sso.issuer('honest').sign(claims, { typ: 'logout+jwt' }, forger))).status).toBe(400);
    expect((await post(sign(claims, { typ: 'logout+jwt', kid: 'honest-key' }, 'other'))).status).toBe(400);
    expect(await isIn()).toBe(true);
  });

  it('refuses an ID token', async () => {
    const { isIn, subject, sid } = await signedIn();
    const nonce = createHash('sha256').update('x').digest('base64url');
    const { status } = await post(sign(claimsOf({ sub: subject, sid, nonce, events: undefined }), { typ: 'JWT' }));
    expect([status, await isIn()]).toEqual([400, true]);
  });

  it.each<[string, URLSearchParams | string]>([
    ['no token', new URLSearchParams()],
    ['two tokens', new URLSearchParams('logout_token=a&logout_token=b')],
    ['a text that is not a token', new URLSearchParams('logout_token=a')],
  ])('refuses %s', async (_case, body) => {
    const path = '/admin/sso/honest/backchannel-logout';
    expect((await createHttpClient(sso.site.url)('POST', path, { body })).status).toBe(400);
  });

  it.each([
    ['a body that is not gzip', { 'content-encoding': 'gzip' }],
    ['a body that is not brotli', { 'content-encoding': 'br' }],
    ['an unknown encoding', { 'content-encoding': 'nothing' }],
    ['an unknown charset', { 'content-type': 'application/x-www-form-urlencoded; charset=klingon' }],
  ])("refuses %s with an error in OAuth's form", async (_case, headers: Record<string, string>) => {
    const body = new URLSearchParams({ logout_token: 'a' }).toString();
    const { status, body: answer } = await createHttpClient(sso.site.url)(
      'POST',
      '/admin/sso/honest/backchannel-logout',
      { body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } },
    );
    expect([status, answer]).toEqual([400, { error: 'invalid_request', error_description: 'the body cannot be read' }]);
  });
});
