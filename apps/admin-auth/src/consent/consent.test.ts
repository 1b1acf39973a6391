import { randomBytes } from 'node:crypto';
import { issueOAuthClient, type NewOAuthClient } from '@millwright/accounts';
import { hashSecret } from '@millwright/auth';
import { decodeId, encodeId, newId } from '@millwright/db';
import type { ConsentData } from '@millwright/pages';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import type { Consent } from './consent.contract.js';
import { requestRow, storeRequest, type TestRequest } from './test-requests.js';

let database: TestDatabase;
let site: TestConsole;
let ada: Awaited<ReturnType<TestConsole['addUser']>>;
let client: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  ada = await site.addUser({ email: 'ada@example.com' });
  client = (await site.signIn(ada)).client;
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const secret = () => randomBytes(32).toString('hex');
const bytes = (text: string) => new Uint8Array(hashSecret(text));

async function newClient(changes: Partial<NewOAuthClient> = {}): Promise<string> {
  const input: NewOAuthClient = {
    userId: ada.id,
    name: 'Notebook',
    redirectUris: ['https://app.example/cb'],
    scopes: ['*'],
    project: 'Core',
    ...changes,
  };
  const actor = { userId: ada.id, kind: 'user', label: 'Ada' } as const;
  const { id } = await site.db.transaction((tx) => issueOAuthClient(tx, input, actor));
  return decodeId('cli', id) ?? '';
}

/** Stores a self-registered client in the same form as the runtime API. */
async function newStranger(redirect_uris: string[]): Promise<string> {
  const row = { id: newId(), client_id: newId(), name: '<b>Inspector</b>', kind: 'registered', auth_method: 'none' };
  return (await site.db.prisma.oAuthClient.create({ data: { ...row, redirect_uris, scopes: ['*'] } })).id;
}

const ask = (clientId: string, asked?: TestRequest) => storeRequest(site.db, clientId, asked);
const page = async (request: string, by = client) => {
  const { status, text } = await by('GET', `/admin/consent?request=${encodeURIComponent(request)}`);
  return { status, text };
};
const goesOn = async (clientId: string, asked?: TestRequest) =>
  (pageIn((await page(await ask(clientId, asked))).text).data as ConsentData).isRemembered;
const decide = (request: string, decision = 'approve', by = client) =>
  by('POST', '/admin/api/consents', { json: { request, decision } });
const rowOf = (request: string) => requestRow(site.db, request);

