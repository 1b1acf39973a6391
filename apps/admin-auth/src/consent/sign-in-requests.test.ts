import { issueOAuthClient, type NewOAuthClient } from '@millwright/accounts';
import { hashSecret } from '@millwright/auth';
import { decodeId } from '@millwright/db';
import type { ConsentData } from '@millwright/pages';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { requestRow, storeRequest, type TestRequest } from './test-requests.js';

let database: TestDatabase;
let site: TestConsole;
let ada: Awaited<ReturnType<TestConsole['addUser']>>;
let client: HttpClient;
let sessionId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  ada = await site.addUser({ email: 'ada@example.com' });
  ({ client, sessionId } = await site.signIn(ada));
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

async function newClient(changes: Partial<NewOAuthClient> = {}): Promise<string> {
  const input: NewOAuthClient = {
    ...{ userId: ada.id, name: 'Notebook', redirectUris: ['https://app.example/cb'], scopes: ['agents:read'] },
    ...{ project: 'Core', ...changes },
  };
  const actor = { userId: ada.id, kind: 'user', label: 'Ada' } as const;
  const { id } = await site.db.transaction((tx) => issueOAuthClient(tx, input, actor));
  return decodeId('cli', id) ?? '';
}
const ask = (clientId: string, asked: TestRequest = {}) =>
  storeRequest(site.db, clientId, { scopes: ['openid', 'email'], ...asked });
const rowOf = (request: string) => requestRow(site.db, request);
const page = (request: string, by = client) => by('GET', `/admin/consent?request=${request}`);
const decide = (request: string, decision = 'approve') =>
  client('POST', '/admin/api/consents', { json: { request, decision } });
const proveAt = (at: Date) => site.db.prisma.userSession.update({ where: { id: sessionId }, data: { proven_at: at } });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('the consent page for a sign-in', () => {
  it('describes the scopes of OpenID Connect in words', async () => {
    const request = await ask(await newClient(), { scopes: ['openid', 'profile', 'email', 'agents:read'] });
    const { scopes, isRemembered } = pageIn((await page(request)).text).data as ConsentData;
    expect(scopes).toEqual([
      { scope: 'openid', description: 'Identify you, by the id of your account and the time of your sign-in' },
      { scope: 'profile', description: 'Read your name' },
      { scope: 'email', description: 'Read your email address' },
      { scope: 'agents:read', description: 'Read agents' },
    ]);
    expect(isRemembered).toBe(false);
  });

  it('is refused for a client of another project, and for an auditor', async () => {
    const elsewhere = await ask(await newClient({ project: 'Commerce' }), { scopes: ['openid'] });
    expect((await page(elsewhere)).status).toBe(403);
    const auditor = await site.addUser({ email: 'audit@example.com', role: 'auditor' });
    const request = await ask(await newClient(), { scopes: ['openid'] });
    expect((await page(request, (await site.signIn(auditor)).client)).status).toBe(403);
  });

  it.each(['consent', 'select_account'])(
    'is shown even after an earlier consent when the request has the prompt %s',
    async (prompt) => {
      const clientId = await newClient();
      await decide(await ask(clientId));
      const isRemembered = async (asked?: TestRequest) =>
        (pageIn((await page(await ask(clientId, asked))).text).data as ConsentData).isRemembered;
      expect([await isRemembered(), await isRemembered({ prompt: [prompt] })]).toEqual([true, false]);
    },
  );
});

