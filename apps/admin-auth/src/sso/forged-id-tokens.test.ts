import { createHmac, generateKeyPairSync } from 'node:crypto';
import { createHttpClient } from '@millwright/testing';
import { createSurfer, decode, type Surfer } from './test-issuer.js';
import { startSso, type TestSso } from './test-sso.js';

type Json = Record<string, unknown>;

let sso: TestSso;
beforeAll(async () => {
  sso = await startSso({ honest: {}, other: {}, posing: {} });
});
afterAll(() => sso.close());
afterEach(() => sso.issuer('honest').tamper(undefined));

const claims = { email: 'ann@example.com', email_verified: true, name: 'Ann' };
const forger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1_000);

/** Signs in with an ID token that `change` has altered on its way to the console. @returns the status of the last page */
async function signInWith(change: (token: string) => string): Promise<number> {
  sso.issuer('honest').login('ann', claims);
  sso.issuer('honest').tamper(change);
  const surfer = createSurfer();
  const { answer } = await sso.signIn('honest', surfer);
  expect((await sso.me(surfer)).status).toBe(answer.status === 200 ? 200 : 401);
  return answer.status;
}
/** Returns a function that changes the claims of a token and signs it again with the issuer's own key. */
const resigned = (change: Json) => (token: string) => {
  const [, original] = decode(token);
  return sso.issuer('honest').sign({ ...original, ...change });
};

