import { createDatabase, type Database } from '@millwright/db';
import { createEgress, type Egress } from '@millwright/egress';
import { createRateLimiter } from '@millwright/rate-limit';
import { createTestDatabase, listenTls, type TestDatabase, type TlsServer } from '@millwright/testing';
import { createClientFinder } from './client-documents.js';
import { createClientStore } from './clients.store.js';

let database: TestDatabase;
let db: Database;
let egress: Egress;
let server: TlsServer;
let answer: { status?: number; headers?: Record<string, string>; body: string };
let asked = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  server = await listenTls((_request, response) => {
    asked += 1;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  egress = createEgress({ allow: [], allowLoopback: true, allowHttp: false, caFile: server.caFile });
});
afterAll(async () => {
  await egress.close();
  await server.close();
  await db.close();
  await database.drop();
});

const finder = (documents = true, now?: () => number) =>
  createClientFinder({
    clients: createClientStore(db),
    egress,
    limiter: createRateLimiter({ now: () => 0 }),
    documents,
    appSchemes: ['cursor'],
    ...(now && { now }),
  });
const find = (id: string, documents?: boolean) => finder(documents)(id, '192.0.2.1');
let count = 0;
/** Creates a new client id, and serves a document at its URL. */
function described(changes: object = {}, headers: Record<string, string> = {}): string {
  const client_id = `${server.url}/apps/${(count += 1)}.json`;
  const document = { client_id, client_name: 'Notebook', redirect_uris: ['http://127.0.0.1/cb'], ...changes };
  answer = { headers, body: JSON.stringify(document) };
  return client_id;
}

