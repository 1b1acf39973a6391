import { randomBytes } from 'node:crypto';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createRateLimiter } from '@millwright/rate-limit';
import { createEgress, type Egress } from '@millwright/egress';
import { createTestDatabase, listenTls, type TestDatabase, type TlsServer } from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';
import { createClientFinder } from './client-documents.js';
import { createClientStore } from './clients.store.js';
import { authorizationsOf, REDIRECT, type Parameters } from './test-authorization.js';

let database: TestDatabase;
let runtime: TestRuntime;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  db = createDatabase({ url: database.url, poolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await runtime.close();
  await database.drop();
});

const text = (length: number) => randomBytes(length).toString('hex').slice(0, length);
const uriOf = (length: number) => `https://app.example/${text(length - 'https://app.example/'.length)}`;
const register = (redirect_uris: string[], by: Replica = runtime, more: object = {}) =>
  by.as()('POST', '/oauth/register', { json: { redirect_uris, token_endpoint_auth_method: 'none', ...more } });
const stored = () =>
  Promise.all([db.prisma.oAuthClient.count(), db.prisma.oAuthAuthorization.count()]).then((counts) => counts.join());

/** The redirect URIs of a popular editor. */
const STOCK = [
  'https://insiders.vscode.dev/redirect',
  'https://vscode.dev/redirect',
  'http://localhost/',
  'http://127.0.0.1/',
  'http://localhost:33418/',
  'http://127.0.0.1:33418/',
];
const LARGEST = Array.from({ length: 5 }, () => uriOf(512));
const LARGEST_KEY = { kty: 'RSA', n: text(683), e: 'AQAB', kid: text(200) };

