import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let site: TestConsole;
beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
});
afterEach(async () => {
  await site.close();
  await database.drop();
});

const revokePath = () => `/admin/api/signing-keys/${site.signingKey().kid}/revoke`;

describe('POST /admin/api/signing-keys/{kid}/revoke', () => {
  it('invalidates the tokens of the key in every process', async () => {
    const root = await site.signIn(
      await site.addUser({ email: 'root@example.com', role: 'admin', platformAdmin: true }),
    );
    const other = createHttpClient(await site.addInstance(), { cookie: `access_token=${root.access}` });
    const statuses = async () => [
      (await root.client('GET', '/admin/api/me')).status,
      (await other('GET', '/admin/api/me')).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    expect((await root.client('POST', revokePath())).status).toBe(204);
    expect((await createHttpClient(site.url)('GET', '/admin/.well-known/jwks.json')).body).toEqual({ keys: [] });
    // Poll: a process reads the keys again only after some time, when it handles a request.
    while ((await statuses()).some((status) => status !== 401))
      await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it('also revokes a key of the runtime API, but does not retire this key', async () => {
    const root = await site.signIn(
      await site.addUser({ email: 'root@example.com', role: 'admin', platformAdmin: true }),
    );
    await site.db.prisma.signingKey.create({ data: { kid: 'theirs', issuer: 'runtime-api', public_jwk: {} } });
    expect((await root.client('POST', '/admin/api/signing-keys/theirs/revoke')).status).toBe(204);
    const row = await site.db.prisma.signingKey.findUniqueOrThrow({ where: { kid: 'theirs' } });
    expect(row.revoked_at).not.toBeNull();
    expect(row.retired_at).toBeNull();
  });

  it('requires a platform admin', async () => {
    const { client } = await site.signIn(await site.addUser({ email: 'admin@example.com', role: 'admin' }));
    expect((await client('POST', revokePath())).status).toBe(403);
  });
});
