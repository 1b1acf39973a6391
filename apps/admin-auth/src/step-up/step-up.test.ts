import { encodeId } from '@millwright/db';
import {
  createPasskey,
  createTestDatabase,
  type HttpClient,
  type Lies,
  type TestDatabase,
  type TestPasskey,
} from '@millwright/testing';
import { createMagicLinkStore } from '../magic-link/magic-link.store.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { bodyOf, browser, enrol, enrolledUser, signInWith } from '../test-sign-in.js';

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

const age = (sessionId: string, minutes: number) =>
  site.db.prisma
    .$executeRaw`UPDATE user_sessions SET proven_at = now() - make_interval(mins => ${minutes}), created_at = now() - make_interval(mins => ${minutes}) WHERE id = ${sessionId}::uuid`;
const freshUntil = async (client: HttpClient) =>
  (bodyOf(await client('GET', '/admin/api/me')) as { fresh_until: string | null }).fresh_until;
const start = async (client: HttpClient) =>
  bodyOf(await client('POST', '/admin/api/step-up/start')) as { challenge: string; allowCredentials: { id: string }[] };
const finish = (client: HttpClient, response: object) =>
  client('POST', '/admin/api/step-up/finish', { json: { response } });
const prove = async (client: HttpClient, passkey: TestPasskey, lies?: Lies) =>
  finish(client, passkey.get(await start(client), lies));

let count = 0;
/** Creates a user with a passkey and a session that is no longer fresh. */
async function staleSession() {
  const { user, passkey } = await enrolledUser(site, `stale${++count}@example.com`);
  const { client, sessionId } = await site.signIn(user);
  await age(sessionId, 6);
  return { user, passkey, client, sessionId };
}

const ACTIONS: readonly (readonly [string, string, object])[] = [
  ['POST', '/admin/api/keys', { name: 'k' }],
  ['POST', '/admin/api/keys/key_x/rotate', {}],
  ['POST', '/admin/api/clients', { name: 'c', redirect_uris: [] }],
  ['PATCH', '/admin/api/clients/x', { redirect_uris: ['https://evil.example/cb'] }],
  ['POST', '/admin/api/clients/x/rotate', {}],
  ['POST', '/admin/api/areas/platform/api/v1/mcp/servers', { name: 's', url: 'https://s.example', pin_tools: false }],
  ['PATCH', '/admin/api/areas/platform/api/v1/mcp/servers/ms_x', { pin_tools: false }],
  ['POST', '/admin/api/areas/platform/api/v1/mcp/servers/ms_x/tools/add/approve', { hash: 'x' }],
  ['PUT', '/admin/api/areas/platform/api/v1/mcp/servers/ms_x/tools/rules', { rules: [] }],
  ['PUT', '/admin/api/areas/platform/api/v1/plugins/pl_x/rule', { rule: 'allow' }],
  ['PUT', '/admin/api/areas/platform/api/v1/agents/ag_x/rule', { rule: 'allow' }],
  ['PUT', '/admin/api/areas/platform/api/v1/tool-policy', { unmarked_tools: 'allow' }],
  ['PUT', '/admin/api/areas/platform/api/v1/knowledge-search', { embedding_model: null }],
  ['PUT', '/admin/api/areas/platform/api/v1/guards', { rules: {} }],
  ['PUT', '/admin/api/areas/platform/api/v1/agents/ag_x/guards', { rules: {} }],
  ['PATCH', '/admin/api/areas/platform/api/v1/budgets/bud_x', { amount: 1_000 }],
  ['DELETE', '/admin/api/areas/platform/api/v1/budgets/bud_x', {}],
  ['POST', '/admin/api/areas/platform/api/v1/models', { name: 'm', preset: 'openai' }],
  ['PATCH', '/admin/api/areas/platform/api/v1/models/mdl_x', { base_url: 'https://evil.example/v1', api_key: 'x' }],
  ['DELETE', '/admin/api/areas/platform/api/v1/models/mdl_x', {}],
  ['POST', '/admin/api/areas/platform/api/v1/model-prices', { model: 'm' }],
  ['DELETE', '/admin/api/areas/platform/api/v1/model-prices/mp_x', {}],
  ['POST', '/admin/api/areas/platform/api/v1/triggers', { name: 'Report' }],
  ['POST', '/admin/api/areas/platform/api/v1/triggers/trg_x/rotate-secret', {}],
  ['POST', '/admin/api/areas/platform/api/v1/webhooks', { url: 'https://evil.example' }],
  ['PATCH', '/admin/api/areas/platform/api/v1/webhooks/wh_x', { url: 'https://evil.example' }],
  ['POST', '/admin/api/areas/platform/api/v1/webhooks/wh_x/rotate-secret', {}],
  ['POST', '/admin/api/areas/runtime/api/v1/users', { email: 'eve@example.com', name: 'Eve' }],
  ['PUT', '/admin/api/areas/runtime/api/v1/users/usr_x', { email: 'eve@example.com' }],
  ['DELETE', '/admin/api/areas/runtime/api/v1/users/usr_x', {}],
  ['DELETE', '/admin/api/passkeys/pk_x', {}],
  ['POST', '/admin/api/passkey/register/start', {}],
];

