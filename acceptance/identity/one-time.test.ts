import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createPasskey } from '@millwright/testing';
import { createBrowser, personAt, type Browser, type Person } from '../harness/browser.js';
import { send, type Answer, type Call } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { linesWithSecrets, secretsSeen } from '../harness/secrets.js';
import { until } from '../harness/until.js';

let platform: Platform;
let urls: string[];
let runtimes: string[];
let auditor: Browser;

beforeAll(async () => {
  // Rate limits are raised, because a hundred concurrent requests exceed most of them; other tests cover the limits. The number of database
  // connections is raised, because a process with ten connections answers many of these requests with 503.
  const env = { RATE_LIMIT_MULTIPLIER: '10000', DATABASE_POOL_MAX: '20' };
  platform = await startPlatform({ replicas: { 'admin-auth': 2, 'runtime-api': 2, 'prompt-api': 0 }, env });
  urls = platform.of('admin-auth').map(({ url }) => url);
  runtimes = platform.of('runtime-api').map(({ url }) => url);
  const person = newPerson();
  await person.arrive('auditor@example.com', 'admin');
  auditor = person.browser;
});
afterAll(() => platform.stop());

const newPerson = () => personAt(createBrowser(urls, platform.baseUrl), platform.baseUrl);
async function arrived(email: string): Promise<Person> {
  const person = newPerson();
  await person.arrive(email);
  return person;
}
/** Replaces the person's passkey by one without a signature counter, so that the counter does not refuse repeated answers to one challenge. */
const withoutCounter = (person: Person) =>
  Object.assign(person, { passkey: createPasskey(platform.baseUrl, { counting: false }) });

const HUNDRED = Array.from({ length: 100 }, (_, n) => n);
const winners: string[] = [];

