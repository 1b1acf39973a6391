import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { settings: { TRUSTED_PROXY_HOPS: 1 } });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const NAMES = ['strict-transport-security', 'permissions-policy', 'cross-origin-opener-policy'];
const headersOf = async (path: string, more: Record<string, string> = {}) => {
  const { headers } = await createHttpClient(site.url, more)('GET', path);
  return NAMES.map((name) => headers.get(name));
};
const FORBIDDEN = expect.stringContaining('camera=()') as string;

describe('a page', () => {
  it('forbids what no page needs, and demands TLS from then on where it is reached by TLS', async () => {
    expect(await headersOf('/admin/login')).toEqual([null, FORBIDDEN, null]);
    expect(await headersOf('/admin/login', { 'x-forwarded-proto': 'https' })).toEqual([
      'max-age=31536000',
      FORBIDDEN,
      null,
    ]);
  });

  it('of the console has no contact with the window that opened it; sign-in and consent keep it', async () => {
    const { access } = await site.signIn(await site.addUser({ email: 'ada@example.com' }));
    const cookie = `access_token=${access}`;
    expect(await headersOf('/admin/profile', { cookie })).toEqual([null, FORBIDDEN, 'same-origin']);
    expect(await headersOf('/admin/consent?request=x', { cookie })).toEqual([null, FORBIDDEN, null]);
  });
});