describe('GET /admin/consent', () => {
  it('shows the application, scopes, account and redirect target, with all texts escaped', async () => {
    const { status, text } = await page(await ask(await newStranger(['https://app.example/cb'])));
    expect(status).toBe(200);
    expect(pageIn(text)).toMatchObject({
      name: 'consent',
      data: {
        clientName: '<b>Inspector</b>',
        clientHost: null,
        isUnverified: true,
        leadsTo: 'app.example',
        isLocal: false,
        email: 'ada@example.com',
        scopes: [{ scope: 'agents:read', description: 'Read agents' }],
        isRemembered: false,
      },
    });
    expect(text).not.toContain('<b>Inspector');
  });

  it('names the creator; the application is unverified unless the signed-in user or an admin without an API key created it', async () => {
    const bob = await site.addUser({ email: 'bob@example.com', name: 'Bob' });
    const root = await site.addUser({ email: 'root@example.com', name: 'Root', role: 'admin' });
    const shown = async (clientId: string) => {
      const { madeBy, isUnverified } = pageIn((await page(await ask(clientId))).text).data as ConsentData;
      return { madeBy, isUnverified };
    };
    expect(await shown(await newClient({ userId: bob.id }))).toEqual({
      madeBy: { name: 'Bob', email: 'bob@example.com', isYou: false },
      isUnverified: true,
    });
    expect(await shown(await newClient({ userId: root.id }))).toMatchObject({
      madeBy: { name: 'Root' },
      isUnverified: false,
    });
    expect(await shown(await newClient())).toMatchObject({ madeBy: { isYou: true }, isUnverified: false });
    expect(await shown(await newClient({ userId: root.id, key: 'key_of_root' }))).toMatchObject({
      madeBy: { name: 'Root' },
      isUnverified: true,
    });
    expect(await shown(await newStranger(['https://app.example/cb']))).toEqual({ madeBy: null, isUnverified: true });
    await site.db.prisma.user.update({ where: { id: root.id }, data: { role: 'user' } });
    expect(await shown(await newClient({ userId: root.id }))).toMatchObject({ isUnverified: true });
  });

  it('shows the whole redirect URI when its scheme is private-use, because its host can then be any text', async () => {
    const redirect_uri = 'com.evil.app://console.example/cb';
    const { text } = await page(await ask(await newStranger([redirect_uri]), { redirect_uri }));
    expect(pageIn(text).data).toMatchObject({ leadsTo: redirect_uri, isLocal: true });
  });

  it("warns when the redirect URI is on the user's own machine", async () => {
    const redirect_uri = 'http://127.0.0.1/cb';
    const local = await page(await ask(await newStranger([redirect_uri]), { redirect_uri }));
    expect(pageIn(local.text).data).toMatchObject({ isLocal: true });
    expect(pageIn((await page(await ask(await newClient()))).text).data).toMatchObject({ isLocal: false });
  });

  it.each([
    ['a page without a request', () => Promise.resolve('')],
    ['an unknown request', () => Promise.resolve(secret())],
    ['an expired request', async () => ask(await newClient(), { expires: -1 })],
    [
      'a request that was answered before',
      async () => {
        const request = await ask(await newClient());
        await decide(request);
        return request;
      },
    ],
  ])('answers 404 to %s, and states what to do next', async (_title, prepare) => {
    const { status, text } = await page(await prepare());
    expect(status).toBe(404);
    expect(text).toContain('begin again');
  });

  it('answers 403 when the account may grant none of the requested scopes', async () => {
    const admin = await page(await ask(await newClient(), { scopes: ['admin'] }));
    const elsewhere = await page(await ask(await newClient({ project: 'Commerce' })));
    expect([admin.status, elsewhere.status]).toEqual([403, 403]);
  });

  it('redirects a browser without a session to the sign-in page, and back after the sign-in', async () => {
    const answer = await fetch(`${site.url}/admin/consent?request=abc`, { redirect: 'manual' });
    const redirect = encodeURIComponent('/admin/consent?request=abc');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/admin/login?redirect=${redirect}`]);
  });
});

describe('POST /admin/api/consents', () => {
  it('stores and audits the consent, and returns a ticket for the runtime API', async () => {
    const clientId = await newClient();
    const request = await ask(clientId, { scopes: ['agents:read', 'admin'] });
    const { status, body } = await decide(request);
    expect(status).toBe(200);
    const location = new URL((body as { location: string }).location);
    expect(location.origin + location.pathname).toBe('http://runtime.test/oauth/authorize/return');
    expect(location.searchParams.get('request')).toBe(request);
    const row = await rowOf(request);
    expect(row).toMatchObject({ user_id: ada.id, granted: ['agents:read'] });
    expect(row.ticket_hash).toEqual(bytes(location.searchParams.get('ticket') ?? ''));
    const auditRows = await site.db.prisma.governanceDecision.findMany({
      where: { resource: encodeId('cli', clientId), action: 'oauth_consent.approve' },
    });
    expect(auditRows).toMatchObject([{ user_id: ada.id, detail: { scopes: ['agents:read'] } }]);
  });

  describe('scopes for administrators in an authorization request', () => {
    const ADMIN_SCOPES = ['admin', 'runs:read_all', 'users:read', 'users:write'];
    let root: Awaited<ReturnType<TestConsole['addUser']>>;
    let asRoot: HttpClient;
    let sessionId: string;
    let clientId: string;
    beforeAll(async () => {
      root = await site.addUser({ email: 'chief@example.com', role: 'admin' });
      const session = await site.signIn(root);
      asRoot = session.client;
      sessionId = session.sessionId;
      clientId = await newClient({ userId: root.id });
    });
    const askAll = () => ask(clientId, { scopes: ['agents:read', ...ADMIN_SCOPES] });
    const approve = (request: string, admin_scopes?: string[]) =>
      asRoot('POST', '/admin/api/consents', { json: { request, decision: 'approve', admin_scopes } });
    const provenAt = (at: Date) =>
      site.db.prisma.userSession.update({ where: { id: sessionId }, data: { proven_at: at } });

    it('are shown separately, and consent to them is never remembered', async () => {
      const request = await askAll();
      const { data } = pageIn((await page(request, asRoot)).text);
      expect(data).toMatchObject({ scopes: [{ scope: 'agents:read' }], isRemembered: false });
      expect((data as ConsentData).adminScopes.map(({ scope }) => scope).sort()).toEqual(ADMIN_SCOPES);
      expect((await approve(request, ADMIN_SCOPES)).status).toBe(200);
      expect((pageIn((await page(await askAll(), asRoot)).text).data as ConsentData).isRemembered).toBe(false);
    });

    it('are granted only when the admin selected them one by one', async () => {
      const [none, one] = [await askAll(), await askAll()];
      await approve(none);
      await approve(one, ['users:read']);
      expect([(await rowOf(none)).granted, (await rowOf(one)).granted]).toEqual([
        ['agents:read'],
        ['agents:read', 'users:read'],
      ]);
    });

    it('are granted only when they were requested; the selection of any other scope is answered with 422', async () => {
      const request = await ask(clientId, { scopes: ['agents:read'] });
      expect((await approve(request, ['agents:write'])).status).toBe(422);
      await approve(request, ['admin']);
      expect((await rowOf(request)).granted).toEqual(['agents:read']);
    });

    it('require a recent passkey proof; other scopes require none', async () => {
      const [refused, plain] = [await askAll(), await askAll()];
      await provenAt(new Date(Date.now() - 6 * 60_000));
      expect(await approve(refused, ['admin'])).toMatchObject({
        status: 403,
        body: { error: { code: 'step_up_required' } },
      });
      expect((await rowOf(refused)).decided_at).toBeNull();
      expect((await approve(plain)).status).toBe(200);
      await provenAt(new Date());
      expect((await approve(refused, ['admin'])).status).toBe(200);
    });
  });

  it('answers access_denied when the user denies the request', async () => {
    const request = await ask(await newClient());
    expect((await decide(request, 'deny')).status).toBe(200);
    expect(await rowOf(request)).toMatchObject({ user_id: ada.id, granted: [] });
  });

  it('accepts only one of many concurrent decisions on a request', async () => {
    const request = await ask(await newClient());
    const answers = await Promise.all(Array.from({ length: 50 }, () => decide(request)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
  });

  it('answers 404 to an expired request, 422 to an unknown decision, 401 without a session, 403 to another site', async () => {
    expect((await decide(secret())).status).toBe(404);
    expect((await decide(await ask(await newClient()), 'maybe')).status).toBe(422);
    const request = await ask(await newClient());
    expect((await fetch(`${site.url}/admin/api/consents`, { method: 'POST' })).status).toBe(401);
    const foreign = await client('POST', '/admin/api/consents', {
      json: { request, decision: 'approve' },
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect((await rowOf(request)).decided_at).toBeNull();
  });
});

describe('a consent', () => {
  it("is remembered for its scopes, unless its client is unverified and has a redirect URI on the user's own machine", async () => {
    const clientId = await newClient();
    await decide(await ask(clientId, { scopes: ['agents:read', 'skills:read'] }));
    expect(await goesOn(clientId, { scopes: ['skills:read'] })).toBe(true);
    expect(await goesOn(clientId, { scopes: ['skills:read', 'content:read'] })).toBe(false);
    const web = await newStranger(['https://app.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']);
    await decide(await ask(web));
    expect(await goesOn(web)).toBe(true);
    for (const redirect_uri of ['http://127.0.0.1:4000/cb', 'com.example.app:/cb'])
      expect(await goesOn(web, { redirect_uri })).toBe(false);
  });

  it('can be revoked; the authorization codes of its client are then invalid', async () => {
    const clientId = await newClient({ name: 'Leftover' });
    const request = await ask(clientId);
    await decide(request);
    const { items } = (await client('GET', '/admin/api/consents')).body as { items: Consent[] };
    const consent = items.find(({ client_name }) => client_name === 'Leftover');
    expect((await client('DELETE', `/admin/api/consents/${consent?.id ?? ''}`)).status).toBe(204);
    expect((await rowOf(request)).expires_at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('can be listed and revoked only by its user; the revocation also ends the grants of its client', async () => {
    const eve = await site.addUser({ email: 'eve@example.com' });
    const asEve = (await site.signIn(eve)).client;
    const clientId = await newClient({ name: 'Planner' });
    await decide(await ask(clientId));
    const grant = {
      id: newId(),
      client_id: clientId,
      project: 'Core',
      scopes: ['agents:read'],
      kind: 'authorization_code',
    };
    await site.db.prisma.oAuthGrant.create({ data: { ...grant, user_id: ada.id } });
    await site.db.prisma.oAuthGrant.create({ data: { ...grant, id: newId(), user_id: eve.id } });
    const { items } = (await client('GET', '/admin/api/consents')).body as { items: Consent[] };
    const consent = items.find(({ client_name }) => client_name === 'Planner');
    expect(consent).toMatchObject({ scopes: ['agents:read'], client_host: null });
    expect((await asEve('GET', '/admin/api/consents')).body).toEqual({ items: [] });
    const path = `/admin/api/consents/${consent?.id ?? ''}`;
    expect((await asEve('DELETE', path)).status).toBe(404);
    expect((await client('DELETE', path)).status).toBe(204);
    expect((await client('DELETE', path)).status).toBe(404);
    const grants = await site.db.prisma.oAuthGrant.findMany({
      where: { client_id: clientId },
      orderBy: { user_id: 'asc' },
    });
    const live = grants.filter(({ revoked_at }) => revoked_at === null).map(({ user_id }) => user_id);
    expect(live).toEqual([eve.id]);
    expect(await goesOn(clientId)).toBe(false);
  });
});