/** Sends a hundred concurrent requests, alternating between the processes, and checks that exactly one succeeds. @returns the successful answer */
async function race<Body>(
  what: string,
  wanted: { success: number; refusal: number },
  request: (n: number) => { path: string } & Call,
  processes = urls,
): Promise<Answer<Body>[]> {
  const answers = await Promise.all(
    HUNDRED.map((n) => {
      const { path, ...call } = request(n);
      return send<Body>(`${processes[n % 2]}${path}`, call);
    }),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  winners.push(`${what} ${count(wanted.success)}`);
  // An overloaded machine may answer 503 without using up the secret.
  const answered = [wanted.success, wanted.refusal, 503];
  expect({
    what,
    succeeded: count(wanted.success),
    unexpected: answers
      .filter(({ status }) => !answered.includes(status))
      .map(({ status, body }) => ({ status, body })),
  }).toEqual({ what, succeeded: 1, unexpected: [] });
  expect(count(wanted.refusal)).toBeGreaterThan(10);
  return answers.filter(({ status }) => status === wanted.success);
}
/** Returns the tokens of the logged recovery links. */
const linkTokens = (log: string) =>
  [...log.matchAll(/"event":"magic_link.issued",.*"magic_link_token":"(\w+)"/g)].map(([, token = '']) => token);
const auditRows = async (query: Record<string, string>) =>
  await auditor.get<{ total: number; items: { reason: string | null; detail: Record<string, unknown> }[] }>(
    `/admin/api/audit?${new URLSearchParams(query).toString()}`,
  );
const cookieOf = ({ headers }: Answer<unknown>, name: string) =>
  headers
    .getSetCookie()
    .map((line) => new RegExp(`^${name}=([^;]+)`).exec(line)?.[1])
    .find(Boolean) ?? '';
const asks = (cookie: string, path = '/admin/api/me') =>
  send<{ items: object[] }>(`${urls[0]}${path}`, { headers: { cookie } });
const asOf = (answer: Answer<unknown>) => `access_token=${cookieOf(answer, 'access_token')}`;

/** A used refresh token, and the time of its first use. The ten seconds in which it may be used again pass during the other tests. */
let refreshed: { token: string; at: number };

describe('100 concurrent requests to two processes', () => {
  it('receive the same new refresh token when they send the same refresh token within ten seconds after its first use', async () => {
    const { browser } = await arrived('refresh@example.com');
    const token = browser.cookies.get('refresh_token') ?? '';
    const headers = { cookie: `refresh_token=${token}` };
    const answers = await Promise.all(HUNDRED.map((n) => send(`${urls[n % 2]}/admin/api/me`, { headers })));
    refreshed = { token, at: Date.now() };
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length + answers.filter(({ status }) => status === 503).length).toBe(100);
    expect(good.length).toBeGreaterThan(10);
    const successors = new Set(good.map((answer) => cookieOf(answer, 'refresh_token')));
    winners.push(`refresh token ${successors.size}`);
    expect(successors.size).toBe(1);
    expect((await asks(`refresh_token=${[...successors][0]}`)).status).toBe(200);
  });

  it('redeem a setup token only once', async () => {
    const person = newPerson();
    const token = await person.register('setup@example.com');
    const passkeys = HUNDRED.map(() => createPasskey(platform.baseUrl));
    const begun: Awaited<ReturnType<Person['beginEnrolment']>>[] = [];
    for (const passkey of passkeys) begun.push(await person.beginEnrolment(token, passkey));
    const headers = person.browser.headers();
    await race('setup token', { success: 201, refusal: 403 }, (n) => ({ path: '', ...begun[n], headers }));
    const found = await Promise.all(
      passkeys.map(async (passkey) => {
        const { path, body } = await person.beginSignIn(passkey);
        return (await person.browser.ask(path, { body })).status;
      }),
    );
    expect(found.filter((status) => status === 200)).toHaveLength(1);
    expect((await auditRows({ action: 'passkey.create', user: 'setup@example.com' })).total).toBe(1);
  });

  it('register a passkey only once with the same registration challenge', async () => {
    const person = await arrived('another@example.com');
    const begun = await person.beginEnrolment(undefined, createPasskey(platform.baseUrl));
    const headers = person.browser.headers();
    await race('registration challenge', { success: 201, refusal: 403 }, () => ({ ...begun, headers }));
    expect((await person.browser.get<{ items: object[] }>('/admin/api/passkeys')).items).toHaveLength(2);
  });

  it('sign in only once with the same sign-in challenge', async () => {
    const person = withoutCounter(newPerson());
    await person.enrol(await person.register('challenge@example.com'));
    const { path, body } = await person.beginSignIn();
    const headers = person.browser.headers();
    await race('sign-in challenge', { success: 200, refusal: 401 }, () => ({ path, body, headers }));
  });

  it('sign in only once with the same signature counter of a passkey, although each request has its own sign-in challenge', async () => {
    const person = newPerson();
    await person.enrol(await person.register('cloned@example.com'));
    const begun: { path: string; body: object }[] = [];
    while (begun.length < 100) {
      person.passkey.counter = 6;
      begun.push(await person.beginSignIn());
    }
    const headers = person.browser.headers();
    await race('signature counter', { success: 200, refusal: 401 }, (n) => ({ path: '', ...begun[n], headers }));
    const denied = await auditRows({ user: 'cloned@example.com', action: 'session.create', decision: 'deny' });
    expect(denied.items[0]?.reason).toBe('signature counter went back');
    expect(denied.total).toBeGreaterThan(10);
  });

  it('redeem an authorization code only once; the repeated requests revoke the tokens that were issued for the code', async () => {
    const person = newPerson();
    await person.enrol(await person.register('code@example.com'));
    const { path, body, verifier } = await person.beginSignIn();
    const { redirect_to } = await person.browser.get<{ redirect_to: string }>(path, { body });
    const exchange = person.exchange(redirect_to, verifier);
    const [winner] = await race('authorization code', { success: 200, refusal: 400 }, () => exchange);
    expect((await asks(asOf(winner as Answer<unknown>))).status).toBe(401);
    const ended = await auditRows({ user: 'code@example.com', action: 'session.revoke' });
    expect(ended.items.map(({ detail }) => detail['reason'])).toEqual(['authorization code replayed']);
  });

  it('step up only once with the same step-up challenge', async () => {
    const person = withoutCounter(newPerson());
    await person.enrol(await person.register('step@example.com'));
    await person.signIn();
    const begun = await person.beginStepUp();
    const headers = person.browser.headers();
    await race('step-up challenge', { success: 200, refusal: 403 }, () => ({ ...begun, headers }));
    expect((await auditRows({ user: 'step@example.com', action: 'session.step_up', decision: 'allow' })).total).toBe(1);
  });

  it('sign in only once with the same recovery link', async () => {
    await arrived('link@example.com');
    const { browser } = newPerson();
    await browser.get('/admin/api/magic-link/request', { body: { email: 'link@example.com' } });
    const token = await until(
      () =>
        /"event":"magic_link.issued","email":"link@example.com","magic_link_token":"(\w+)"/.exec(
          platform.output(),
        )?.[1],
    );
    const redeem = { path: '/admin/api/magic-link/validate', body: { token }, headers: { origin: platform.baseUrl } };
    const [winner] = await race('recovery link', { success: 200, refusal: 401 }, () => redeem);
    const { body } = await asks(asOf(winner as Answer<unknown>), '/admin/api/sessions');
    expect(body.items).toHaveLength(2);
  });

  it("redeem a device-link code only once, and a device's nonce only once; repeated requests with the code revoke the device", async () => {
    const { browser } = await arrived('device@example.com');
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const newRedemption = async () => {
      const { code } = await browser.get<{ code: string }>('/admin/api/devices/code', { body: {} }, 201);
      const public_key = publicKey.export({ type: 'spki', format: 'pem' });
      return { path: '/bridge-auth/session', body: { code, device_name: 'laptop', public_key } };
    };
    const raced = await newRedemption();
    const [winner] = await race<{ pat: string }>('device-link code', { success: 200, refusal: 401 }, () => raced);
    expect((await browser.ask('/bridge-auth/nonce', { body: { pat: winner?.body.pat } })).status).toBe(401);

    const { path, body } = await newRedemption();
    const { pat } = await browser.get<{ pat: string }>(path, { body });
    const { nonce } = await browser.get<{ nonce: string }>('/bridge-auth/nonce', { body: { pat } });
    const signature = sign('sha256', Buffer.from(nonce), privateKey).toString('base64url');
    const proof = { path: '/bridge-auth/token', body: { pat, nonce, signature } };
    await race('nonce', { success: 200, refusal: 401 }, () => proof);
  });

  it('redeem each of these only once: a consent, the return to the runtime API after it, an authorization code, and a refresh token', async () => {
    const { browser } = await arrived('consent@example.com');
    const redirect_uri = 'https://app.example/callback';
    const client = await browser.get<{ client_id: string; client_secret: string }>(
      '/admin/api/clients',
      { body: { name: 'App', redirect_uris: [redirect_uri], scopes: ['agents:read'] } },
      201,
    );
    const code_verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri, response_type: 'code', state: 'state-of-app' },
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const begun = await send(`${runtimes[0]}/oauth/authorize?${query.toString()}`);
    const request = new URL(begun.headers.get('location') ?? '').searchParams.get('request');
    const tied = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';

    const decide = { path: '/admin/api/consents', body: { request, decision: 'approve' }, headers: browser.headers() };
    const [decided] = await race<{ location: string }>('consent', { success: 200, refusal: 404 }, () => decide);
    const back = new URL(decided?.body.location ?? '');
    const come = { path: `${back.pathname}${back.search}`, headers: { cookie: tied } };
    const [returned] = await race('way back', { success: 303, refusal: 400 }, () => come, runtimes);
    const code = new URL(returned?.headers.get('location') ?? '').searchParams.get('code') ?? '';

    interface Tokens {
      access_token: string;
      refresh_token: string;
    }
    const { client_id, client_secret } = client;
    const token = (form: Record<string, string>) => ({
      path: '/oauth/token',
      body: new URLSearchParams({ client_id, client_secret, ...form }),
    });
    const refusal = { success: 200, refusal: 400 };
    const redeem = token({ grant_type: 'authorization_code', code, redirect_uri, code_verifier });
    const [first] = await race<Tokens>("the runtime's code", refusal, () => redeem, runtimes);
    const bearer = { authorization: `Bearer ${first?.body.access_token}` };
    expect((await send(`${runtimes[1]}/api/v1/agents/registry`, { headers: bearer })).status).toBe(401);

    const given = await send<Tokens>(`${runtimes[0]}/oauth/token`, {
      body: token({ grant_type: 'client_credentials' }).body,
    });
    const refresh = token({ grant_type: 'refresh_token', refresh_token: given.body.refresh_token });
    await race<Tokens>("the runtime's refresh token", refusal, () => refresh, runtimes);
  });
});

