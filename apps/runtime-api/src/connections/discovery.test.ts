import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@millwright/catalog';
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
  // Nothing of ours may be reached but the MCP server itself.
  egress = createEgress({ allowLoopback: false, allowHttp: true, allow: [new URL(origin).host] });
  const secrets = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  // Nobody's token is looked up.
  discover = createDiscovery(egress, { db: {} as never, fetch: egress.fetch, secrets });
  server = { id: 'id', url: mcp.url, headers: {}, auth: { type: 'user' } };
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

it('finds what is described as the standards say', async () => {
  serve({});
  expect(await discover(server)).toMatchObject({ resource: mcp.url, as: { issuer: origin }, scope: undefined });
});

describe('an address that leads to us', () => {
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
      // A header holds no more than this.
      if (/[^\x20-\x7e]/.test(address)) continue;
      describe(address);
      if (!REFUSED.includes(await outcome())) followed.push(address);
    }
    expect(followed).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http:', '/authorize'])(
    '%s is no place to send a browser to',
    async (address) => {
      serve({ as: { authorization_endpoint: address } });
      expect(REFUSED).toContain(await outcome());
    },
  );

  it('is not followed by a redirect', async () => {
    serve({});
    mcp.behaviour = { redirect: 'http://169.254.169.254/' };
    expect(REFUSED).toContain(await outcome());
  });
});

it.each<[string, { resource?: object; as?: object }]>([
  ['is for another origin', { resource: { resource: 'https://other.example/mcp' } }],
  ['is for another path', { resource: { resource: 'PATH/other' } }],
  ['is for a path that only begins alike', { resource: { resource: 'PATH/mc' } }],
  ['is for no address', { resource: { resource: 'x' } }],
  ['names an issuer that describes another', { as: { issuer: 'https://other.example' } }],
  ['has no PKCE', { as: { code_challenge_methods_supported: undefined } }],
  ['has plain PKCE alone', { as: { code_challenge_methods_supported: ['plain'] } }],
  ['has no token endpoint', { as: { token_endpoint: undefined } }],
])('metadata that %s is not used', async (_case, described) => {
  const { resource: over } = described as { resource?: { resource: string } };
  serve(over ? { resource: { resource: over.resource.replace('PATH', origin) } } : described);
  expect(await outcome()).toBe('CannotConnect');
});

it('metadata for all of the origin is used, and its resource', async () => {
  serve({ resource: { resource: `${origin}/` } });
  expect(await discover(server)).toMatchObject({ resource: `${origin}/` });
});

it('a challenge that names metadata which is not there is not made up for by a guess', async () => {
  serve({});
  mcp.challenge = () => `Bearer resource_metadata="${origin}/elsewhere"`;
  expect(await outcome()).toBe('CannotConnect');
});

it('a server that was registered with an authorization server is not led to another', async () => {
  serve({});
  server = { ...server, auth: { type: 'user', issuer: 'https://login.example', client_id: 'x' } };
  expect(await outcome()).toBe('CannotConnect');
});

it.each([{ flood: 2_000_000 }, 'garbage', 'reset', 'error'] as const)('%j leads nowhere', async (behaviour) => {
  serve({});
  mcp.behaviour = behaviour;
  expect(await outcome()).not.toBe('found');
});
