// @ts-check
import assert from 'node:assert/strict';
import { Auth } from '@auth/core';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import * as openid from 'openid-client';
import OAuth2Strategy from 'passport-oauth2';
import OpenIdStrategy from 'passport-openidconnect';

const EMAIL = 'admin@localhost';
const NAME = 'Admin';

/** Stores cookies, as a browser does. */
function cookieJar() {
  /** @type {Map<string, string>} */
  const cookies = new Map();
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep(/** @type {Response} */ response) {
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      return response;
    },
  };
}

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ runtime, person }) {
  /** Makes the user's browser follow a link. @returns the address of the application at which the browser arrives */
  async function follow(/** @type {string | URL} */ link) {
    const answer = await fetch(`${person}/follow`, { method: 'POST', body: String(link) });
    const text = await answer.text();
    assert(answer.ok, text);
    return text;
  }

  /** Registers an application (RFC 7591), as its developer would. */
  async function register(/** @type {string} */ callback) {
    const metadata = {
      client_name: 'Shop',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'client_secret_basic',
    };
    const answer = await fetch(`${runtime}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    assert.equal(answer.status, 201);
    const { client_id: id, client_secret: secret } = await answer.json();
    return { id, secret };
  }

  /**
   * Runs a strategy of passport as passport does, with one session for both requests.
   *
   * @param {any} strategy @param {object} session
   * @returns {(url: string) => Promise<{ user?: any, to?: string }>}
   */
  const withPassport = (strategy, session) => (url) =>
    new Promise((resolve, reject) => {
      const request = {
        url,
        query: Object.fromEntries(new URL(url).searchParams),
        session,
        headers: {},
        connection: {},
      };
      const run = Object.assign(Object.create(strategy), {
        success: (/** @type {any} */ user) => resolve({ user }),
        redirect: (/** @type {string} */ to) => resolve({ to }),
        fail: (/** @type {any} */ why) => reject(new Error(`refused: ${JSON.stringify(why)}`)),
        error: reject,
      });
      run.authenticate(request, {});
    });

  return {
    'Auth.js: discovery, sign-in, session': async () => {
      const base = `${person}/callback/auth`;
      const { id, secret } = await register(`${base}/callback/millwright`);
      /** @type {import('@auth/core').AuthConfig} */
      const config = {
        basePath: '/callback/auth',
        secret: 'a secret of the application alone',
        trustHost: true,
        providers: [
          {
            ...{ id: 'millwright', name: 'Millwright', type: 'oidc', issuer: runtime },
            ...{ clientId: id, clientSecret: secret, checks: ['pkce', 'state', 'nonce'] },
          },
        ],
      };
      const jar = cookieJar();
      const call = async (/** @type {string} */ url, /** @type {RequestInit} */ init = {}) =>
        jar.keep(await Auth(new Request(url, { ...init, headers: { ...init.headers, cookie: jar.header() } }), config));
      const { csrfToken } = await (await call(`${base}/csrf`)).json();
      const begun = await call(`${base}/signin/millwright`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Auth-Return-Redirect': '1' },
        body: new URLSearchParams({ csrfToken, callbackUrl: base }),
      });
      const back = await follow((await begun.json()).url);
      assert.equal((await call(back)).status, 302);
      const { user } = await (await call(`${base}/session`)).json();
      assert.deepEqual([user.name, user.email], [NAME, EMAIL]);
    },
    'better-auth: genericOAuth by discovery, session': async () => {
      const base = `${person}/callback/better`;
      const { id, secret } = await register(`${base}/callback/millwright`);
      const auth = betterAuth({
        baseURL: base,
        secret: 'a secret of the application alone',
        database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
        plugins: [
          genericOAuth({
            config: [
              {
                ...{ providerId: 'millwright', clientId: id, clientSecret: secret, pkce: true },
                ...{
                  discoveryUrl: `${runtime}/.well-known/openid-configuration`,
                  scopes: ['openid', 'profile', 'email'],
                },
              },
            ],
          }),
        ],
      });
      const jar = cookieJar();
      const call = async (/** @type {string} */ url, /** @type {RequestInit} */ init = {}) => {
        const headers = { origin: person, 'Content-Type': 'application/json', cookie: jar.header() };
        return jar.keep(await auth.handler(new Request(url, { ...init, headers })));
      };
      const begun = await call(`${base}/sign-in/social`, {
        method: 'POST',
        body: JSON.stringify({ provider: 'millwright', callbackURL: '/home' }),
      });
      const back = await follow((await begun.json()).url);
      const done = await call(back);
      assert.deepEqual([done.status, done.headers.get('location')], [302, '/home']);
      const { user } = await (await call(`${base}/get-session`)).json();
      assert.deepEqual([user.name, user.email], [NAME, EMAIL]);
    },
    'passport-oauth2: PKCE, state, profile from userinfo': async () => {
      const callbackURL = `${person}/callback/passport`;
      const { id, secret } = await register(callbackURL);
      const options = {
        ...{ authorizationURL: `${runtime}/oauth/authorize`, tokenURL: `${runtime}/oauth/token` },
        ...{ clientID: id, clientSecret: secret, callbackURL, pkce: true, state: true, scope: 'openid profile email' },
      };
      class Millwright extends OAuth2Strategy {
        /** @param {string} token @param {(error: unknown, profile?: object) => void} done */
        userProfile(token, done) {
          this._oauth2.useAuthorizationHeaderforGET(true);
          this._oauth2.get(`${runtime}/oauth/userinfo`, token, (error, body) =>
            error ? done(error) : done(null, JSON.parse(String(body))),
          );
        }
      }
      /** @type {import('passport-oauth2').VerifyFunction} */
      const verify = (_access, _refresh, profile, done) => done(null, profile);
      const run = withPassport(new Millwright(/** @type {any} */ (options), verify), {});
      const { to = '' } = await run(`${person}/login`);
      const { user } = await run(await follow(to));
      assert.deepEqual([user.name, user.email], [NAME, EMAIL]);
    },
    'passport-openidconnect: nonce, id token, profile': async () => {
      const callbackURL = `${person}/callback/passport-openid`;
      const { id, secret } = await register(callbackURL);
      const options = {
        ...{ issuer: runtime, authorizationURL: `${runtime}/oauth/authorize`, tokenURL: `${runtime}/oauth/token` },
        ...{ userInfoURL: `${runtime}/oauth/userinfo`, clientID: id, clientSecret: secret, callbackURL },
        ...{ scope: ['profile', 'email'], nonce: true },
      };
      // The package has no PKCE, which a client that registered itself needs, so this code computes the challenge of RFC 7636.
      const verifier = openid.randomPKCECodeVerifier();
      const challenge = await openid.calculatePKCECodeChallenge(verifier);
      const strategy = new OpenIdStrategy(
        options,
        (/** @type {string} */ _issuer, /** @type {any} */ profile, /** @type {Function} */ done) =>
          done(null, profile),
      );
      strategy.authorizationParams = () => ({ code_challenge: challenge, code_challenge_method: 'S256' });
      const redeem = strategy._oauth2.getOAuthAccessToken.bind(strategy._oauth2);
      strategy._oauth2.getOAuthAccessToken = (
        /** @type {string} */ code,
        /** @type {object} */ form,
        /** @type {Function} */ done,
      ) => redeem(code, { ...form, code_verifier: verifier }, done);
      const run = withPassport(strategy, {});
      const { to = '' } = await run(`${person}/login`);
      const { user } = await run(await follow(to));
      assert.deepEqual([user.displayName, user.emails[0].value], [NAME, EMAIL]);
    },
    'openid-client: discovery, code, userinfo, refresh, end session': async () => {
      const redirect_uri = `${person}/callback/openid`;
      const { id, secret } = await register(redirect_uri);
      const config = await openid.discovery(new URL(runtime), id, undefined, openid.ClientSecretBasic(secret), {
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
      });
      const [verifier, nonce, state] = [openid.randomPKCECodeVerifier(), openid.randomNonce(), openid.randomState()];
      const link = openid.buildAuthorizationUrl(config, {
        ...{ redirect_uri, scope: 'openid profile email', nonce, state, max_age: '600' },
        ...{ code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
      const tokens = await openid.authorizationCodeGrant(config, new URL(await follow(link)), {
        ...{
          pkceCodeVerifier: verifier,
          expectedNonce: nonce,
          expectedState: state,
          maxAge: 600,
          idTokenExpected: true,
        },
      });
      const { sub = '' } = tokens.claims() ?? {};
      const { name, email } = await openid.fetchUserInfo(config, tokens.access_token, sub);
      assert.deepEqual([name, email], [NAME, EMAIL]);
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      assert.equal(renewed.claims()?.sub, sub);
      const end = openid.buildEndSessionUrl(config, {
        ...{ id_token_hint: renewed.id_token ?? '', post_logout_redirect_uri: redirect_uri, state: 'out' },
      });
      assert.equal(await follow(end), `${redirect_uri}?state=out`);
    },
  };
}