describe('a session', () => {
  it('is fresh for five minutes after a passkey proof', async () => {
    const { user } = await enrolledUser(site, 'five@example.com');
    const { client, sessionId } = await site.signIn(user);
    const until = Date.parse((await freshUntil(client)) ?? '') - Date.now();
    expect(until).toBeGreaterThan(290_000);
    expect(until).toBeLessThanOrEqual(300_000);
    await age(sessionId, 5);
    expect(await freshUntil(client)).toBeNull();
  });

  it('is fresh for fifteen minutes after a recovery link', async () => {
    await site.addUser({ email: 'fifteen@example.com' });
    const links = createMagicLinkStore(site.db);
    const token = await links.issue('fifteen@example.com', { ip: '127.0.0.1', requestId: 'test' });
    const { next } = browser(site.url);
    const client = next();
    bodyOf(await client('POST', '/admin/api/magic-link/validate', { json: { token: token?.token } }));
    expect(Date.parse((await freshUntil(client)) ?? '') - Date.now()).toBeGreaterThan(890_000);
    const { id } = await site.db.prisma.userSession.findFirstOrThrow({
      where: { user: { email: 'fifteen@example.com' } },
    });
    await age(id, 14);
    expect(await freshUntil(client)).not.toBeNull();
    await age(id, 15);
    expect(await freshUntil(client)).toBeNull();
  });

  it.each(ACTIONS)(
    'gets step_up_required for %s %s when it is not fresh, and the refusal is recorded',
    async (method, path, json) => {
      const { client, user } = await staleSession();
      const answer = await client(method, path, { json });
      expect(answer.body).toMatchObject({ error: { code: 'step_up_required', status: 403 } });
      const denied = await site.db.prisma.governanceDecision.findMany({
        where: { user_id: user.id, decision: 'deny' },
      });
      expect(denied).toMatchObject([{ reason: 'no fresh passkey proof', resource: encodeId('usr', user.id) }]);
    },
  );
});

