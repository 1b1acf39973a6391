import { hashSecret } from '@millwright/auth';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { BASE_URL, RUNTIME_URL, startRuntime, type TestClient, type TestRuntime } from '../test-runtime.js';
import { authorizationsOf, REDIRECT, type Parameters } from './test-authorization.js';

let database: TestDatabase;
let runtime: TestRuntime;
let client: TestClient;
beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  client = await runtime.newClient({ redirectUris: [REDIRECT], scopes: ['agents:read', 'content:read'] });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const CHALLENGE = 'a'.repeat(43);
const asked = (more: Parameters = {}): Parameters => ({
  ...{ client_id: client.client_id, client_secret: client.client_secret, redirect_uri: REDIRECT },
  ...{ response_type: 'code', state: 'st&te', scope: 'agents:read' },
  ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  ...more,
});
const queryOf = (parameters: Parameters) =>
  new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));
const push = (more: Parameters = {}, headers: Record<string, string> = {}) =>
  runtime.as()('POST', '/oauth/par', {
    body: queryOf(asked(more)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
async function pushed(more: Parameters = {}): Promise<string> {
  const { status, body, text } = await push(more);
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return (body as { request_uri: string }).request_uri;
}
const authorize = (parameters: Parameters, url = runtime.url) =>
  fetch(`${url}/oauth/authorize?${queryOf(parameters).toString()}`, { redirect: 'manual' });
const consentOf = (response: Response) => {
  const location = new URL(response.headers.get('location') ?? 'about:blank');
  return [response.status, `${location.origin}${location.pathname}`];
};
const TO_CONSENT = [303, `${BASE_URL}/admin/consent`];
const open = () => runtime.db.prisma.oAuthAuthorization.count();

describe('POST /oauth/par', () => {
  it('answers 201 with a URI that is valid for 90 seconds and starts one authorization', async () => {
    const { status, body, headers } = await push();
    expect([status, body, headers.get('cache-control')]).toEqual([
      201,
      {
        request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[0-9a-f]{64}$/) as string,
        expires_in: 90,
      },
      'no-store',
    ]);
    const { request_uri } = body as { request_uri: string };
    // Parameters of the browser do not replace the parameters of the client.
    const other = { redirect_uri: 'https://evil.example/', scope: '*', state: 'other' };
    const first = await authorize({ client_id: client.client_id, request_uri, ...other });
    expect(consentOf(first)).toEqual(TO_CONSENT);
    const name = new URL(first.headers.get('location') ?? '').searchParams.get('request') ?? '';
    const row = await runtime.db.prisma.oAuthAuthorization.findUniqueOrThrow({
      where: { request_hash: new Uint8Array(hashSecret(name)) },
    });
    expect(row).toMatchObject({
      ...{ redirect_uri: REDIRECT, state: 'st&te', scopes: ['agents:read'], code_challenge: CHALLENGE },
    });
    const again = await authorize({ client_id: client.client_id, request_uri });
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('was used before') as string]);
  });

  it('returns a URI whose authorization redirects to the client with code, state and issuer', async () => {
    const application = authorizationsOf(runtime, client);
    const request_uri = await pushed();
    const begun = await application.authorize({ request_uri });
    const request = new URL(begun.headers.get('location') ?? '').searchParams.get('request') ?? '';
    const cookie = begun.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const back = await application.decide({ request, cookie, scopes: [] }, runtime.owner.id, ['agents:read']);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['st&te', RUNTIME_URL]);
    expect(back.searchParams.get('code')).toMatch(/./);
  });

  it('returns a URI with which only one of 20 browsers at two replicas can start the authorization', async () => {
    const replica = await runtime.start();
    const request_uri = await pushed();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, n) =>
        authorize({ client_id: client.client_id, request_uri }, n % 2 === 0 ? runtime.url : replica.url),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  it.each<[string, Parameters, number, string]>([
    ['a wrong secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }, 400, 'invalid_request'],
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 400, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 400, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 400, 'unsupported_response_type'],
    ['another response mode', { response_mode: 'fragment' }, 400, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 400, 'invalid_request'],
    ['a scope that the client may not have', { scope: 'admin' }, 400, 'invalid_scope'],
    ['a resource of another server', { resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
    ['a state of more than 1 KiB', { state: 'x'.repeat(1_025) }, 400, 'invalid_request'],
  ])('refuses %s, and stores nothing', async (_case, more, status, error) => {
    const before = await open();
    const answer = await push(more);
    expect([answer.status, answer.body]).toMatchObject([status, { error }]);
    expect(await open()).toBe(before);
  });

  it('accepts the client secret by HTTP Basic', async () => {
    const authorization = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`;
    const { status } = await push({ client_id: undefined, client_secret: undefined }, { authorization });
    expect(status).toBe(201);
  });

  it.each(['GET', 'PUT', 'DELETE'] as const)('answers 405 to %s', async (method) => {
    const { status, headers } = await runtime.as()(method, '/oauth/par');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('GET /oauth/authorize with a request_uri', () => {
  it.each<[string, (uri: string) => Promise<Parameters>]>([
    [
      'of another client',
      async (request_uri) => ({
        client_id: (await runtime.newClient({ redirectUris: [REDIRECT] })).client_id,
        request_uri,
      }),
    ],
    [
      'that is unknown',
      (uri) => Promise.resolve({ client_id: client.client_id, request_uri: `${uri.slice(0, -64)}${'0'.repeat(64)}` }),
    ],
    ['of another form', (uri) => Promise.resolve({ client_id: client.client_id, request_uri: uri.slice(-64) })],
    ['without a client', (request_uri) => Promise.resolve({ request_uri })],
    [
      'that has expired',
      async (request_uri) => {
        await runtime.db.prisma.oAuthAuthorization.updateMany({ data: { expires_at: new Date(Date.now() - 1_000) } });
        return { client_id: client.client_id, request_uri };
      },
    ],
  ])('%s answers 400 with a page, without a redirect', async (_case, parametersOf) => {
    const response = await authorize(await parametersOf(await pushed()));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it("accepts neither the id of a browser's authorization request as request_uri, nor a pushed request_uri as the id of a browser's request", async () => {
    const application = authorizationsOf(runtime, client);
    const { request } = await application.begin();
    const asUri = `urn:ietf:params:oauth:request_uri:${request}`;
    expect((await authorize({ client_id: client.client_id, request_uri: asUri })).status).toBe(400);
    const uri = await pushed();
    const where = { request_hash: new Uint8Array(hashSecret(uri.slice(-64))) };
    expect(await runtime.db.prisma.oAuthAuthorization.findUnique({ where })).toBeNull();
  });
});

describe('OAUTH_PUSHED_REQUESTS_ONLY', () => {
  it('refuses authorization requests that were not pushed, and sets require_pushed_authorization_requests in the metadata', async () => {
    const strict = await runtime.start({ pushedOnly: true });
    const refused = await authorize({ ...asked(), client_secret: undefined }, strict.url);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('/oauth/par') as string]);
    const request_uri = await pushed();
    expect(consentOf(await authorize({ client_id: client.client_id, request_uri }, strict.url))).toEqual(TO_CONSENT);
    const metadata = async (of: TestRuntime | typeof strict) =>
      (await of.as()('GET', '/.well-known/oauth-authorization-server')).body;
    expect(await metadata(strict)).toMatchObject({
      pushed_authorization_request_endpoint: `${RUNTIME_URL}/oauth/par`,
      require_pushed_authorization_requests: true,
    });
    expect(await metadata(runtime)).toMatchObject({ require_pushed_authorization_requests: false });
  });
});
