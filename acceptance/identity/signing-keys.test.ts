import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { linkDevice } from '../harness/bridge.js';
import { createBrowser, personAt, type Person } from '../harness/browser.js';
import { send } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

let platform: Platform;
let person: Person;

beforeAll(async () => {
  // The test signs in repeatedly to find the keys in use. The default limits would refuse these sign-ins.
  const env = { RATE_LIMIT_MULTIPLIER: '10000', SESSION_MAX_PER_USER: '1000' };
  platform = await startPlatform({ replicas: { 'admin-auth': 2 }, env });
  person = personAt(createBrowser([platform.baseUrl], platform.baseUrl), platform.baseUrl);
  await person.arrive('ada@example.com');
});
afterAll(() => platform.stop());

type PublishedKey = JsonWebKey & { kid: string };
const jwks = async () =>
  (await send<{ keys: PublishedKey[] }>(`${platform.baseUrl}/admin/.well-known/jwks.json`)).body.keys;
const kidOf = (token = '') =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
const consoleKid = () => kidOf(person.browser.cookies.get('access_token'));

/** Signs the person in at each process. @returns the ids of the keys that signed the access tokens */
async function kidsInUse(): Promise<Set<string>> {
  const kids = new Set<string>();
  for (const { url } of platform.of('admin-auth')) {
    const other = personAt(createBrowser([url], platform.baseUrl), platform.baseUrl);
    other.passkey = person.passkey;
    await other.signIn();
    kids.add(kidOf(other.browser.cookies.get('access_token')));
  }
  return kids;
}

const asked = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const urls = [
    `${platform.baseUrl}/api/v1/skills`,
    `${platform.runtimeUrl}/api/v1/agents/registry`,
    `${platform.promptUrl}/v1/prompt`,
  ];
  return Promise.all(urls.map(async (url) => (await send(url, { headers })).status));
};

describe("the console's signing key", () => {
  it('is replaced without a restart: both keys are published, and tokens of both are accepted', async () => {
    const before = consoleKid();
    const oldToken = await linkDevice(person.browser);
    const statuses: number[] = [];
    let isOver = false;
    const load = async () => {
      while (!isOver) {
        const { status } = await person.browser.ask('/admin/api/me');
        statuses.push(status, ...(await asked(oldToken)));
      }
    };
    const loading = load();
    const file = platform.keyFile('admin-auth');
    const { kid } = await platform.operator('signing-keys', 'rotate', '--issuer', 'admin-auth', '--file', file);
    const rotatedAt = performance.now();
    expect((await jwks()).map((key) => key.kid)).toEqual(expect.arrayContaining([before, kid]));
    await until(async () => ((await kidsInUse()).has(before) ? undefined : true), 90_000);
    const signingAfter = performance.now() - rotatedAt;
    expect(await kidsInUse()).toEqual(new Set([kid]));
    const newToken = await linkDevice(person.browser);
    expect(kidOf(newToken)).toBe(kid);
    expect([await asked(newToken), await asked(oldToken)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
    isOver = true;
    await loading;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    process.stdout.write(
      `Both processes sign with the next key ${(signingAfter / 1_000).toFixed(1)} s after its rotation; 0 of ${statuses.length} requests failed\n`,
    );
  });

  it('is published in the JWK Set without its private part, and verifies a token that it signed', async () => {
    const token = await linkDevice(person.browser);
    const [head, body, signature = ''] = token.split('.');
    const key = (await jwks()).find(({ kid }) => kid === kidOf(token)) as PublishedKey;
    expect(key).not.toHaveProperty('d');
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const signed = Buffer.from(signature, 'base64url');
    expect(
      verify('sha256', Buffer.from(`${head}.${body}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signed),
    ).toBe(true);
  });

  it('verifies tokens in the other services even while every admin-auth is down', async () => {
    const token = await linkDevice(person.browser);
    await Promise.all(platform.of('admin-auth').map((service) => service.terminate()));
    expect((await send(`${platform.baseUrl}/admin/api/me`)).status).toBe(503);
    for (let n = 0; n < 20; n++) expect(await asked(token)).toEqual([200, 200, 200]);
    await Promise.all(platform.of('admin-auth').map((service) => service.start()));
    await person.browser.get('/admin/api/me');
  });
});
