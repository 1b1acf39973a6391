import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { authorizationsOf, REDIRECT, type Tokens } from './test-authorization.js';

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

const beginGrantsDaysAgo = (days: number) =>
  runtime.db.prisma.oAuthGrant.updateMany({ data: { created_at: new Date(Date.now() - days * 86_400_000) } });

describe('a refresh token', () => {
  it("yields further tokens for 90 days after its user's consent, and no tokens later", async () => {
    const application = authorizationsOf(runtime, await runtime.newClient({ redirectUris: [REDIRECT] }));
    const back = await application.decide(await application.begin(), runtime.owner.id, ['agents:read']);
    const first = (await application.redeem(back)).body as Tokens;
    await beginGrantsDaysAgo(89);
    const next = (await application.refresh(first.refresh_token)).body as Tokens;
    expect(next.scope).toBe('agents:read');
    await beginGrantsDaysAgo(91);
    expect(await application.introspect(next.refresh_token)).toEqual({ active: false });
    expect(await application.refresh(next.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('of a client_credentials grant yields tokens even after more than 90 days', async () => {
    const { askToken, refresh } = authorizationsOf(runtime, await runtime.newClient());
    const { refresh_token } = (await askToken({ grant_type: 'client_credentials' })).body as Tokens;
    await beginGrantsDaysAgo(91);
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});
