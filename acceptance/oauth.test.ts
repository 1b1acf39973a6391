import { launchChromium } from '@millwright/testing/chromium';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Browser } from 'playwright-core';
import { send } from './harness/calls.js';
import { newPerson, type Person } from './harness/person.js';
import { startPlatform, type Platform } from './harness/platform.js';

const EMAIL = 'grace@example.com';
const SCOPE = 'agents:read content:read';

let platform: Platform;
let browser: Browser;
let person: Person;
let client: { client_id: string; client_secret: string };

beforeAll(async () => {
  [platform, browser] = await Promise.all([
    startPlatform({ replicas: { 'runtime-api': 3, 'prompt-api': 0 } }),
    launchChromium(),
  ]);
  await platform.operator('users', 'create', '--email', EMAIL, '--name', 'Grace', '--role', 'admin');
  person = await newPerson(platform, browser, EMAIL);
  const owner = ['--user', 'admin@localhost', '--name', 'Notebook'];
  client = await platform.operator('clients', 'create', ...owner, '--redirect-uri', person.redirectUri);
});
afterAll(async () => {
  await person.leave();
  await browser.close();
  await platform.stop();
});

const registry = (token: string) =>
  send(`${platform.runtimeUrl}/api/v1/agents/registry`, { headers: { Authorization: `Bearer ${token}` } });
const statusOf = async (token: string) => (await registry(token)).status;

/** Configures openid-client with only the issuer and the client's credentials. */
const discover = (authentication: openid.ClientAuth) =>
  openid.discovery(new URL(platform.runtimeUrl), client.client_id, undefined, authentication, {
    algorithm: 'oauth2',
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning: the platform under test has no TLS
    execute: [openid.allowInsecureRequests],
  });
const basic = () => discover(openid.ClientSecretBasic(client.client_secret));

