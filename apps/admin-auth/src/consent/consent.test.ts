import { randomBytes } from 'node:crypto';
import { hashSecret, issueOAuthClient, type NewOAuthClient } from '@millwright/auth';
import { decodeId, encodeId, newId } from '@millwright/db';
import type { HttpClient } from '@millwright/http/sweep';
import type { ConsentData } from '@millwright/pages';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import type { Consent } from './consent.contract.js';

let database: TestDatabase;
let site: TestConsole;
let ada: Awaited<ReturnType<TestConsole['addUser']>>;
let client: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, listen);
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

/** A client that came by itself, as area C keeps it. */
async function newStranger(redirect_uris: string[]): Promise<string> {
  const row = { id: newId(), client_id: newId(), name: '<b>Inspector</b>', kind: 'registered', auth_method: 'none' };
  return (await site.db.prisma.oAuthClient.create({ data: { ...row, redirect_uris, scopes: ['*'] } })).id;
}

/** An authorization request, as area C begins it. */
async function ask(
  client_id: string,
  { scopes = ['agents:read'], redirect_uri = 'https://app.example/cb', expires = 600_000 } = {},
): Promise<string> {
  const request = secret();
  await site.db.prisma.oAuthAuthorization.create({
    data: {
      id: newId(),
      request_hash: bytes(request),
      browser_hash: bytes(secret()),
      client_id,
      redirect_uri,
      scopes,
      resources: [],
      expires_at: new Date(Date.now() + expires),
    },
  });
  return request;
}
const page = async (request: string, by = client) => {
  const { status, text } = await by('GET', `/admin/consent?request=${encodeURIComponent(request)}`);
  return { status, text };
};
const goesOn = async (clientId: string, asked?: Parameters<typeof ask>[1]) =>
  (pageIn((await page(await ask(clientId, asked))).text).data as ConsentData).isRemembered;
const decide = (request: string, decision = 'approve', by = client) =>
  by('POST', '/admin/api/consents', { json: { request, decision } });
const rowOf = (request: string) =>
  site.db.prisma.oAuthAuthorization.findUniqueOrThrow({ where: { request_hash: bytes(request) } });

describe('GET /admin/consent', () => {
  it('shows who asks, for what, for whom and where the answer goes, with every text escaped', async () => {
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

  it('warns when the answer goes to a program on the own machine', async () => {
    const redirect_uri = 'http://127.0.0.1/cb';
    const local = await page(await ask(await newStranger([redirect_uri]), { redirect_uri }));
    expect(pageIn(local.text).data).toMatchObject({ isLocal: true });
    expect(pageIn((await page(await ask(await newClient()))).text).data).toMatchObject({ isLocal: false });
  });

  it.each([
    ['nothing', () => Promise.resolve('')],
    ['a request that is not known', () => Promise.resolve(secret())],
    ['one that is over', async () => ask(await newClient(), { expires: -1 })],
    [
      'one that was answered',
      async () => {
        const request = await ask(await newClient());
        await decide(request);
        return request;
      },
    ],
  ])('answers 404 with what to do next to %s', async (_title, prepare) => {
    const { status, text } = await page(await prepare());
    expect(status).toBe(404);
    expect(text).toContain('begin again');
  });

  it('answers 403 when the account may do nothing of it', async () => {
    const admin = await page(await ask(await newClient(), { scopes: ['admin'] }));
    const elsewhere = await page(await ask(await newClient({ project: 'Commerce' })));
    expect([admin.status, elsewhere.status]).toEqual([403, 403]);
  });

  it('sends a stranger to sign in and back', async () => {
    const answer = await fetch(`${site.url}/admin/consent?request=abc`, { redirect: 'manual' });
    const redirect = encodeURIComponent('/admin/consent?request=abc');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/admin/login?redirect=${redirect}`]);
  });
});

describe('POST /admin/api/consents', () => {
  it('lets the application in: the ticket leads back to area C, what is granted is kept and recorded', async () => {
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
    const trail = await site.db.prisma.governanceDecision.findMany({
      where: { resource: encodeId('cli', clientId), action: 'oauth_consent.approve' },
    });
    expect(trail).toMatchObject([{ user_id: ada.id, detail: { scopes: ['agents:read'] } }]);
  });

  it('refuses it', async () => {
    const request = await ask(await newClient());
    expect((await decide(request, 'deny')).status).toBe(200);
    expect(await rowOf(request)).toMatchObject({ user_id: ada.id, granted: [] });
  });

  it('decides once, however many answer at once', async () => {
    const request = await ask(await newClient());
    const answers = await Promise.all(Array.from({ length: 50 }, () => decide(request)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
  });

  it('answers 404 to what is over, 422 to another decision, 401 to a stranger, 403 to another site', async () => {
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
  it('is remembered for its scopes, and never for a stranger whose answers go to the own machine', async () => {
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

  it('that is taken back leaves nothing that could still become a grant', async () => {
    const clientId = await newClient({ name: 'Leftover' });
    const request = await ask(clientId);
    await decide(request);
    const { items } = (await client('GET', '/admin/api/consents')).body as { items: Consent[] };
    const consent = items.find(({ client_name }) => client_name === 'Leftover');
    expect((await client('DELETE', `/admin/api/consents/${consent?.id ?? ''}`)).status).toBe(204);
    expect((await rowOf(request)).expires_at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('is listed and taken back by its user alone, which ends every grant that rests on it', async () => {
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