describe('an ID token', () => {
  it('is accepted when it is signed again unchanged', async () => {
    expect(await signInWith(resigned({}))).toBe(200);
  });

  it.each<[string, (token: string) => string]>([
    ['signed by another key', (token) => sso.issuer('honest').sign(decode(token)[1] ?? {}, {}, forger)],
    [
      'signed by another key without kid',
      (token) => sso.issuer('honest').sign(decode(token)[1] ?? {}, { kid: undefined }, forger),
    ],
    ['of another issuer with its key', (token) => sso.issuer('other').sign(decode(token)[1] ?? {})],
    ['without a signature', (token) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.`],
    [
      'with alg none and the good signature',
      (token) => `${encode({ alg: 'none' })}.${token.split('.').slice(1).join('.')}`,
    ],
    [
      "signed by the client's secret",
      (token) => {
        const text = `${encode({ alg: 'HS256' })}.${token.split('.')[1]}`;
        const mac = createHmac('sha256', sso.issuer('honest').entry().clientSecret ?? '').update(text);
        return `${text}.${mac.digest('base64url')}`;
      },
    ],
    [
      'whose claims were changed',
      (token) => token.replace(/\.[^.]*\./, `.${encode({ ...decode(token)[1], sub: 'bob' })}.`),
    ],
    ['for another audience', resigned({ aud: 'another-client' })],
    ['for several audiences without azp', resigned({ aud: ['millwright', 'another-client'], azp: undefined })],
    [
      'for several audiences with another azp',
      resigned({ aud: ['millwright', 'another-client'], azp: 'another-client' }),
    ],
    ['of another issuer', resigned({ iss: 'https://evil.example' })],
    ['of the issuer with a slash', (token) => resigned({ iss: `${String(decode(token)[1]?.['iss'])}/` })(token)],
    ['that has expired', resigned({ exp: now() - 3_600, iat: now() - 7_200 })],
    ['without exp', resigned({ exp: undefined })],
    ['without iat', resigned({ iat: undefined })],
    ['that is not valid yet', resigned({ nbf: now() + 3_600 })],
    ['with another nonce', resigned({ nonce: 'another' })],
    ['without a nonce', resigned({ nonce: undefined })],
    ['without a subject', resigned({ sub: undefined })],
    ['whose subject has NUL', resigned({ sub: 'a\u0000' })],
    ['whose subject has 256 characters', resigned({ sub: 'a'.repeat(256) })],
    ['that is no token', () => 'x.y.z'],
  ])('is refused: a token %s', async (_case, change) => {
    expect(await signInWith(change)).toBe(401);
  });

  it('is refused when its subject differs from the subject of the userinfo endpoint', async () => {
    expect(await signInWith(resigned({ sub: 'bob' }))).toBe(401);
  });

  it('is refused when it was issued for an earlier sign-in', async () => {
    let kept = '';
    await signInWith((token) => (kept = token));
    expect(await signInWith(() => kept)).toBe(401);
  });
});

describe('GET /admin/sso/<name>/callback', () => {
  const status = async (surfer: Surfer, url: string) => (await surfer.visit(url)).answer.status;
  const changed = (url: string, name: string, value: string | null) => {
    const result = new URL(url);
    if (value === null) result.searchParams.delete(name);
    else result.searchParams.set(name, value);
    return result.href;
  };
  async function begun(name = 'honest') {
    sso.issuer(name).login('ann', claims);
    const surfer = createSurfer();
    return { surfer, url: await sso.callback(name, surfer) };
  }

  it('refuses a reused state', async () => {
    const { surfer, url } = await begun();
    expect([await status(surfer, url), await status(surfer, url)]).toEqual([200, 401]);
  });

  it('refuses a reused code with a new state', async () => {
    const { surfer, url } = await begun();
    const code = new URL(url).searchParams.get('code');
    await surfer.visit(url);
    const again = await begun();
    expect(await status(again.surfer, changed(again.url, 'code', code))).toBe(401);
  });

  it('refuses a code from a sign-in in another browser', async () => {
    const [ann, bob] = [await begun(), await begun()];
    const code = new URL(bob.url).searchParams.get('code');
    expect(await status(ann.surfer, changed(ann.url, 'code', code))).toBe(401);
  });

  it('refuses the response in another browser, and accepts it in the browser that started the sign-in', async () => {
    const { surfer, url } = await begun();
    const stranger = await begun();
    expect(await status(createSurfer(), url)).toBe(401);
    expect(await status(stranger.surfer, url)).toBe(401);
    expect(await status(surfer, url)).toBe(200);
  });

  it('refuses the response to an expired request', async () => {
    const { surfer, url } = await begun();
    await sso.site.db.prisma.ssoRequest.updateMany({ data: { expires_at: new Date() } });
    expect(await status(surfer, url)).toBe(401);
  });

  it("refuses a response at another issuer's redirect URI", async () => {
    const { surfer, url } = await begun();
    expect(await status(surfer, url.replace('/sso/honest/', '/sso/other/'))).toBe(401);
  });

  it.each<[string, string, string | null]>([
    ['an unknown state', 'state', 'a'.repeat(64)],
    ['no iss', 'iss', null],
    ['the iss of another issuer', 'iss', 'https://evil.example'],
    ['no code', 'code', null],
    ['an unknown code', 'code', 'x'.repeat(43)],
    ['an error besides the code', 'error', 'access_denied'],
  ])('refuses %s', async (_case, name, value) => {
    const { surfer, url } = await begun();
    expect(await status(surfer, changed(url, name, value))).toBe(401);
  });

  it.each([null, '', "' OR 1=1 --"])('answers 400 to a malformed state: %j', async (value) => {
    const { surfer, url } = await begun();
    expect(await status(surfer, changed(url, 'state', value))).toBe(400);
  });

  it('answers a failed request of a program with JSON, and of a browser with a page', async () => {
    const { url } = await begun();
    const path = url.slice(sso.site.url.length);
    const client = createHttpClient(sso.site.url);
    expect((await client('GET', path)).body).toMatchObject({ error: { code: 'unauthorized', status: 401 } });
    const page = await client('GET', path, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([401, expect.stringContaining('text/html')]);
  });

  it.each(['https://evil.example/', '//evil.example', '/admin/../../evil', 'javascript:alert(1)'])(
    'redirects to the console when the sign-in requested another address: %s',
    async (target) => {
      sso.issuer('honest').login('ann', claims);
      const { url } = await createSurfer().visit(
        `${sso.site.url}/admin/sso/honest?redirect=${encodeURIComponent(target)}`,
      );
      expect(new URL(url).origin).toBe(sso.site.url);
    },
  );

  it('has a separate rate limit for each IP address', async () => {
    const tight = await sso.site.addInstance(1e-6);
    const answer = await fetch(`${tight}/admin/sso/honest`, { redirect: 'manual' });
    const again = await fetch(`${tight}/admin/sso/honest`, { redirect: 'manual' });
    expect([answer.status, again.status]).toContain(429);
  });
});

describe('the metadata of an issuer', () => {
  it('is refused while it names another issuer, and the browser is not redirected', async () => {
    const posing = sso.issuer('posing');
    posing.login('ann', claims);
    for (const issuer of [sso.issuer('honest').url, `${posing.url}/`, 'https://evil.example']) {
      posing.pose(issuer);
      const { url, answer } = await sso.signIn('posing');
      expect([issuer, answer.status, new URL(url).origin]).toEqual([issuer, 503, sso.site.url]);
    }
    posing.pose(undefined);
    expect((await sso.signIn('posing')).answer.status).toBe(200);
  });
});
