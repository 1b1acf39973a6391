import {
  createHttpClient,
  createTestDatabase,
  freePort,
  type ClientAnswer,
  type TestDatabase,
} from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { PLATFORM_API_TARGETS: [`http://127.0.0.1:${await freePort()}`] };
  site = await startConsole(database.url, { settings });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Returns the first response beyond the rate limit of an address. */
async function refused(accept: string): Promise<ClientAnswer> {
  const get = createHttpClient(await site.addInstance(0.01));
  for (;;) {
    const answer = await get('GET', '/admin/login', { headers: { accept } });
    if (answer.status !== 200) return answer;
  }
}

describe('a page request over the rate limit', () => {
  it('gets 429 with Retry-After, as an HTML page in a browser', async () => {
    const { status, headers, text } = await refused(BROWSER);
    expect([status, headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([headers.get('cache-control'), headers.get('x-ratelimit-remaining')]).toEqual(['no-store', '0']);
    expect(pageIn(text)).toMatchObject({ name: 'notice', title: 'Too many requests', data: { isError: true } });
  });

  it.each(['*/*', 'application/json'])('gets a JSON error when the client accepts %s', async (accept) => {
    const { status, body } = await refused(accept);
    expect([status, body]).toMatchObject([429, { error: { code: 'rate_limited', status: 429 } }]);
  });
});

describe('a request to a service that does not answer', () => {
  it('gets 503 with Retry-After: an HTML page in a browser, JSON in a script', async () => {
    const { client } = await site.signIn(await site.addUser({ email: 'ada@example.com' }));
    const get = (accept: string) => client('GET', '/admin/api/areas/platform/api/v1/skills', { headers: { accept } });
    const { status, headers, text } = await get(BROWSER);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(pageIn(text)).toMatchObject({ name: 'notice', title: 'Not available right now' });
    expect((await get('*/*')).body).toMatchObject({ error: { code: 'unavailable' } });
  });
});