async function authorized(config: openid.Configuration, scope = SCOPE, decision?: 'Allow' | 'Deny') {
  const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const link = openid.buildAuthorizationUrl(config, {
    redirect_uri: person.redirectUri,
    scope,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const back = await person.follow(link, decision);
  return { back, checks: { pkceCodeVerifier, expectedState } };
}
async function signIn(config: openid.Configuration, scope?: string) {
  const { back, checks } = await authorized(config, scope);
  return openid.authorizationCodeGrant(config, back, checks);
}

describe('openid-client', () => {
  it.each([
    ['HTTP Basic', openid.ClientSecretBasic],
    ['the body', openid.ClientSecretPost],
  ])(
    'gets a token by client credentials that it sends in %s, and the runtime accepts the token',
    async (_way, authentication) => {
      const config = await discover(authentication(client.client_secret));
      const tokens = await openid.clientCredentialsGrant(config, { scope: SCOPE });
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: SCOPE });
      expect(await statusOf(tokens.access_token)).toBe(200);
    },
  );

  it('signs a user in by code with PKCE, state and issuer, and then introspects, refreshes and revokes the tokens', async () => {
    const config = await basic();
    const tokens = await signIn(config);
    expect(tokens.scope).toBe(SCOPE);
    expect(await statusOf(tokens.access_token)).toBe(200);

    const shown = await openid.tokenIntrospection(config, tokens.access_token);
    const expected = { active: true, client_id: client.client_id, scope: SCOPE, iss: platform.runtimeUrl };
    expect(shown).toMatchObject({ ...expected, aud: platform.runtimeUrl, token_type: 'Bearer' });

    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await statusOf(next.access_token)).toBe(200);

    await openid.tokenRevocation(config, next.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false });
    expect(await statusOf(next.access_token)).toBe(401);
    await expect(openid.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('is refused when it uses a refresh token twice, and the successors of the token are revoked', async () => {
    const config = await basic();
    const { refresh_token: first = '' } = await signIn(config);
    const next = await openid.refreshTokenGrant(config, first);
    await expect(openid.refreshTokenGrant(config, first)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await statusOf(next.access_token)).toBe(401);
    await expect(openid.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('is refused when it uses a code twice, and the tokens of the code are revoked', async () => {
    const config = await basic();
    const { back, checks } = await authorized(config);
    const tokens = await openid.authorizationCodeGrant(config, back, checks);
    await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  it('receives access_denied when the user denies', async () => {
    const config = await basic();
    const { back, checks } = await authorized(config, 'files:read', 'Deny');
    await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'access_denied' });
  });
});

describe('the user', () => {
  it('consents only once to the same permissions, and again when a client requests further permissions or its access was revoked', async () => {
    const config = await basic();
    await signIn(config);
    const asked = person.asked();
    const { access_token } = await signIn(config);
    expect(person.asked()).toBe(asked);
    await signIn(config, `${SCOPE} skills:read`);
    expect(person.asked()).toBe(asked + 1);

    const { page } = person;
    await page.goto(`${platform.baseUrl}/admin/profile`);
    const app = page.getByRole('row').filter({ hasText: 'Notebook' });
    await app.getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
    await app.waitFor({ state: 'detached' });
    expect(await statusOf(access_token)).toBe(401);
    await signIn(config);
    expect(person.asked()).toBe(asked + 2);
  });
});

describe('openid-client with tokens bound to its key (DPoP)', () => {
  it('signs a user in, calls the API and refreshes its tokens through the gateway, which refuses a stolen token', async () => {
    const config = await basic();
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
    const { back, checks } = await authorized(config);
    const tokens = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    const url = new URL(`${platform.runtimeUrl}/api/v1/agents/registry?limit=1`);
    const call = (token: string, by: openid.DPoPHandle) =>
      openid.fetchProtectedResource(config, token, url, 'GET', undefined, undefined, { DPoP: by });
    // More requests than processes, so that at least one process receives two requests.
    for (let n = 0; n < 4; n += 1) expect((await call(tokens.access_token, DPoP)).status).toBe(200);
    expect(await statusOf(tokens.access_token)).toBe(401);
    const thief = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
    await expect(call(tokens.access_token, thief)).rejects.toMatchObject({ status: 401 });
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    expect((await call(next.access_token, DPoP)).status).toBe(200);
  });
});

describe('openid-client with pushed authorization requests', () => {
  it('signs a user in with a link that contains only the id of the client and the reference to the pushed request', async () => {
    const config = await basic();
    const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const link = await openid.buildAuthorizationUrlWithPAR(config, {
      ...{ redirect_uri: person.redirectUri, scope: SCOPE, state },
      ...{ code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    expect([...link.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const back = await person.follow(link);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await openid.authorizationCodeGrant(config, back, checks);
    expect(await statusOf(tokens.access_token)).toBe(200);
  });
});

describe('oauth4webapi', () => {
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning: the platform under test has no TLS
  const insecure = { [oauth.allowInsecureRequests]: true };
  const discoverServer = async () => {
    const issuer = new URL(platform.runtimeUrl);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    return oauth.processDiscoveryResponse(issuer, response);
  };

  it('registers a public client, signs a user in, and verifies the token by RFC 9068', async () => {
    const server = await discoverServer();
    const metadata = { client_name: 'Inspector', redirect_uris: [person.redirectUri] };
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { ...metadata, token_endpoint_auth_method: 'none' },
        insecure,
      ),
    );
    expect(registered).toMatchObject(metadata);

    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const link = new URL(server.authorization_endpoint ?? '');
    link.search = new URLSearchParams({
      client_id: registered.client_id,
      response_type: 'code',
      redirect_uri: person.redirectUri,
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const asked = person.asked();
    const back = await person.follow(link);
    expect(person.asked()).toBe(asked + 1);
    const answer = oauth.validateAuthResponse(server, registered, back, state);
    expect(back.searchParams.get('iss')).toBe(platform.runtimeUrl);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      registered,
      await oauth.authorizationCodeGrantRequest(
        server,
        registered,
        oauth.None(),
        answer,
        person.redirectUri,
        verifier,
        insecure,
      ),
    );
    const request = new Request(platform.runtimeUrl, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(await oauth.validateJwtAccessToken(server, request, platform.runtimeUrl, insecure)).toMatchObject({
      client_id: registered.client_id,
      scope: SCOPE,
    });

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      registered,
      await oauth.refreshTokenGrantRequest(server, registered, oauth.None(), tokens.refresh_token ?? '', insecure),
    );
    expect(await statusOf(refreshed.access_token)).toBe(200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, registered, oauth.None(), refreshed.access_token, insecure),
    );
    expect(await statusOf(refreshed.access_token)).toBe(401);
  });
});

describe('three processes without sticky routing', () => {
  it('share codes and refresh tokens when each step of a sign-in reaches another process', async () => {
    const config = await basic();
    const { back, checks } = await authorized(config);
    const processes = platform.of('runtime-api');
    const ask = async (url: string, form: Record<string, string>) => {
      const body = new URLSearchParams({ ...client, ...form });
      const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
      return { status: response.status, tokens: (await response.json()) as Record<string, string> };
    };
    const redirect_uri = person.redirectUri;
    const code = { code: back.searchParams.get('code') ?? '', redirect_uri, code_verifier: checks.pkceCodeVerifier };
    const tries = await Promise.all(
      processes.map(({ url }) => ask(url, { grant_type: 'authorization_code', ...code })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 400, 400]);

    const second = await authorized(config);
    const again = {
      code: second.back.searchParams.get('code') ?? '',
      redirect_uri,
      code_verifier: second.checks.pkceCodeVerifier,
    };
    let { tokens } = await ask(processes[0]?.url ?? '', { grant_type: 'authorization_code', ...again });
    for (const { url } of [...processes.slice(1), ...processes]) {
      const next = await ask(url, { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' });
      expect(next.status).toBe(200);
      tokens = next.tokens;
      for (const { url: other } of processes) {
        const headers = { Authorization: `Bearer ${tokens['access_token'] ?? ''}` };
        expect((await send(`${other}/api/v1/agents/registry`, { headers })).status).toBe(200);
      }
    }
  });
});