describe('a decision', () => {
  it('stores the time at which the user signed in', async () => {
    const provenAt = minutesAgo(90);
    await proveAt(provenAt);
    const request = await ask(await newClient());
    expect((await decide(request)).status).toBe(200);
    expect(await rowOf(request)).toMatchObject({ granted: ['openid', 'email'], auth_time: provenAt });
  });

  it('stores no sign-in time for a user who signed in at an identity provider', async () => {
    await proveAt(new Date(0));
    const request = await ask(await newClient());
    expect((await decide(request)).status).toBe(200);
    expect((await rowOf(request)).auth_time).toBeNull();
  });

  it.each<[string, TestRequest, number]>([
    ['prompt login', { prompt: ['login'] }, 0.1],
    ['max_age', { max_age: 60 }, 2],
    ['max_age 0', { max_age: 0 }, 0.1],
  ])(
    'requires a passkey proof for %s; without a proof the decision is refused and recorded',
    async (_name, asked, age) => {
      await proveAt(minutesAgo(age));
      const clientId = await newClient();
      const request = await ask(clientId, asked);
      expect(await decide(request)).toMatchObject({ status: 403, body: { error: { code: 'step_up_required' } } });
      expect((await rowOf(request)).decided_at).toBeNull();
      const denied = await site.db.prisma.governanceDecision.findMany({
        where: { user_id: ada.id, action: 'oauth_consent.approve', decision: 'deny' },
        ...{ orderBy: { seq: 'desc' }, take: 1 },
      });
      expect(denied).toMatchObject([{ reason: 'no proof as recent as the client asks' }]);
      const provenAt = new Date();
      await proveAt(provenAt);
      expect((await decide(request)).status).toBe(200);
      expect(await rowOf(request)).toMatchObject({ auth_time: provenAt });
    },
  );

  it('requires no new proof while the last proof is at most as old as max_age; a denial never requires a proof', async () => {
    await proveAt(minutesAgo(2));
    const clientId = await newClient();
    const [young, denied] = [await ask(clientId, { max_age: 300 }), await ask(clientId, { prompt: ['login'] })];
    expect([(await decide(young)).status, (await decide(denied, 'deny')).status]).toEqual([200, 200]);
  });
});

describe('GET /admin/consent/silent', () => {
  const silent = async (request: string, by?: HttpClient) => {
    const path = `/admin/consent/silent?request=${request}`;
    const { status, headers } = by ? await by('GET', path) : await get(path);
    const location = headers.get('location');
    return { status, to: location === null ? undefined : new URL(location) };
  };
  const get = (path: string) => fetch(`${site.url}${path}`, { redirect: 'manual' });
  const none: TestRequest = { prompt: ['none'] };

  it('redirects with a ticket when the user has consented earlier, and stores the granted scopes', async () => {
    await proveAt(minutesAgo(90));
    const clientId = await newClient();
    await decide(await ask(clientId));
    const request = await ask(clientId, none);
    const { status, to } = await silent(request, client);
    expect([status, `${to?.origin}${to?.pathname}`]).toEqual([303, 'http://runtime.test/oauth/authorize/return']);
    const row = await rowOf(request);
    expect(row).toMatchObject({ user_id: ada.id, granted: ['openid', 'email'], refusal: null });
    expect(row.ticket_hash).toEqual(new Uint8Array(hashSecret(to?.searchParams.get('ticket') ?? '')));
    expect((await silent(request, client)).status).toBe(404);
  });

  it.each<[string, string, TestRequest, boolean, boolean]>([
    ['nobody is signed in', 'login_required', {}, false, true],
    ['the sign-in is too old', 'login_required', { max_age: 60 }, true, true],
    ['the user has not consented', 'consent_required', {}, true, false],
    ['the account may grant nothing', 'access_denied', { scopes: ['admin'] }, true, true],
  ])('redirects without showing a page when %s: %s', async (_name, refusal, asked, isSignedIn, isConsented) => {
    await proveAt(minutesAgo(90));
    const clientId = await newClient();
    if (isConsented) await decide(await ask(clientId));
    const request = await ask(clientId, { ...none, ...asked });
    const { status, to } = await silent(request, isSignedIn ? client : undefined);
    const row = await rowOf(request);
    expect([status, row]).toMatchObject([303, { refusal, user_id: null, granted: [], decided_at: null }]);
    expect(row.ticket_hash).toEqual(new Uint8Array(hashSecret(to?.searchParams.get('ticket') ?? '')));
    // After the refusal, neither the silent page nor a decision on the consent page accepts the request.
    expect([(await silent(request, client)).status, (await decide(request)).status]).toEqual([404, 404]);
  });

  it('answers 404 for a request that allows a consent page, and for an unknown request', async () => {
    const request = await ask(await newClient());
    expect([(await silent(request, client)).status, (await silent('abc')).status]).toEqual([404, 404]);
    expect((await rowOf(request)).ticket_hash).toBeNull();
  });
});
