import { openClientSecret, type SealedAuth } from '@millwright/mcp';
import { decodeId } from '@millwright/db';
import {
  createFakeAuthorizationServer,
  createFakeMcpServer,
  createHttpClient,
  messageOf,
  privateHosts,
  type FakeAuthorizationServer,
  type FakeMcpServer,
} from '@millwright/testing';
import { bearer } from '../test-platform.js';
import { usePlatform } from '../test-use-platform.js';
import type { McpServer } from './mcp-servers.contract.js';

const { platform, client } = usePlatform();
let upstream: FakeMcpServer;
let as: FakeAuthorizationServer;
let names = 0;

beforeAll(async () => {
  [upstream, as] = await Promise.all([
    createFakeMcpServer('modern', [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }]),
    createFakeAuthorizationServer(),
  ]);
  as.clients.set('us', 's3cret-value');
  upstream.challenge = ({ authorization }) => (as.userOf(authorization) ? undefined : 'Bearer');
});
afterAll(() => Promise.all([upstream.close(), as.close()]));

const SERVERS = '/api/v1/mcp/servers';
const newName = () => `Server ${++names}`;
const uuidOf = (id: string) => decodeId('ms', id) ?? '';
const credentials = () => ({
  type: 'client_credentials',
  token_url: `${as.url}/token`,
  client_id: 'us',
  client_secret: 's3cret-value',
});
const post = (over: object) =>
  client('POST', SERVERS, { json: { name: newName(), url: upstream.url, auth: credentials(), ...over } });
const patch = (id: string, json: object) => client('PATCH', `${SERVERS}/${id}`, { json });
const read = async (id: string) => (await client('GET', `${SERVERS}/${id}`)).body as McpServer;

async function create(over: object = {}): Promise<McpServer> {
  const answer = await post(over);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  await platform.probed();
  return answer.body as McpServer;
}
async function authOf(id: string) {
  const { auth } = await platform.db.prisma.mcpServer.findUniqueOrThrow({ where: { id: uuidOf(id) } });
  return auth as SealedAuth & { client_secret?: string };
}
const secretOf = async (id: string) =>
  openClientSecret(platform.secretBox, uuidOf(id), (await authOf(id)).client_secret ?? '');

