// @ts-check
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * oidc-provider with its storage in memory. Access tokens are JWTs signed by ES256, and refresh tokens rotate. `/new` makes a grant and answers
 * with its first refresh token, so that the benchmark needs no sign-in in a browser.
 */
const [port, module = ''] = process.argv.slice(2);
const { Provider } = await import(module);
const issuer = `http://127.0.0.1:${port}`;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const server = { scope: 'skills:read', audience: issuer, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } };
const provider = new Provider(issuer, {
  clients: [
    {
      ...{ client_id: 'bench', client_secret: 'bench-secret', redirect_uris: ['https://app.example/cb'] },
      ...{ grant_types: ['authorization_code', 'refresh_token', 'client_credentials'], response_types: ['code'] },
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
  findAccount: (/** @type {unknown} */ _context, /** @type {string} */ id) => ({
    accountId: id,
    claims: () => ({ sub: id }),
  }),
  rotateRefreshToken: true,
  cookies: { keys: ['bench'] },
  scopes: ['openid', 'offline_access', 'skills:read'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => issuer,
      getResourceServerInfo: () => server,
      useGrantedResource: () => true,
    },
  },
});

async function newRefreshToken() {
  const client = await provider.Client.find('bench');
  const grant = new provider.Grant({ accountId: 'user', clientId: 'bench' });
  grant.addOIDCScope('offline_access');
  grant.addResourceScope(issuer, 'skills:read');
  const grantId = await grant.save();
  const scope = 'offline_access skills:read';
  const about = { accountId: 'user', client, grantId, scope, resource: issuer, gty: 'authorization_code' };
  return new provider.RefreshToken(about).save();
}

const serve = provider.callback();
createServer(async (request, response) => {
  if (request.url === '/new') response.end(await newRefreshToken());
  else serve(request, response);
}).listen(Number(port), '127.0.0.1');
