import { createHash, generateKeyPairSync, sign as signBytes, X509Certificate, type KeyObject } from 'node:crypto';
import { issueDeviceCode, revokeUser } from '@millwright/accounts';
import { createGatewayVerifier } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { createHttpClient, createTestDatabase, type ClientAnswer, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let site: TestConsole;
/** Another process of the same installation. */
let other: TestConsole;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  other = await startConsole(database.url);
});
afterAll(async () => {
  await other.close();
  await site.close();
  await database.drop();
});

async function newUser(email: string, role: 'user' | 'admin' = 'user') {
  const row = await site.addUser({ email, role });
  return {
    ...row,
    role,
    status: 'active',
    actor: { userId: row.id, kind: 'user', label: row.name } as const,
    ...(await site.signIn(row)),
  };
}
type User = Awaited<ReturnType<typeof newUser>>;

const newCode = async (user: User, changes: object = {}) =>
  (await site.db.transaction((tx) => issueDeviceCode(tx, { user, ...changes }, user.actor))).code;
const newDeviceKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const post = (path: string, json: object, at = site) =>
  createHttpClient(at.url)('POST', `/bridge-auth/${path}`, { json });
const redeem = (code: string, changes: object = {}, at = site) =>
  post('session', { code, device_name: 'laptop', public_key: pemOf(newDeviceKey().publicKey), ...changes }, at);
const codeOf = ({ status, body }: ClientAnswer) => [status, (body as { error?: { code: string } }).error?.code];

interface Credential {
  pat: string;
  device_certificate: string;
  expires_at: string;
}

/** Links a device, and returns its key as well. */
async function linked(user: User, changes: object = {}) {
  const { privateKey, publicKey } = newDeviceKey();
  const answer = await redeem(await newCode(user, changes), { public_key: pemOf(publicKey) });
  expect(answer.status).toBe(200);
  return { ...(answer.body as Credential), privateKey, publicKey };
}

async function nonceFor(pat: string): Promise<string> {
  return ((await post('nonce', { pat })).body as { nonce: string }).nonce;
}
const signed = (nonce: string, key: KeyObject, dsaEncoding: 'der' | 'ieee-p1363' = 'der') =>
  signBytes('sha256', Buffer.from(nonce), { key, dsaEncoding }).toString('base64url');