describe('POST /admin/api/step-up', () => {
  it('makes the session fresh, so that actions that require a recent proof succeed', async () => {
    const { client, passkey, sessionId, user } = await staleSession();
    const options = await start(client);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([passkey.id]);
    const { fresh_until } = bodyOf(await finish(client, passkey.get(options))) as { fresh_until: string };
    expect(await freshUntil(client)).toBe(fresh_until);
    expect((await client('POST', '/admin/api/keys', { json: { name: 'k' } })).status).toBe(201);
    const where = { user_id: user.id, action: 'session.step_up' };
    expect(await site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([
      { decision: 'allow', resource: encodeId('ses', sessionId) },
    ]);
  });

  it('does not change other sessions', async () => {
    const { client, passkey, user } = await staleSession();
    const other = await site.signIn(user);
    await age(other.sessionId, 6);
    bodyOf(await prove(client, passkey));
    expect(await freshUntil(other.client)).toBeNull();
  });

  it('accepts a synced passkey, whose counter stays at 0, repeatedly', async () => {
    const { user, passkey } = await enrolledUser(site, 'synced@example.com', { counting: false });
    const { client } = await site.signIn(user);
    for (let n = 0; n < 3; n++) bodyOf(await prove(client, passkey));
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['a challenge that the client made', { challenge: 'x'.repeat(43) }],
    ['a counter that went back', { counter: 1 }],
    ['the user handle of another', { userHandle: 'AAAA' }],
    ['the id of an unknown passkey', { id: 'AAAA' }],
  ])('refuses %s, and records the refusal', async (_case, lies) => {
    const { client, passkey, user } = await staleSession();
    const answer = await prove(client, passkey, lies);
    expect(answer.body).toMatchObject({ error: { code: 'forbidden', status: 403 } });
    expect(await freshUntil(client)).toBeNull();
    const where = { user_id: user.id, action: 'session.step_up', decision: 'deny' };
    expect(await site.db.prisma.governanceDecision.count({ where })).toBe(1);
  });

  it('records failed proofs at most once a minute', async () => {
    const { client, passkey, user } = await staleSession();
    const startedAt = Date.now();
    for (let n = 0; n < 8; n++) await prove(client, passkey, { origin: 'https://evil.example' });
    const where = { user_id: user.id, action: 'session.step_up', decision: 'deny' };
    const denied = await site.db.prisma.governanceDecision.findMany({ where });
    const minutes = 2 + Math.floor((Date.now() - startedAt) / 60_000);
    expect([denied.length > 0, denied.length <= minutes]).toEqual([true, true]);
  });

  it.each<[string, object]>([
    ['no client data', { id: 'x' }],
    ['client data that is not JSON', { id: 'x', response: { clientDataJSON: 'AAAA' } }],
    ['client data that is null', { id: 'x', response: { clientDataJSON: Buffer.from('null').toString('base64url') } }],
    [
      'a challenge that is a number',
      { id: 'x', response: { clientDataJSON: Buffer.from('{"challenge":1}').toString('base64url') } },
    ],
  ])('refuses %s', async (_case, response) => {
    const { client } = await staleSession();
    expect((await finish(client, response)).status).toBe(403);
  });

  it("refuses another user's passkey", async () => {
    const { client } = await staleSession();
    const { passkey: theirs } = await staleSession();
    expect((await prove(client, theirs)).status).toBe(403);
    expect(await freshUntil(client)).toBeNull();
  });

  it('refuses a challenge that was begun in another session, of the same user or of another user', async () => {
    const { client, passkey, user } = await staleSession();
    const [second, stranger] = [await site.signIn(user), await staleSession()];
    const options = await start(client);
    for (const other of [second.client, stranger.client])
      expect((await finish(other, passkey.get(options))).status).toBe(403);
    bodyOf(await finish(client, passkey.get(options)));
  });

  it('refuses a reused answer, a late answer, and the challenge of a sign-in', async () => {
    const { client, passkey } = await staleSession();
    const answer = passkey.get(await start(client));
    bodyOf(await finish(client, answer));
    expect((await finish(client, answer)).status).toBe(403);
    const late = await start(client);
    const isLate = { where: { challenge: late.challenge }, data: { expires_at: new Date() } };
    await site.db.prisma.webAuthnCeremony.update(isLate);
    expect((await finish(client, passkey.get(late))).status).toBe(403);
    const other = await start(client);
    await site.db.prisma.webAuthnCeremony.update({
      where: { challenge: other.challenge },
      data: { kind: 'authentication', state: 's', code_challenge: 'c' },
    });
    expect((await finish(client, passkey.get(other))).status).toBe(403);
  });

  it('refuses a removed passkey', async () => {
    const { client, passkey } = await staleSession();
    bodyOf(await prove(client, passkey));
    bodyOf(await enrol(await asBrowser(passkey), createPasskey(site.url)), 201);
    const options = await start(client);
    await site.db.prisma.passkey.update({ where: { credential_id: passkey.id }, data: { removed_at: new Date() } });
    expect((await finish(client, passkey.get(options))).status).toBe(403);
  });

  it('answers 409 for an account without passkeys, and 401 without a session', async () => {
    const { client } = await site.signIn(await site.addUser({ email: 'none@example.com' }));
    expect((await client('POST', '/admin/api/step-up/start')).status).toBe(409);
    const stranger = browser(site.url).next();
    expect((await stranger('POST', '/admin/api/step-up/start')).status).toBe(401);
    expect((await finish(stranger, { id: 'x' })).status).toBe(401);
  });

  it('names the invalid fields of the body', async () => {
    const { client } = await staleSession();
    expect((await client('POST', '/admin/api/step-up/finish', { json: {} })).body).toMatchObject({
      error: { code: 'validation_error', message: expect.stringContaining('response') as string },
    });
  });
});

async function asBrowser(passkey: TestPasskey) {
  const { next } = browser(site.url);
  await signInWith(next, site.url, passkey);
  return next;
}