describe('auth of an MCP server', () => {
  it('of type client_credentials is used for probes; its secret is stored sealed and is in no answer', async () => {
    const { id, auth } = await create();
    const shown = { ...credentials(), client_secret: '********', client_auth: 'client_secret_basic' };
    expect(auth).toEqual(shown);
    expect(await read(id)).toMatchObject({ auth: shown, status: 'active', tools_count: 1 });
    expect(await secretOf(id)).toBe('s3cret-value');
    const rows = [
      await platform.db.prisma.mcpServer.findMany(),
      await platform.db.prisma.governanceDecision.findMany(),
      await platform.db.prisma.idempotencyKey.findMany(),
    ];
    const stored = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(stored).not.toContain('s3cret-value');
    expect((await platform.decisionsOn(id))[0]).toMatchObject({ detail: { auth: 'client_credentials' } });
  });

  it('of type user leaves the server without tools until the user who registered the server connects an account', async () => {
    const { id, auth } = await create({ auth: { type: 'user', scope: 'a b' } });
    expect(auth).toEqual({ type: 'user', scope: 'a b' });
    expect(await read(id)).toMatchObject({ status: 'active', tools_count: 0, last_seen_at: null });
    const given = { type: 'user', issuer: as.url, client_id: 'x', client_secret: 's3cret-value' };
    const other = await create({ auth: given });
    expect(other.auth).toEqual({ ...given, client_secret: '********' });
    expect(await secretOf(other.id)).toBe('s3cret-value');
  });

  it('is `none` by default, and can be changed by a PATCH of auth alone', async () => {
    const server = await create({ auth: undefined });
    expect(server.auth).toEqual({ type: 'none' });
    expect((await patch(server.id, { auth: credentials() })).status).toBe(200);
    await platform.probed();
    expect(await read(server.id)).toMatchObject({ status: 'active', tools_count: 1 });
    expect((await patch(server.id, { description: 'x' })).body).toMatchObject({ auth: { client_id: 'us' } });
    expect((await patch(server.id, { auth: { type: 'none' } })).body).toMatchObject({ auth: { type: 'none' } });
    await platform.probed();
    expect(await authOf(server.id)).toEqual({ type: 'none' });
  });

  it('keeps its secret when a PATCH sends back the auth of a GET, in which the secret is masked', async () => {
    const { id } = await create();
    const { auth } = await read(id);
    expect((await patch(id, { auth: { ...auth, scope: 'more' } })).body).toMatchObject({ auth: { scope: 'more' } });
    expect(await secretOf(id)).toBe('s3cret-value');
  });

  it('is refused when the stored secret, or tokens obtained with it, would be sent to another address', async () => {
    const { id } = await create();
    const { auth } = await read(id);
    const [at, fault] = [`${as.url}/other`, 'auth.client_secret: has no value to keep for this client at this place'];
    for (const json of [
      { auth: { ...auth, token_url: at } },
      { auth: { ...auth, client_id: 'other' } },
      { auth: { type: 'user', issuer: at, client_id: 'us', client_secret: '********' } },
    ])
      expect(messageOf(await patch(id, json))).toContain(fault);
    const elsewhere = await createFakeMcpServer('modern');
    const moved = 'auth: must be sent with its client_secret when url leads to another origin';
    for (const json of [{ url: elsewhere.url }, { url: elsewhere.url, auth }])
      expect(messageOf(await patch(id, json))).toContain(moved);
    expect(elsewhere.seen).not.toContainEqual(expect.objectContaining({ authorization: expect.anything() as string }));
    expect((await patch(id, { url: elsewhere.url, auth: credentials() })).status).toBe(200);
    await platform.probed();
    await elsewhere.close();
  });

  it.each<[object, string]>([
    [{ auth: { type: 'magic' } }, 'auth.type'],
    [{ auth: null }, 'auth'],
    [{ auth: { type: 'none', client_id: 'x' } }, 'auth'],
    [{ auth: { type: 'client_credentials' } }, 'auth.token_url: is required'],
    [
      { auth: { ...credentialsOf('https://as.example/token'), client_secret: 'a\nb' } },
      'auth.client_secret: must match',
    ],
    [
      { auth: { ...credentialsOf('https://as.example/token'), client_secret: '********' } },
      'auth.client_secret: has no',
    ],
    [{ auth: { ...credentialsOf('https://as.example/token'), client_auth: 'none' } }, 'auth.client_auth'],
    [{ auth: { ...credentialsOf('https://as.example/token'), scope: 'a  b' } }, 'auth.scope: must match'],
    [{ auth: credentialsOf('https://as.example/token#x') }, 'auth.token_url: must be the public https address'],
    [{ auth: credentialsOf('https://u:p@as.example/token') }, 'auth.token_url: must be the public https address'],
    [{ auth: credentialsOf('file:///etc/passwd') }, 'auth.token_url: must be the public https address'],
    [{ auth: { type: 'user', client_id: 'x' } }, 'auth.issuer: is required'],
    [{ auth: { type: 'user', client_secret: 'x' } }, 'auth.client_id: is required'],
    [
      { auth: { type: 'user', issuer: 'https://as.example', client_id: 'x', client_auth: 'client_secret_post' } },
      'auth.client_auth: must be none exactly without client_secret',
    ],
    [{ auth: { type: 'agent_token', client_secret: 'x' } }, 'auth'],
    [{ auth: { type: 'agent_token', scope: 'a  b' } }, 'auth.scope: must match'],
    [
      { auth: { type: 'agent_token' }, headers: { Authorization: 'Bearer x' } },
      'headers.authorization: is what auth is for',
    ],
    [{ headers: { Authorization: 'Bearer x' } }, 'headers.authorization: is what auth is for'],
  ])('is refused with 422 for the fields %j', async (over, fault) => {
    const answer = await post(over);
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault)]);
  });

  it('of type agent_token is stored unchanged', async () => {
    const auth = { type: 'agent_token', scope: 'sums:add' };
    const open = await createFakeMcpServer('modern');
    const server = await create({ auth, url: open.url });
    expect(server.auth).toEqual(auth);
    expect(await authOf(server.id)).toEqual(auth);
    expect((await patch(server.id, { auth: { type: 'agent_token' } })).body).toMatchObject({
      auth: { type: 'agent_token' },
    });
    await platform.probed();
    await open.close();
  });

  it('can name a client for token exchange only if an admin sets it; other users get 403, and the attempt is recorded', async () => {
    const admin = await platform.clientOf('Core', { admin: true });
    const auth = { type: 'agent_token', client_id: 'mw_client_1' };
    expect((await post({ auth })).status).toBe(403);
    const { id } = await create({ auth: { type: 'agent_token' } });
    expect((await patch(id, { auth })).status).toBe(403);
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({
      ...{ action: 'mcp_server.allow_exchange', decision: 'deny' },
    });
    expect(await authOf(id)).toEqual({ type: 'agent_token' });
    expect((await admin('PATCH', `${SERVERS}/${id}`, { json: { auth } })).status).toBe(200);
    expect((await patch(id, { auth: { ...auth, scope: 'a' } })).status).toBe(200);
    expect((await patch(id, { auth: { ...auth, client_id: 'mw_client_2' } })).status).toBe(403);
    const api = { auth: { ...auth, scope: 'a agents:message' } };
    expect((await patch(id, api)).status).toBe(403);
    expect((await admin('PATCH', `${SERVERS}/${id}`, { json: api })).status).toBe(200);
    expect((await patch(id, api)).status).toBe(200);
    await platform.probed();
  });

  it('is refused when its secret would be sent to a forbidden address', async () => {
    const strict = createHttpClient(platform.strictUrl, bearer(await platform.issueKey()));
    const faults = new Set<string>();
    for (const host of privateHosts.filter((name) => URL.canParse(`https://${name}/`))) {
      for (const auth of [credentialsOf(`https://${host}/token`), { type: 'user', issuer: `https://${host}` }]) {
        const answer = await strict('POST', SERVERS, { json: { name: newName(), url: 'https://mcp.example/', auth } });
        if (answer.status !== 422 || !messageOf(answer).includes(': auth.'))
          faults.add(`${host}: ${answer.status} ${messageOf(answer)}`);
      }
    }
    expect([...faults]).toEqual([]);
  });
});

function credentialsOf(token_url: string) {
  return { type: 'client_credentials', token_url, client_id: 'us', client_secret: 'x' };
}