describe('POST /bridge-auth/session', () => {
  it('exchanges a code for a token and a certificate of the device’s key; code and token are stored only as hashes', async () => {
    const user = await newUser('ada@example.com');
    const { publicKey } = newDeviceKey();
    const code = await newCode(user, { deviceName: 'Ada’s laptop' });
    const { status, body } = await redeem(code, { public_key: publicKey.export({ format: 'jwk' }) });
    expect(status).toBe(200);
    const { pat, device_certificate, expires_at } = body as Credential;
    expect(pat).toMatch(/^mw_pat_\w{12}_\w{49}$/);
    const certificate = new X509Certificate(device_certificate);
    const device = await site.db.prisma.device.findFirstOrThrow({ where: { user_id: user.id } });
    expect(certificate.subject).toBe(`CN=${encodeId('dev', device.id)}`);
    expect(certificate.publicKey.equals(publicKey)).toBe(true);
    expect([certificate.ca, certificate.issuer]).toEqual([false, 'CN=Test devices']);
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect([Math.round(days), new Date(certificate.validTo).getTime()]).toEqual([
      365,
      Math.floor(Date.parse(expires_at) / 1_000) * 1_000,
    ]);
    expect(device.name).toBe('Ada’s laptop');
    const notices = await site.db.prisma.accountNotice.findMany({ where: { user_id: user.id } });
    expect(notices).toMatchObject([{ kind: 'device_linked', email: 'ada@example.com' }]);
    const dump = JSON.stringify([
      await site.db.prisma.userApiKey.findMany(),
      await site.db.prisma.deviceLinkCode.findMany(),
    ]);
    expect(dump).not.toContain(pat.slice(-49, -6));
    expect(dump).not.toContain(code);
    const auditRows = await site.db.prisma.governanceDecision.findMany({
      where: { user_id: user.id },
      orderBy: { id: 'asc' },
    });
    expect(auditRows.map(({ action }) => action)).toEqual([
      ...['user.create', 'session.create', 'device_code.create', 'pat.create', 'device.create'],
    ]);
    expect(
      JSON.stringify(auditRows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(code);
  });

  it('accepts one of 100 concurrent requests with one code at two processes, and revokes the new device because the code was reused', async () => {
    const user = await newUser('race@example.com');
    const code = await newCode(user);
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => redeem(code, {}, n % 2 ? site : other)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 401, 503].includes(status))).toEqual([]);
    expect(await site.db.prisma.device.count({ where: { user_id: user.id } })).toBe(1);
    expect((await redeem(code)).status).toBe(401);
    expect(await site.db.prisma.device.count({ where: { user_id: user.id, revoked_at: null } })).toBe(0);
    expect(await site.db.prisma.userApiKey.count({ where: { user_id: user.id, revoked_at: null } })).toBe(0);
    const ended = await site.db.prisma.governanceDecision.findMany({
      where: { user_id: user.id, action: 'device.revoke' },
    });
    expect(ended).toMatchObject([{ detail: { reason: 'device-link code replayed', by: 'stranger' } }]);
  });

  it('requires a verifier when the code has a challenge, and refuses a verifier when the code has no challenge', async () => {
    const user = await newUser('pkce@example.com');
    const verifier = 'v'.repeat(43);
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await newCode(user, { codeChallenge });
    for (const wrong of [{}, { code_verifier: 'w'.repeat(43) }, { code_verifier: codeChallenge }])
      expect(codeOf(await redeem(code, wrong))).toEqual([401, 'unauthorized']);
    expect((await redeem(code, { code_verifier: verifier })).status).toBe(200);
    // This second use of the code has no verifier, so the device is not revoked: only a reuse with the verifier revokes the device.
    expect((await redeem(code)).status).toBe(401);
    expect(await site.db.prisma.device.count({ where: { user_id: user.id, revoked_at: null } })).toBe(1);
    expect(codeOf(await redeem(await newCode(user), { code_verifier: verifier }))).toEqual([401, 'unauthorized']);
  });

  it('refuses a code that is expired or revoked or belongs to a disabled account', async () => {
    const user = await newUser('late@example.com');
    const [expired, revoked, disabled] = [await newCode(user), await newCode(user), await newCode(user)];
    await site.db.prisma.$executeRaw`
      UPDATE device_link_codes SET expires_at = now() WHERE code_hash = ${createHash('sha256').update(expired).digest()}`;
    await site.db.prisma.$executeRaw`
      UPDATE device_link_codes SET revoked_at = now() WHERE code_hash = ${createHash('sha256').update(revoked).digest()}`;
    await site.db.prisma.user.update({ where: { id: user.id }, data: { status: 'inactive' } });
    for (const code of [expired, revoked, disabled, 'f'.repeat(64)])
      expect(codeOf(await redeem(code))).toEqual([401, 'unauthorized']);
  });

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const own = newDeviceKey();
  it.each<[string, object]>([
    ['a key of another curve', { public_key: pemOf(p384.publicKey) }],
    ['an RSA key', { public_key: pemOf(rsa.publicKey) }],
    ['a private key', { public_key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }],
    ['a private JWK', { public_key: own.privateKey.export({ format: 'jwk' }) }],
    ['no key', { public_key: 'x' }],
    ['a short code', { code: 'abc' }],
    ['a name that hides', { device_name: 'lap\u202etop' }],
    ['an unknown field', { scope: '*' }],
  ])('refuses %s and leaves the code valid', async (name, change) => {
    const code = await newCode(await newUser(`${name.replaceAll(' ', '')}@example.com`));
    expect(codeOf(await redeem(code, change))).toEqual([422, 'validation_error']);
    expect((await redeem(code)).status).toBe(200);
  });

  it('accepts ten attempts a minute from an IP address', async () => {
    const tight = await startConsole(database.url, { multiplier: 1 });
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push(await redeem('f'.repeat(64), {}, tight));
    await tight.close();
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429]);
    expect(answers[10]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('POST /bridge-auth/token', () => {
  const tokenOf = ({ body }: ClientAnswer) => (body as { access_token: string }).access_token;
  const verify = (token: string) => createGatewayVerifier(site.db, { issuer: site.url, area: 'platform' })(token);

  it.each(['der', 'ieee-p1363'] as const)(
    'issues a gateway token when the request has a personal access token and a signature in the encoding %s',
    async (encoding) => {
      const user = await newUser(`mint-${encoding}@example.com`);
      const { pat, privateKey } = await linked(user);
      const nonce = await nonceFor(pat);
      const answer = await post('token', { pat, nonce, signature: signed(nonce, privateKey, encoding) });
      expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600 } });
      expect(await verify(tokenOf(answer))).toMatchObject({ user: { id: user.id }, project: 'Core' });
      expect(
        (await site.db.prisma.device.findFirstOrThrow({ where: { user_id: user.id } })).last_used_at,
      ).not.toBeNull();
    },
  );

  it('accepts a nonce only once when 20 requests use it concurrently', async () => {
    const { pat, privateKey } = await linked(await newUser('nonce@example.com'));
    const nonce = await nonceFor(pat);
    const body = { pat, nonce, signature: signed(nonce, privateKey) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('token', body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('refuses a wrong signature and a wrong, expired or used nonce, and audits each reason at most once a minute', async () => {
    const startedAt = Date.now();
    const user = await newUser('proof@example.com');
    const [device, neighbour] = [await linked(user), await linked(user)];
    const { pat } = device;
    const attempts = [
      { nonce: await nonceFor(pat), key: neighbour.privateKey },
      { nonce: await nonceFor(neighbour.pat), key: device.privateKey },
      { nonce: 'mw_nonce_made_up', key: device.privateKey },
    ];
    for (const { nonce, key } of attempts)
      expect(codeOf(await post('token', { pat, nonce, signature: signed(nonce, key) }))).toEqual([401, 'unauthorized']);
    const old = await nonceFor(pat);
    await site.db.prisma.$executeRaw`UPDATE device_nonces SET expires_at = now()`;
    expect((await post('token', { pat, nonce: old, signature: signed(old, device.privateKey) })).status).toBe(401);
    const nonce = await nonceFor(pat);
    expect((await post('token', { pat, nonce, signature: signed(`${nonce}x`, device.privateKey) })).status).toBe(401);
    expect((await post('token', { pat, nonce, signature: signed(nonce, device.privateKey) })).status).toBe(401);
    const denied = await site.db.prisma.governanceDecision.findMany({ where: { user_id: user.id, decision: 'deny' } });
    expect([...new Set(denied.map(({ reason }) => reason))].sort()).toEqual([
      'nonce not live',
      'not signed by the device',
    ]);
    expect(denied[0]).toMatchObject({ action: 'gateway_token.issue', detail: { by: 'stranger' } });
    expect(denied.length).toBeLessThanOrEqual(2 * (2 + Math.floor((Date.now() - startedAt) / 60_000)));
  });

  it('audits an attempt with a known token id and a wrong secret as unauthenticated, at most once a minute', async () => {
    const user = await newUser('guessed@example.com');
    const { pat } = await linked(user);
    const another = { secret_hash: new Uint8Array(32) };
    await site.db.prisma.userApiKey.updateMany({ where: { user_id: user.id, kind: 'pat' }, data: another });
    const startedAt = Date.now();
    for (let n = 0; n < 20; n++) expect((await post('nonce', { pat })).status).toBe(401);
    const denied = await site.db.prisma.governanceDecision.findMany({ where: { user_id: user.id, decision: 'deny' } });
    const minutes = 2 + Math.floor((Date.now() - startedAt) / 60_000);
    expect([denied.length > 0, denied.length <= minutes]).toEqual([true, true]);
    expect(denied[0]).toMatchObject({ action: 'pat.use', reason: 'wrong secret', detail: { by: 'stranger' } });
  });

  it('issues no token after the device is revoked; an issued token stays valid for its hour', async () => {
    const user = await newUser('outlive@example.com');
    const { pat, privateKey } = await linked(user);
    const nonce = await nonceFor(pat);
    const token = tokenOf(await post('token', { pat, nonce, signature: signed(nonce, privateKey) }));
    await site.db.transaction((tx) => revokeUser(tx, user.id, user.actor, () => undefined));
    expect(await verify(token)).toBeDefined();
    expect(codeOf(await post('nonce', { pat }))).toEqual([401, 'unauthorized']);
    const denied = { user_id: user.id, action: 'gateway_token.issue', decision: 'deny' };
    expect(await site.db.prisma.governanceDecision.findMany({ where: denied })).toMatchObject([
      { reason: 'token or device not live', detail: { by: 'stranger' } },
    ]);
  });

  it('cannot be used by a disabled account: its request for a nonce is refused, and its remaining credentials are revoked', async () => {
    const user = await newUser('gone@example.com');
    const { pat } = await linked(user);
    await site.db.prisma.user.update({ where: { id: user.id }, data: { status: 'inactive' } });
    expect(codeOf(await post('nonce', { pat }))).toEqual([401, 'unauthorized']);
    expect(await site.db.prisma.userSession.count({ where: { user_id: user.id, revoked_at: null } })).toBe(0);
    expect(await site.db.prisma.device.count({ where: { user_id: user.id, revoked_at: null } })).toBe(0);
  });

  it('issues a token for the project that an admin chose for the device', async () => {
    const admin = await newUser('adm@example.com', 'admin');
    const { pat, privateKey } = await linked(admin, { project: 'Commerce' });
    const nonce = await nonceFor(pat);
    const answer = await post('token', { pat, nonce, signature: signed(nonce, privateKey) });
    expect(await verify(tokenOf(answer))).toMatchObject({ project: 'Commerce', roles: ['user', 'admin'] });
  });
});

describe('/admin/api/devices', () => {
  it("lists and revokes only the user's own devices; revoking a device also revokes its token", async () => {
    const [user, stranger] = [await newUser('own@example.com'), await newUser('stranger@example.com')];
    const { pat } = await linked(user);
    const list = async ({ client }: User) =>
      ((await client('GET', '/admin/api/devices')).body as { items: { id: string; revoked_at: string | null }[] })
        .items;
    const [device] = await list(user);
    expect(device).toMatchObject({ device_name: 'laptop', revoked_at: null, last_used_at: null });
    expect(await list(stranger)).toEqual([]);
    const path = `/admin/api/devices/${device?.id}`;
    expect((await stranger.client('DELETE', path)).status).toBe(404);
    expect((await user.client('DELETE', path)).status).toBe(204);
    expect((await user.client('DELETE', path)).status).toBe(404);
    expect((await list(user))[0]?.revoked_at).not.toBeNull();
    expect((await post('nonce', { pat })).status).toBe(401);
  });

  it('refuses to rotate the token of a device', async () => {
    const user = await newUser('rotating@example.com');
    await linked(user);
    const { key_id } = await site.db.prisma.device.findFirstOrThrow({ where: { user_id: user.id } });
    const answer = await user.client('POST', `/admin/api/keys/${encodeId('key', key_id)}/rotate`, { json: {} });
    expect(codeOf(answer)).toEqual([409, 'conflict']);
  });

  it('creates a code for a device without a browser, but only after a recent passkey proof', async () => {
    const user = await newUser('headless@example.com');
    const answer = await user.client('POST', '/admin/api/devices/code');
    expect(answer.status).toBe(201);
    const { code, expires_at } = answer.body as { code: string; expires_at: string };
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 60_000)).toBe(10);
    expect((await redeem(code)).status).toBe(200);
    await site.db.prisma
      .$executeRaw`UPDATE user_sessions SET proven_at = now() - interval '6 minutes' WHERE user_id = ${user.id}::uuid`;
    expect((await user.client('POST', '/admin/api/devices/code')).status).toBe(403);
    expect(
      await site.db.prisma.governanceDecision.findFirst({ where: { user_id: user.id, decision: 'deny' } }),
    ).toMatchObject({ action: 'device_code.create', reason: 'no fresh passkey proof' });
  });

  it('answers 403 when anyone except an admin chooses the project of a device code', async () => {
    const [user, admin] = [await newUser('plain@example.com'), await newUser('chooser@example.com', 'admin')];
    const json = { project: 'Commerce' };
    expect((await user.client('POST', '/admin/api/devices/code', { json })).status).toBe(403);
    expect((await admin.client('POST', '/admin/api/devices/code', { json })).status).toBe(201);
  });
});
