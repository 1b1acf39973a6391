import { generateKeyPairSync } from 'node:crypto';
import { disableUser } from '@millwright/accounts';
import { createTokenSigner, mintAreaToken, mintGatewayToken } from '@millwright/auth';
import { publishSigningKey } from '@millwright/auth/signing-keys';
import { createHttpClient, type HttpClient } from '@millwright/testing';
import type { Change } from './changes/changes.contract.js';
import { usePlatform } from './test-use-platform.js';

const { platform } = usePlatform();
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { kid: 'admin', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const sign = createTokenSigner(key);

beforeAll(() => publishSigningKey(platform.db, 'admin-auth', key));

const subject = () => ({
  issuer: 'http://platform.test',
  userId: platform.user.id,
  sid: 's',
  project: 'Core' as const,
});
const listSkills = (token: string) =>
  createHttpClient(platform.url, { authorization: `Bearer ${token}` })('GET', '/api/v1/skills');

/** Returns a client with a token as the console sends it. `isFresh`: the user has a recent passkey proof. */
const consoleOf = (isFresh: boolean) => {
  const token = mintAreaToken(sign, { ...subject(), isFresh }, 'platform');
  return createHttpClient(platform.url, { authorization: `Bearer ${token}` });
};

/**
 * By kind of record: the fields of a new record, and the expected statuses of its creation, update and deletion by POST /changes without a recent
 * passkey proof.
 */
const WITHOUT_PROOF: Record<Change['kind'], { fields: object; statuses: number[] }> = {
  skill: { fields: { name: 'Listed', description: '', instructions: 'x' }, statuses: [200, 200, 200] },
  content: { fields: { title: 'Listed', body: '' }, statuses: [200, 200, 200] },
  mcp_server: { fields: { name: 'Listed', url: 'http://127.0.0.1:1/mcp' }, statuses: [403, 403, 200] },
  agent: { fields: { name: 'Listed', description: '' }, statuses: [200, 200, 200] },
};

describe('the platform API', () => {
  it('accepts gateway tokens and console tokens for the platform API, and applies the rate limit of the standard plan', async () => {
    for (const token of [mintGatewayToken(sign, subject()), mintAreaToken(sign, subject(), 'platform')])
      expect((await listSkills(token)).status).toBe(200);
    const tight = createHttpClient(platform.tightUrl, { authorization: `Bearer ${mintGatewayToken(sign, subject())}` });
    expect((await tight('GET', '/api/v1/skills')).headers.get('x-ratelimit-limit')).toBe('1');
  });

  it('refuses tokens that name another service or another installation', async () => {
    expect((await listSkills(mintAreaToken(sign, subject(), 'runtime'))).status).toBe(401);
    expect((await listSkills(mintGatewayToken(sign, { ...subject(), issuer: 'http://evil.test' }))).status).toBe(401);
  });

  it("records a change by a gateway token as a change by the token's user", async () => {
    const client = createHttpClient(platform.url, { authorization: `Bearer ${mintGatewayToken(sign, subject())}` });
    const { body } = await client('POST', '/api/v1/skills', {
      json: { name: 'By token', description: '', instructions: 'x' },
    });
    expect(await platform.decisionsOn((body as { id: string }).id)).toMatchObject([
      { action: 'skill.create', user_id: platform.user.id, actor_id: 'Ada' },
    ]);
  });

  it("requires a recent passkey proof when the console removes tools from an agent's ask_tools, but not when the console adds tools", async () => {
    const [stale, fresh] = [consoleOf(false), consoleOf(true)];
    const agent = { name: 'Asks', description: '', ask_tools: ['sums/*', 'plugins/*'] };
    const { body } = await stale('POST', '/api/v1/agents', { json: agent });
    const path = `/api/v1/agents/${(body as { id: string }).id}`;
    const ask = (tools: string[], call = stale) => call('PATCH', path, { json: { ask_tools: tools } });
    for (const tools of [
      ['sums/*', 'plugins/*'],
      ['plugins/*', 'rates/get', 'sums/*'],
    ])
      expect([tools, (await ask(tools)).status]).toEqual([tools, 200]);
    for (const tools of [[], ['sums/add', 'plugins/*', 'rates/get'], ['rates/*', 'plugins/*']]) {
      const { status, body: refusal } = await ask(tools);
      expect([tools, status, refusal]).toMatchObject([tools, 403, { error: { code: 'step_up_required' } }]);
    }
    expect((await ask(['*'])).status).toBe(200);
    expect((await stale('PUT', path, { json: { ...agent, ask_tools: [] } })).status).toBe(403);
    expect((await stale('POST', `${path}/versions/1/restore`)).status).toBe(403);
    expect((await stale('PATCH', path, { json: { description: 'Others' } })).status).toBe(200);
    const denied = (await platform.decisionsOn(path.split('/').at(-1) ?? '')).filter(
      ({ decision }) => decision === 'deny',
    );
    expect(denied.map(({ action }) => action)).toEqual([...Array<string>(4).fill('agent.update'), 'agent.restore']);
    expect((await ask([], fresh)).body).toMatchObject({ ask_tools: [] });
  });

  it('requires a recent passkey proof when POST /changes from the console changes MCP servers, as the endpoints of MCP servers do', async () => {
    const [stale, fresh] = [consoleOf(false), consoleOf(true)];
    const send = (call: HttpClient, ...changes: object[]) => call('POST', '/api/v1/changes', { json: { changes } });
    for (const [kind, { fields, statuses }] of Object.entries(WITHOUT_PROOF)) {
      const create = { kind, action: 'create', fields };
      const { status, body } = await send(stale, create);
      const made = status === 200 ? body : (await send(fresh, create)).body;
      const { id } = (made as { changes: { id: string }[] }).changes[0] ?? {};
      const updated = await send(stale, { kind, action: 'update', id, fields: { status: 'inactive' } });
      const deleted = await send(stale, { kind, action: 'delete', id });
      expect([kind, status, updated.status, deleted.status]).toEqual([kind, ...statuses]);
    }
    const unpinned = { name: 'Unpinned', url: 'http://127.0.0.1:1/mcp', pin_tools: false };
    const hidden = await send(
      stale,
      { kind: 'content', action: 'create', fields: { title: 'First', body: '' } },
      { kind: 'mcp_server', action: 'create', fields: unpinned },
    );
    expect(hidden.body).toMatchObject({ error: { code: 'step_up_required' } });
    const denied = await platform.db.prisma.governanceDecision.findMany({ where: { action: 'makeChanges' } });
    expect(denied).toMatchObject(Array(3).fill({ decision: 'deny', reason: 'no fresh passkey proof' }));
    expect(await platform.db.prisma.mcpServer.count()).toBe(0);
    expect(await platform.db.prisma.contentItem.count({ where: { title: 'First' } })).toBe(0);
  });

  it('refuses gateway tokens and console tokens from the first request after the account is disabled', async () => {
    const token = mintGatewayToken(sign, subject());
    expect((await listSkills(token)).status).toBe(200);
    const actor = { userId: platform.user.id, kind: 'user', label: platform.user.name } as const;
    await platform.db.transaction((tx) => disableUser(tx, platform.user.id, actor, () => undefined));
    expect((await listSkills(token)).status).toBe(401);
  });
});
