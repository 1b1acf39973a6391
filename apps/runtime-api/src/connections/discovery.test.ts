import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@millwright/secrets';
import { createEgress, type Egress } from '@millwright/egress';
import { createFakeMcpServer, notUrls, privateHosts, type FakeMcpServer } from '@millwright/testing';
import { createDiscovery, type Discover, type UserServer } from './discovery.js';

let mcp: FakeMcpServer;
let egress: Egress;
let discover: Discover;
let server: UserServer;
let origin: string;

beforeEach(async () => {
  mcp = await createFakeMcpServer('modern');
  ({ origin } = new URL(mcp.url));
  // Only the address of the MCP server itself may be reached.
  egress = createEgress({ allowLoopback: false, allowHttp: true, allow: [new URL(origin).host] });
  const secrets = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  // These tests need no token, so discovery gets no database.
  discover = createDiscovery(egress, { db: {} as never, fetch: egress.fetch, secrets });
  server = { id: 'id', project: 'Core', url: mcp.url, headers: {}, auth: { type: 'user' } };
  mcp.challenge = () => 'Bearer';
});
afterEach(async () => {
  await Promise.all([mcp.close(), egress.close()]);
});

const RESOURCE = '/.well-known/oauth-protected-resource/mcp';
const SERVER = '/.well-known/oauth-authorization-server';
const resource = (over: object = {}) => ({ resource: mcp.url, authorization_servers: [origin], ...over });
const as = (over: object = {}) => ({
  issuer: origin,
  authorization_endpoint: 'https://as.example/authorize',
  token_endpoint: 'https://as.example/token',
  code_challenge_methods_supported: ['S256'],
  ...over,
});
const serve = (describe: { resource?: object; as?: object }) => {
  mcp.documents = { [RESOURCE]: resource(describe.resource), [SERVER]: as(describe.as) };
};
const outcome = () =>
  discover(server).then(
    () => 'found',
    (error: unknown) => (error as Error).name,
  );
const REFUSED = ['EgressRefused', 'EgressError'];

it('discovery finds metadata at the addresses that the standards define', async () => {
  serve({});
  expect(await discover(server)).toMatchObject({ resource: mcp.url, as: { issuer: origin }, scope: undefined });
});

describe('an internal, malformed or non-HTTP address', () => {
  const addresses = [...privateHosts.map((host) => `http://${host}/`), ...notUrls, 'file:///etc/passwd', 'gopher://x/'];

  it.each<[string, (address: string) => void]>([
    ['authorization_endpoint', (address) => serve({ as: { authorization_endpoint: address } })],
    ['token_endpoint', (address) => serve({ as: { token_endpoint: address } })],
    ['registration_endpoint', (address) => serve({ as: { registration_endpoint: address } })],
    ['revocation_endpoint', (address) => serve({ as: { revocation_endpoint: address } })],
    ['authorization server', (address) => serve({ resource: { authorization_servers: [address] } })],
    [
      'resource_metadata',
      (address) => {
        serve({});
        mcp.challenge = () => `Bearer resource_metadata="${address}"`;
      },
    ],
  ])('is refused as %s', async (_field, describe) => {
    const followed: string[] = [];
    for (const address of addresses) {
      // Skips addresses with characters that a header cannot contain.
      if (/[^\x20-\x7e]/.test(address)) continue;
      describe(address);
      if (!REFUSED.includes(await outcome())) followed.push(address);
    }
    expect(followed).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http:', '/authorize'])(
    'is refused as an authorization endpoint: %s',
    async (address) => {
      serve({ as: { authorization_endpoint: address } });
      expect(REFUSED).toContain(await outcome());
    },
  );

  it('is not reached through a redirect', async () => {
    serve({});
    mcp.behaviour = { redirect: 'http://169.254.169.254/' };
    expect(REFUSED).toContain(await outcome());
  });
});

it.each<[string, { resource?: object; as?: object }]>([
  ['is for another origin', { resource: { resource: 'https://other.example/mcp' } }],
  ['is for another path', { resource: { resource: 'PATH/other' } }],
  ['is for the path /mc, and the server has the path /mcp', { resource: { resource: 'PATH/mc' } }],
  ['is for a resource that is no URL', { resource: { resource: 'x' } }],
  ['names an issuer whose metadata name another issuer', { as: { issuer: 'https://other.example' } }],
  ['has no PKCE', { as: { code_challenge_methods_supported: undefined } }],
  ['has only plain PKCE', { as: { code_challenge_methods_supported: ['plain'] } }],
  ['has no token endpoint', { as: { token_endpoint: undefined } }],
])('metadata is refused when it %s', async (_case, described) => {
  const { resource: over } = described as { resource?: { resource: string } };
  serve(over ? { resource: { resource: over.resource.replace('PATH', origin) } } : described);
  expect(await outcome()).toBe('CannotConnect');
});

describe('an issuer whose endpoints have different origins', () => {
  const elsewhere = 'https://tokens.example/token';

  it("is refused, because such an issuer could send the user to another organization's server", async () => {
    serve({ as: { token_endpoint: elsewhere } });
    expect(await outcome()).toBe('CannotConnect');
  });

  it('is used when the operator trusts it', async () => {
    serve({ as: { token_endpoint: elsewhere } });
    const secrets = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
    const trusting = createDiscovery(egress, { db: {} as never, fetch: egress.fetch, secrets }, [`${origin}/`]);
    expect((await trusting(server)).as.token_endpoint).toBe(elsewhere);
  });

  it('is not sent tokens to revoke when its revocation endpoint has another origin', async () => {
    serve({ as: { revocation_endpoint: 'https://tokens.example/revoke' } });
    expect((await discover(server)).as.revocation_endpoint).toBeUndefined();
  });
});

it('metadata may name the whole origin of the server as the resource, and tokens are then requested for that resource', async () => {
  serve({ resource: { resource: `${origin}/` } });
  expect(await discover(server)).toMatchObject({ resource: `${origin}/` });
});

it('discovery fails when the address in a challenge has no metadata, and tries no other address', async () => {
  serve({});
  mcp.challenge = () => `Bearer resource_metadata="${origin}/elsewhere"`;
  expect(await outcome()).toBe('CannotConnect');
});

it('discovery fails when the metadata and the registration of an MCP server name different authorization servers', async () => {
  serve({});
  server = { ...server, auth: { type: 'user', issuer: 'https://login.example', client_id: 'x' } };
  expect(await outcome()).toBe('CannotConnect');
});

it.each([{ flood: 2_000_000 }, 'garbage', 'reset', 'error'] as const)(
  'discovery fails when the MCP server misbehaves like this: %j',
  async (behaviour) => {
    serve({});
    mcp.behaviour = behaviour;
    expect(await outcome()).not.toBe('found');
  },
);