describe('POST /oauth/register', () => {
  it('accepts the redirect URIs of stock clients, and five redirect URIs of 512 characters', async () => {
    for (const uris of [STOCK, LARGEST]) expect((await register(uris)).status).toBe(201);
  });

  it.each<[string, string[]]>([
    ['a redirect URI of 513 characters', [uriOf(513)]],
    ['eleven redirect URIs', Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`)],
    ['redirect URIs of more than 2,560 characters together', [...LARGEST, 'https://app.example/']],
  ])('answers invalid_redirect_uri to %s', async (_title, uris) => {
    const before = await stored();
    expect((await register(uris)).body).toMatchObject({ error: 'invalid_redirect_uri' });
    expect(await stored()).toBe(before);
  });

  it('lets an IP address register ten clients in a calendar hour, and refuses the next client', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0);
    const replica = await runtime.start({ multiplier: 1, now: () => at });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await register([REDIRECT], replica)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429, 429]);
    at += 3_600_000;
    expect((await register([REDIRECT], replica)).status).toBe(201);
  });

  it('stores a registration that expires after an hour', async () => {
    const { client_id } = (await register([REDIRECT])).body as { client_id: string };
    const { created_at, expires_at } = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id } });
    expect((expires_at?.getTime() ?? 0) - created_at.getTime()).toBe(3_600_000);
  });
});

describe('GET /oauth/authorize', () => {
  let begin: (more?: Parameters) => Promise<Response>;
  beforeAll(async () => {
    const client = await runtime.newClient({ redirectUris: [REDIRECT] });
    begin = (more) => authorizationsOf(runtime, client).authorize(more);
  });
  const errorOf = (response: Response) => new URL(response.headers.get('location') ?? '').searchParams.get('error');

  it('accepts a state of 1 KiB, and refuses a longer state and stores nothing', async () => {
    expect(errorOf(await begin({ state: 'x'.repeat(1_024) }))).toBeNull();
    const before = await stored();
    for (const state of ['x'.repeat(1_025), 'ä'.repeat(513)])
      expect(errorOf(await begin({ state }))).toBe('invalid_request');
    expect(await stored()).toBe(before);
  });

  it('refuses more than eight resources, and names of servers of more than 100 characters', async () => {
    const { client_id } = await runtime.newClient({ redirectUris: [REDIRECT] });
    const query = new URLSearchParams({ client_id, redirect_uri: REDIRECT, response_type: 'code' });
    for (let n = 0; n < 9; n += 1) query.append('resource', `${RUNTIME_URL}/api/v1/mcp/s${n}/mcp`);
    const many = await fetch(`${runtime.url}/oauth/authorize?${query.toString()}`, { redirect: 'manual' });
    expect(errorOf(many)).toBe('invalid_target');
    const long = await begin({ resource: `${RUNTIME_URL}/api/v1/mcp/${'s'.repeat(101)}/mcp` });
    expect(errorOf(long)).toBe('invalid_target');
  });

  it('lets an IP address begin 30 authorizations in a calendar minute, and refuses the next authorization', async () => {
    const replica = await runtime.start({ multiplier: 1, now: () => Date.UTC(2026, 0, 1, 12, 0) });
    const client = await runtime.newClient({ redirectUris: [REDIRECT] });
    const application = authorizationsOf({ ...runtime, url: replica.url }, client);
    const statuses: number[] = [];
    for (let n = 0; n < 32; n += 1) statuses.push((await application.authorize()).status);
    expect(statuses).toEqual([...Array<number>(30).fill(303), 429, 429]);
  });

  it('redirects to the client with temporarily_unavailable while 50,000 authorizations are open', async () => {
    // Inserts the rows in steps, so that each statement ends within the pool's time limit on a busy machine.
    for (let last = 5_000; last <= 50_000; last += 5_000)
      await database.sql`
        INSERT INTO oauth_authorizations (id, request_hash, browser_hash, client_id, redirect_uri, scopes, resources, granted, expires_at)
        SELECT gen_random_uuid(), sha256(n::text::bytea), sha256('x'), (SELECT id FROM oauth_clients LIMIT 1), 'x', '{}', '{}', '{}',
               now() + interval '10 minutes' FROM generate_series(${last - 4_999}::int, ${last}::int) n`;
    expect(errorOf(await begin())).toBe('temporarily_unavailable');
    await db.prisma.$executeRaw`TRUNCATE oauth_authorizations CASCADE`;
    expect(errorOf(await begin())).toBeNull();
  });
});

describe('self-registered clients', () => {
  let server: TlsServer;
  let egress: Egress;
  beforeAll(async () => {
    server = await listenTls((request, response) => {
      const client_id = `${server.url}${request.url}`;
      const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [LARGEST_KEY] } };
      response.end(JSON.stringify({ client_id, client_name: 'x'.repeat(200), redirect_uris: LARGEST, ...keys }));
    });
    egress = createEgress({ allow: [], allowLoopback: true, allowHttp: false, caFile: server.caFile });
  });
  afterAll(async () => {
    await egress.close();
    await server.close();
  });
  const findDocument = (id: string) =>
    createClientFinder({
      clients: createClientStore(db),
      egress,
      limiter: createRateLimiter(),
      documents: true,
      appSchemes: [],
    })(id, '::1');
  const fill = (kind: 'registered' | 'document') => database.sql`
    INSERT INTO oauth_clients (id, client_id, name, kind, auth_method, redirect_uris, scopes, expires_at)
    SELECT gen_random_uuid(), 'full-' || n, 'full', ${kind}, 'none', '{}', '{}', now() + interval '1 hour' FROM generate_series(1, 10000) n`;
  const empty = () => db.prisma.oAuthClient.deleteMany({ where: { name: 'full' } });

  it.each(['registered', 'document'] as const)(
    'are refused while 10,000 unused %s clients are stored',
    async (kind) => {
      const known = `${server.url}/${newId()}.json`;
      expect(await findDocument(known)).toMatchObject({ kind: 'document' });
      await fill(kind);
      const refused = await register([REDIRECT]);
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 60]);
      expect(await findDocument(`${server.url}/${newId()}.json`)).toBeUndefined();
      await db.prisma.oAuthClient.update({ where: { client_id: known }, data: { expires_at: new Date() } });
      expect(await findDocument(known)).toMatchObject({ kind: 'document', expired: false });
      await empty();
      expect((await register([REDIRECT])).status).toBe(201);
    },
  );

  it('are unknown when the address that is their id has more than 512 characters', async () => {
    expect(await findDocument(`${server.url}/${'x'.repeat(512)}.json`)).toBeUndefined();
  });

  it('cause at most 8 MB of stored data for one IP address, and at most 20 MB in all services', async () => {
    // The job that deletes unused rows runs every quarter of an hour.
    const minutes = 75;
    const { client_id } = (
      await register(LARGEST, runtime, {
        client_name: text(200),
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: Array.from({ length: 4 }, () => ({ ...LARGEST_KEY, n: text(683) })) },
      })
    ).body as { client_id: string };
    const document = `${server.url}/${text(512 - server.url.length - 1)}`;
    expect(await findDocument(document)).toBeDefined();
    const server100 = () => `${RUNTIME_URL}/api/v1/mcp/${text(100)}/mcp`;
    const { request } = await authorizationsOf(runtime, { client_id }).begin({
      redirect_uri: LARGEST[0],
      state: text(1_024),
      nonce: text(255),
      scope: (
        await runtime
          .as()('GET', '/.well-known/oauth-authorization-server')
          .then(({ body }) => (body as { scopes_supported: string[] }).scopes_supported)
      ).join(' '),
      resource: server100(),
    });
    expect(request).toBeDefined();
    const sizes = await db.prisma.$queryRaw<{ clients: number; documents: number; authorizations: number }[]>`
      SELECT (SELECT max(pg_column_size(c.*)) FROM oauth_clients c WHERE kind = 'registered') AS clients,
             (SELECT max(pg_column_size(c.*)) FROM oauth_clients c WHERE kind = 'document') AS documents,
             (SELECT max(pg_column_size(a.*)) FROM oauth_authorizations a) AS authorizations`;
    const [{ clients, documents, authorizations } = { clients: 0, documents: 0, authorizations: 0 }] = sizes;
    const resources = 7 * server100().length;
    // Bytes of the rows that one IP address can cause. It can cause ten registrations an hour, which are kept for an hour; ten documents a
    // minute, which are kept for an hour; and thirty authorizations a minute, which are kept for ten minutes.
    const bytes = 20 * clients + minutes * 10 * documents + (minutes - 50) * 30 * (authorizations + resources);
    expect(clients).toBeGreaterThan(2_560);
    expect(bytes).toBeLessThan(8_000_000);
  });
});
