import { newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { authorizationsOf, REDIRECT } from './test-authorization.js';

let database: TestDatabase;
let runtime: TestRuntime;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

/** Stores a client that registered itself. */
async function newStranger(kind: 'registered' | 'document') {
  const client_id = kind === 'document' ? `https://app.example/${newId()}.json` : newId();
  const described = { name: 'Stranger', redirect_uris: [REDIRECT], scopes: ['*'], auth_method: 'none' };
  const expires_at = new Date(Date.now() + 3_600_000);
  await runtime.db.prisma.oAuthClient.create({ data: { ...described, id: newId(), client_id, kind, expires_at } });
  return { client_id };
}

describe.each(['registered', 'document'] as const)('errors in authorization requests of a %s client', (kind) => {
  const wrong = [
    { response_type: 'x' },
    { scope: 'nonsense' },
    { resource: 'https://elsewhere.example' },
    { code_challenge: undefined },
    { state: 'a\0b' },
  ];

  it('are shown on a page, without a redirect, to a user who has not consented', async () => {
    const { authorize } = authorizationsOf(runtime, await newStranger(kind));
    for (const more of wrong) {
      const response = await authorize(more);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(await response.text()).not.toContain('app.example');
    }
  });

  it('are redirected to the client in the browser whose user has consented, and in no other browser', async () => {
    const application = authorizationsOf(runtime, await newStranger(kind));
    const back = await application.returned(await application.begin(), runtime.owner.id, ['mcp:read']);
    const cookie = back.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    for (const more of wrong) {
      const location = new URL((await application.authorize(more, cookie)).headers.get('location') ?? 'about:blank');
      expect(`${location.origin}${location.pathname}`).toBe(REDIRECT);
      expect((await application.authorize(more)).status).toBe(400);
    }
    const other = authorizationsOf(runtime, await newStranger(kind));
    expect((await other.authorize({ scope: 'nonsense' }, cookie)).status).toBe(400);
  });

  it('are shown on a page in a browser whose user denied consent', async () => {
    const application = authorizationsOf(runtime, await newStranger(kind));
    const denied = await application.returned(await application.begin(), runtime.owner.id, []);
    expect(new URL(denied.headers.get('location') ?? '').searchParams.get('error')).toBe('access_denied');
    const cookie = denied.headers.getSetCookie().join('; ');
    expect((await application.authorize({ scope: 'nonsense' }, cookie)).status).toBe(400);
  });
});

describe('GET /oauth/authorize past a limit', () => {
  it('answers a browser with a page, and a program with JSON', async () => {
    const { url } = await runtime.start({ multiplier: 0.01 });
    const refused = async (accept: string) => {
      for (;;) {
        const response = await fetch(`${url}/oauth/authorize`, { headers: { accept } });
        if (response.status !== 400) return response;
        await response.text();
      }
    };
    const page = await refused('text/html,*/*;q=0.8');
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await page.text()).toContain('Too many requests');
    expect(await (await refused('*/*')).json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  });
});