describe('a client whose id is the address of its document', () => {
  it('has the fields of its document, and no secret, owner or project', async () => {
    expect(await find(described())).toMatchObject({
      kind: 'document',
      name: 'Notebook',
      auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/cb'],
      owner: null,
      expired: false,
    });
  });

  it('has those redirect URIs of its document that are allowed, and is unknown when none is allowed', async () => {
    const redirect_uris = ['cursor://app.example/cb', 'other://app.example/cb', 'https://app.example/cb', 'cursor:cb'];
    const allowed = ['cursor://app.example/cb', 'https://app.example/cb'];
    expect(await find(described({ redirect_uris }))).toMatchObject({ redirect_uris: allowed });
    expect(await find(described({ redirect_uris: ['other://app.example/cb'] }))).toBeUndefined();
  });

  it.each<[string, object, string[]]>([
    ['all grant types that it may have when its document names none', {}, ['authorization_code', 'refresh_token']],
    ['only the grant type that its document names', { grant_types: ['authorization_code'] }, ['authorization_code']],
    [
      'the supported grant types among those of its document',
      { grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:saml2-bearer'] },
      ['authorization_code', 'refresh_token'],
    ],
  ])('has %s', async (_title, changes, grant_types) => {
    expect(await find(described(changes))).toMatchObject({ grant_types });
  });

  it('is cached for the time that its document allows, between five minutes and a day', async () => {
    const untilOf = async (headers: Record<string, string>) => {
      const id = described({}, headers);
      await find(id);
      const { expires_at } = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: id } });
      return Math.round(((expires_at?.getTime() ?? 0) - Date.now()) / 60_000);
    };
    expect(await untilOf({})).toBe(5);
    expect(await untilOf({ 'cache-control': 'public, max-age=3600' })).toBe(60);
    expect(await untilOf({ 'cache-control': 'max-age=99999999' })).toBe(1_440);
    const id = described();
    await find(id);
    const before = asked;
    await find(id);
    expect(asked).toBe(before);
    await db.prisma.oAuthClient.update({ where: { client_id: id }, data: { expires_at: new Date() } });
    answer = { body: JSON.stringify({ client_id: id, client_name: 'Renamed', redirect_uris: ['https://a.example/'] }) };
    expect(await find(id)).toMatchObject({ name: 'Renamed', redirect_uris: ['https://a.example/'] });
    await db.prisma.oAuthClient.update({ where: { client_id: id }, data: { expires_at: new Date() } });
    answer = { status: 500, body: '' };
    expect(await find(id)).toBeUndefined();
  });

  it.each<[string, () => string]>([
    ['another id', () => described({ client_id: 'https://other.example/app.json' })],
    ['no name', () => described({ client_name: undefined })],
    ['a name with NUL', () => described({ client_name: 'a\0b' })],
    ['half a character in its name', () => described({ client_name: 'a\ud83e' })],
    ['no redirect URIs', () => described({ redirect_uris: [] })],
    ['a redirect URI that cannot be registered', () => described({ redirect_uris: ['http://app.example/cb'] })],
    ['a secret', () => described({ client_secret: 'x' })],
    ['authentication by a secret', () => described({ token_endpoint_auth_method: 'client_secret_post' })],
    ['more than 5 KiB', () => described({ extra: 'x'.repeat(6_000) })],
  ])('is unknown when its document has %s, and nothing is stored', async (_title, prepare) => {
    const id = prepare();
    expect(await find(id)).toBeUndefined();
    expect(await db.prisma.oAuthClient.count({ where: { client_id: id } })).toBe(0);
  });

  it.each<[string, typeof answer]>([
    ['a redirect', { status: 302, headers: { location: 'https://localhost/' }, body: '' }],
    ['404', { status: 404, body: '{}' }],
    ['a text that is not JSON', { body: '<html>' }],
    ['a list', { body: '[]' }],
  ])('is unknown when its address answers %s', async (_title, wrong) => {
    const id = described();
    answer = wrong;
    expect(await find(id)).toBeUndefined();
  });

  it.each(['/', '/a/../b.json', '/app.json#x'])(
    'is unknown, without a fetch, when its address has the path %s, is not https, or contains credentials',
    async (path) => {
      const before = asked;
      expect(await find(`${server.url}${path}`)).toBeUndefined();
      expect(await find(`http://localhost${path}`)).toBeUndefined();
      expect(await find('https://user:secret@localhost/app.json')).toBeUndefined();
      expect(asked).toBe(before);
    },
  );

  it('is fetched once for concurrent requests, and not again for a minute after a failure', async () => {
    let time = 1_000;
    const findHere = finder(true, () => time);
    const id = described();
    const before = asked;
    const found = await Promise.all(Array.from({ length: 20 }, () => findHere(id, '192.0.2.1')));
    expect(found.every((client) => client?.client_id === id)).toBe(true);
    expect(asked - before).toBe(1);
    const missing = described();
    answer = { status: 404, body: '' };
    for (let n = 0; n < 5; n += 1) expect(await findHere(missing, `192.0.2.${n}`)).toBeUndefined();
    expect(asked - before).toBe(2);
    time = 60_000;
    expect(await findHere(missing, '192.0.2.1')).toBeUndefined();
    expect(asked - before).toBe(2);
    time = 62_000;
    expect(await findHere(missing, '192.0.2.1')).toBeUndefined();
    expect(asked - before).toBe(3);
  });

  it('is fetched, when not yet stored, at most ten times a minute for one IP address and thirty times a minute from one host', async () => {
    const findHere = finder();
    const before = asked;
    const attempt = (address: string) => {
      const id = described();
      return findHere(id, address).then(
        (client) => client?.client_id === id,
        (error: unknown) => (error as { code: string }).code,
      );
    };
    const outcomes = [];
    for (let n = 0; n < 12; n += 1) outcomes.push(await attempt('192.0.2.1'));
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => true), 'rate_limited', 'rate_limited']);
    for (let n = 0; n < 24; n += 1) outcomes.push(await attempt(`198.51.100.${n}`));
    expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(30);
    expect(asked - before).toBe(30);
    // Even then, the document of a client that is already stored is read again.
    const { client_id } = await db.prisma.oAuthClient.findFirstOrThrow({ where: { kind: 'document' } });
    await db.prisma.oAuthClient.update({ where: { client_id }, data: { expires_at: new Date() } });
    answer = { body: JSON.stringify({ client_id, client_name: 'Again', redirect_uris: ['http://127.0.0.1/cb'] }) };
    expect(await findHere(client_id, '203.0.113.1')).toMatchObject({ name: 'Again' });
  });

  it('is unknown when the setting for such clients is off', async () => {
    expect(await find(described(), false)).toBeUndefined();
  });
});