describe('a browser whose requests alternate between two processes', () => {
  it('registers, creates a passkey, signs in, steps up, creates a key, adds a passkey and signs out', async () => {
    const person = newPerson();
    const { browser } = person;
    const token = await person.register('alternating@example.com');
    expect((await browser.ask(`/admin/add-passkey?token=${token}`)).status).toBe(200);
    await person.enrol(token);
    const login = await browser.ask('/admin/login?redirect=/admin/profile');
    expect(login.status).toBe(200);
    const { path, body, verifier, query } = await person.beginSignIn();
    expect((await browser.ask(`/admin/oauth/authorize?${query.toString()}`)).status).toBe(200);
    const { redirect_to } = await browser.get<{ redirect_to: string }>(path, { body });
    expect((await browser.ask(redirect_to.slice(platform.baseUrl.length))).status).toBe(200);
    const exchange = person.exchange(redirect_to, verifier);
    await browser.get(exchange.path, { body: exchange.body });
    expect(await browser.get('/admin/api/me')).toMatchObject({ email: 'alternating@example.com' });
    expect((await browser.ask('/admin/profile')).status).toBe(200);
    await person.stepUp();
    await browser.get('/admin/api/keys', { body: { name: 'k' } }, 201);
    person.passkey = createPasskey(platform.baseUrl);
    await person.enrol();
    const { access_token = '' } = Object.fromEntries(browser.cookies);
    browser.cookies.delete('access_token');
    for (let n = 0; n < 4; n++) await browser.get('/admin/api/me');
    await browser.get('/admin/api/sign-out', { method: 'POST' }, 204);
    expect(browser.cookies.has('access_token')).toBe(false);
    for (const url of urls)
      expect((await send(`${url}/admin/api/me`, { headers: { cookie: `access_token=${access_token}` } })).status).toBe(
        401,
      );
  });
});

