import { generateKeyPairSync } from 'node:crypto';
import { disableUser } from '@millwright/accounts';
import { createTokenSigner, mintAreaToken, mintGatewayToken } from '@millwright/auth';
import { publishSigningKey } from '@millwright/auth/signing-keys';
import { createFakeMcpServer, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { BASE_URL, startRuntime, type TestRuntime } from './test-runtime.js';

let database: TestDatabase;
let runtime: TestRuntime;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { kid: 'admin', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const sign = createTokenSigner(key);

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1/v1');
  await publishSigningKey(runtime.db, 'admin-auth', key);
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const subject = () => ({ issuer: BASE_URL, userId: runtime.owner.id, sid: 's', project: 'Core' as const });
const registry = (token: string) => runtime.as(token)('GET', '/api/v1/agents/registry');

describe('gateway tokens at the runtime API', () => {
  it('are accepted, as are the console’s tokens for the runtime API and tokens that the runtime API issued', async () => {
    for (const token of [
      mintGatewayToken(sign, subject()),
      mintAreaToken(sign, subject(), 'runtime'),
      await runtime.newToken(),
    ])
      expect((await registry(token)).status).toBe(200);
  });

  it('are accepted at MCP endpoints, which refuse tokens for other resources', async () => {
    const list = { jsonrpc: '2.0', method: 'tools/list', id: 1 };
    const statusWith = async (token: string) =>
      (await runtime.as(token)('POST', '/api/v1/mcp/platform/mcp', { json: list })).status;
    const good = [mintGatewayToken(sign, subject()), mintAreaToken(sign, subject(), 'runtime')];
    const bad = [
      mintAreaToken(sign, subject(), 'platform'),
      mintGatewayToken(sign, { ...subject(), issuer: 'http://evil.test' }),
    ];
    expect(await Promise.all([...good, ...bad].map(statusWith))).toEqual([200, 200, 401, 401]);
  });

  it("can use only MCP sessions of the token's user", async () => {
    const upstream = await createFakeMcpServer('sessions', [{ name: 'add', inputSchema: { type: 'object' } }]);
    await runtime.newMcpServer({ name: 'sums', url: upstream.url });
    const other = await runtime.newUser('grace@example.com');
    const post = (token: string, message: object, headers = {}) =>
      runtime.as(token)('POST', '/api/v1/mcp/sums/mcp', { json: { jsonrpc: '2.0', id: 1, ...message }, headers });
    const token = mintGatewayToken(sign, subject());
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const opened = await post(token, { method: 'initialize', params });
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const statusWith = async (as: string) => (await post(as, { method: 'tools/list' }, headers)).status;
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(await runtime.newToken())).toBe(200);
    expect(await statusWith(mintGatewayToken(sign, { ...subject(), userId: other.id }))).toBe(404);
    await upstream.close();
  });

  it('are refused when they name another service or installation', async () => {
    expect((await registry(mintAreaToken(sign, subject(), 'prompt'))).status).toBe(401);
    expect((await registry(mintGatewayToken(sign, { ...subject(), issuer: 'http://evil.test' }))).status).toBe(401);
  });

  it('are refused from the next request on once the account is disabled', async () => {
    const token = mintGatewayToken(sign, subject());
    expect((await registry(token)).status).toBe(200);
    const { id, actor } = runtime.owner;
    await runtime.db.transaction((tx) => disableUser(tx, id, actor, () => undefined));
    expect((await registry(token)).status).toBe(401);
  });
});
