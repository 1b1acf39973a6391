import { hashSecret } from '@millwright/auth';
import { hashUserCode } from '@millwright/auth/user-codes';
import { newId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import * as oidc from 'openid-client';
import { BASE_URL, RUNTIME_URL, startRuntime, type TestClient, type TestRuntime } from '../test-runtime.js';
import { REDIRECT, type Application } from './test-authorization.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

interface Started {
  device_code: string;
  user_code: string;
}

let database: TestDatabase;
let runtime: TestRuntime;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  client = await runtime.newClient({ redirectUris: [REDIRECT] });
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

let count = 0;
const newUser = () => runtime.newUser(`device${(count += 1)}@example.com`);
const secretOf = ({ client_id, client_secret }: Application) => ({
  client_id,
  ...(client_secret !== undefined && { client_secret }),
});
async function registered(grant_types: string[]): Promise<Application> {
  const json = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', grant_types };
  const { status, body } = await runtime.as()('POST', '/oauth/register', { json });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Application;
}
const start = (form: Record<string, string> = {}, by: Application = client) =>
  runtime.as()('POST', '/oauth/device_authorization', {
    body: new URLSearchParams({ ...secretOf(by), ...form }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const started = async (form?: Record<string, string>, by?: Application) => (await start(form, by)).body as Started;
const poll = async (device_code: string, by: Application = client) => {
  const { status, body } = await runtime.askToken({ grant_type: GRANT, device_code, ...secretOf(by) });
  return { status, error: (body as { error?: string }).error, body: body as Record<string, string> };
};
const rowOf = ({ user_code }: Started) => ({ request_hash: new Uint8Array(hashUserCode(user_code) ?? []) });
/** Decides as the console does after a user has entered the code there. */
const decide = (by: Started, user_id: string, granted: string[]) =>
  runtime.db.prisma.oAuthAuthorization.update({
    where: rowOf(by),
    data: { user_id, granted, decided_at: new Date(), ticket_hash: new Uint8Array(hashSecret(newId())) },
  });

describe('a stock client (openid-client)', () => {
  it('signs a user in on another device, and reads userinfo', async () => {
    const { client_id } = await registered(['authorization_code', 'refresh_token', GRANT]);
    const config = await oidc.discovery(new URL(RUNTIME_URL), client_id, undefined, oidc.None(), {
      [oidc.customFetch]: (url: string, init: object) => fetch(url.replace(RUNTIME_URL, runtime.url), init),
      // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning: the runtime under test has no TLS
      execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
    });
    const begun = await oidc.initiateDeviceAuthorization(config, { scope: 'openid email' });
    expect(begun).toMatchObject({
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/) as string,
      verification_uri: `${BASE_URL}/admin/device`,
      verification_uri_complete: `${BASE_URL}/admin/device?user_code=${begun.user_code}`,
      ...{ expires_in: 600, interval: 5 },
    });
    const user = await newUser();
    await decide(begun, user.id, ['openid', 'email']);
    // The client waits five seconds before it polls.
    const tokens = await oidc.pollDeviceAuthorizationGrant(config, begun);
    expect(tokens.claims()).toMatchObject({ sub: user.id, aud: client_id, email: `device${count}@example.com` });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, user.id)).toMatchObject({ sub: user.id });
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).claims()?.sub).toBe(user.id);
  });
});

describe('a device code', () => {
  it("yields tokens only after the user's decision, only once, and only to its client", async () => {
    const begun = await started({ scope: 'agents:read' });
    expect(await poll(begun.device_code)).toMatchObject({ status: 400, error: 'authorization_pending' });
    await decide(begun, (await newUser()).id, ['agents:read']);
    const other = await runtime.newClient({ redirectUris: [REDIRECT] });
    expect((await poll(begun.device_code, other)).error).toBe('invalid_grant');
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(begun.device_code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ error }) => error === 'invalid_grant')).toHaveLength(4);
    const { body } = answers.find(({ status }) => status === 200) ?? {};
    expect(body?.['scope']).toBe('agents:read');
    expect((await runtime.as(body?.['access_token'])('GET', '/api/v1/agents/registry')).status).toBe(200);
  });

  it('is refused when the user denied, when it has expired, and for a disabled account', async () => {
    const [denied, expired, disabled] = await Promise.all([started(), started(), started()]);
    await decide(denied, (await newUser()).id, []);
    expect((await poll(denied.device_code)).error).toBe('access_denied');
    await runtime.db.prisma.oAuthAuthorization.update({ where: rowOf(expired), data: { expires_at: new Date(0) } });
    expect((await poll(expired.device_code)).error).toBe('expired_token');
    const user = await newUser();
    await decide(disabled, user.id, ['agents:read']);
    await runtime.db.prisma.user.update({ where: { id: user.id }, data: { status: 'inactive' } });
    expect((await poll(disabled.device_code)).error).toBe('access_denied');
  });

  it('is refused when its secret part is wrong and when it is sent as an authorization code; a user code is refused as a device code', async () => {
    const { device_code, user_code } = await started();
    for (const code of [device_code.slice(0, -1), `${newId()}.${newId()}`, user_code, '.', 'x'])
      expect((await poll(code)).error).toBe('invalid_grant');
    const form = { grant_type: 'authorization_code', code: device_code, redirect_uri: '', ...secretOf(client) };
    expect((await runtime.askToken(form)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('is answered with slow_down when the client polls more often than every five seconds', async () => {
    const { url } = await runtime.start({ multiplier: 1 });
    const { device_code } = await started();
    const body = new URLSearchParams({ grant_type: GRANT, device_code, ...secretOf(client) });
    const errors: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body });
      errors.push(((await answer.json()) as { error: string }).error);
    }
    expect(errors[0]).toBe('authorization_pending');
    expect(errors).toContain('slow_down');
  });
});

describe('POST /oauth/device_authorization', () => {
  it('refuses clients that are not registered for the device flow, unknown scopes and foreign resources', async () => {
    const web = await registered(['authorization_code']);
    expect((await start({}, web)).body).toMatchObject({ error: 'unauthorized_client' });
    expect((await poll('x', web)).error).toBe('unauthorized_client');
    expect((await start({ scope: 'nonsense' })).body).toMatchObject({ error: 'invalid_scope' });
    expect((await start({ resource: 'https://elsewhere.example' })).body).toMatchObject({ error: 'invalid_target' });
    const { status, body } = await start({ client_secret: 'wrong' });
    expect([status, (body as { error: string }).error]).toEqual([401, 'invalid_client']);
  });
});