describe('a refresh token that is reused after ten seconds', () => {
  it('is refused in all 100 concurrent requests, and its session is ended only once', async () => {
    await until(() => (Date.now() > refreshed.at + 10_500 ? true : undefined));
    const headers = { cookie: `refresh_token=${refreshed.token}` };
    const answers = await Promise.all(HUNDRED.map((n) => send(`${urls[n % 2]}/admin/api/me`, { headers })));
    expect(answers.filter(({ status }) => status !== 401 && status !== 503)).toEqual([]);
    const ended = await auditRows({ user: 'refresh@example.com', action: 'session.revoke' });
    expect(ended.items.map(({ detail }) => detail['reason'])).toEqual(['refresh token reused']);
    process.stdout.write(`Successes of 100 at once over two processes: ${winners.join(', ')}\n`);
  });
});

describe('the logs of the processes', () => {
  it('contain no secret, except a recovery link in the event `magic_link.issued`', () => {
    const written = platform.output();
    const [token = ''] = linkTokens(written);
    expect(secretsSeen().has(token)).toBe(true);
    expect(written.split('\n').filter((line) => line.includes(token))).toHaveLength(1);
    expect(linesWithSecrets(written)).toEqual([]);
    // A recovery link in any other event is a fault.
    expect(linesWithSecrets(written.replace('"event":"magic_link.issued"', '"event":"other"'))).toHaveLength(1);
    expect(secretsSeen().size).toBeGreaterThan(500);
    process.stdout.write(
      `${secretsSeen().size} secrets looked for in ${written.split('\n').length} lines of ${platform.services.length} processes: 0 found\n`,
    );
  });
});
