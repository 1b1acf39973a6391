import {
  createFakeModel,
  createTestDatabase,
  type ClientAnswer,
  type FakeModel,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type Replica, type TestRuntime } from './test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  await runtime.newAgent({ name: 'Helper' });
  await runtime.newAgent({ name: 'Foreign', project: 'Commerce' });
});

afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

describe('GET /health', () => {
  it('answers a request without a credential with 200, status, version and uptime', async () => {
    const { status, body, headers } = await runtime.as()('GET', '/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      version: expect.any(String) as string,
      uptime_seconds: expect.any(Number) as number,
    });
    expect(Number.isInteger((body as { uptime_seconds: number }).uptime_seconds)).toBe(true);
    expect(headers.get('x-request-id')).toEqual(expect.any(String));
    expect((await runtime.as()('HEAD', '/health')).status).toBe(200);
  });

  it('answers 200 while the process refuses all other requests because of overload', async () => {
    const full = await runtime.start({ maxInFlight: 0 });
    expect((await full.as()('GET', '/.well-known/jwks.json')).status).toBe(503);
    expect(await full.as()('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('returns the public part of the signing key', async () => {
    const { status, body } = await runtime.as()('GET', '/.well-known/jwks.json');
    const { x, y } = runtime.signingKey.publicJwk;
    expect([status, body]).toEqual([
      200,
      { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: runtime.signingKey.kid, use: 'sig', alg: 'ES256' }] },
    ]);
  });
});

describe('the runtime API without its database', () => {
  let replica: Replica;
  beforeAll(async () => {
    replica = await runtime.start({ databaseUrl: 'postgresql://u:p@127.0.0.1:1/x' });
  });
  const expectUnavailable = ({ status, body, headers }: ClientAnswer) => {
    expect([status, body]).toMatchObject([
      503,
      { error: { code: 'UNAVAILABLE', details: expect.any(Object) as object } },
    ]);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
  };

  it('answers 200 with status degraded at /health', async () => {
    const { status, body } = await replica.as()('GET', '/health');
    expect([status, body]).toMatchObject([200, { status: 'degraded' }]);
  });

  it('answers 503 to a request for the signing keys, and to a request for a token', async () => {
    expectUnavailable(await replica.as()('GET', '/.well-known/jwks.json'));
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'mw_client_x',
      client_secret: 'y',
    });
    expectUnavailable(await replica.as()('POST', '/oauth/token', { body }));
  });

  it('answers 503, not 401, to a request with a valid token', async () => {
    expectUnavailable(await replica.as(await runtime.newToken())('GET', '/api/v1/agents/registry'));
  });
});

describe('rate limits of the runtime API', () => {
  const at = Date.now();
  const reset = (Math.floor(at / 60_000) + 1) * 60;
  const limits = ({ headers }: ClientAnswer) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
  const byStatus = (answers: ClientAnswer[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, list]) => [status, list?.length]),
    );

  it('admit, per IP address, a total of 100 requests a minute to public endpoints, with invalid credentials and to unknown paths', async () => {
    const replica = await runtime.start({ multiplier: 1, now: () => at });
    const [nobody, wrong] = [replica.as(), replica.as('nonsense')];
    expect(limits(await nobody('GET', '/health'))).toEqual([100, 99, reset]);
    expect(limits(await nobody('GET', '/api/v1/agents/registry'))).toEqual([100, 98, reset]);
    expect(limits(await wrong('GET', '/api/v1/agents/registry'))).toEqual([100, 97, reset]);
    expect(limits(await nobody('GET', '/nowhere'))).toEqual([100, 96, reset]);
    const answers = await Promise.all(Array.from({ length: 100 }, () => nobody('GET', '/health')));
    expect(byStatus(answers)).toEqual({ 200: 96, 429: 4 });
    expect((await wrong('GET', '/api/v1/agents/registry')).status).toBe(429);
    const good = replica.as(await runtime.newToken());
    expect(limits(await good('GET', '/api/v1/agents/registry'))).toEqual([1_000, 999, reset]);
  });

  it('admit 1000 requests a minute per client and user, including refused requests', async () => {
    const replica = await runtime.start({ multiplier: 1, now: () => at });
    const call = replica.as(await runtime.newToken({ scopes: ['agents:read'] }));
    expect(limits(await call('GET', '/api/v1/agents/nobody'))).toEqual([1_000, 999, reset]);
    expect(limits(await call('POST', '/api/v1/agents/registry'))).toEqual([1_000, 998, reset]);
    const answers: ClientAnswer[] = [];
    for (let n = 0; n < 10; n++)
      answers.push(...(await Promise.all(Array.from({ length: 100 }, () => call('GET', '/api/v1/nothing')))));
    expect(byStatus(answers)).toEqual({ 404: 998, 429: 2 });
    const over = await call('GET', '/api/v1/agents/registry');
    expect([over.status, ...limits(over)]).toEqual([429, 1_000, 0, reset]);
    expect(over.body).toEqual({
      error: {
        code: 'RATE_LIMITED',
        message: expect.any(String) as string,
        details: { field: '', reason: expect.any(String) as string },
      },
    });
  });
});

describe('an unknown path', () => {
  it("answers 404 in the runtime API's error form", async () => {
    const absent = await runtime.as()('GET', '/nowhere');
    expect([absent.status, absent.body]).toEqual([
      404,
      {
        error: {
          code: 'NOT_FOUND',
          message: 'No such endpoint. Check the path and its letter case.',
          details: { field: '', reason: 'No such endpoint. Check the path and its letter case.' },
        },
      },
    ]);
    const hidden = await runtime.as()('GET', '/api/v1/nowhere');
    expect([hidden.status, hidden.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)]);
  });
});
