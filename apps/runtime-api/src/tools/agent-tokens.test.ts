import type { IncomingMessage } from 'node:http';
import { disableUser, issueApiKey, revokeApiKey, revokeOAuthClient } from '@millwright/accounts';
import { decodeId, encodeId, newId } from '@millwright/db';
import { HopRefused, requireLiveHop } from '@millwright/mcp/agent-hops';
import {
  createFakeMcpServer,
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeMcpServer,
  type FakeModel,
  type ListeningApp,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import {
  agentIdOf,
  RUNTIME_URL,
  startRuntime,
  type Replica,
  type TestClient,
  type TestRuntime,
} from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let other: Replica;
let plugin: ListeningApp;
let server: FakeMcpServer;
let serverId: string;
let received: IncomingMessage['headers'][];
/** Called before the plugin answers. */
let onCall: () => Promise<unknown>;

beforeAll(async () => {
  [database, model, server] = await Promise.all([
    createTestDatabase(),
    createFakeModel(),
    createFakeMcpServer('modern', [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }]),
  ]);
  plugin = await listen((request, response) => {
    received.push(request.headers);
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    request.resume().on('end', () => void onCall().then(answer));
  });
  runtime = await startRuntime(database.url, model.url);
  other = await runtime.start();
  ({ id: serverId } = await runtime.newMcpServer({ name: 'Sums', url: server.url }));
  const auth = { type: 'agent_token', scope: 'sums:add', client_id: 'sums-client' };
  await runtime.db.prisma.mcpServer.update({ where: { id: serverId }, data: { auth } });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), server.close(), plugin.close()]);
});
beforeEach(() => {
  received = [];
  server.seen.splice(0);
  onCall = () => Promise.resolve();
  model.requests.splice(0);
});

let agents = 0;
/** Creates an agent with a plugin and an MCP server. Both get tokens. */
async function newAgent(): Promise<string> {
  const name = `Actor${(agents += 1)}`;
  await runtime.newAgent({ name });
  const agent = name.toLowerCase();
  const config = { url: plugin.url, auth: { type: 'agent_token' }, headers: { Authorization: 'Bearer of the plugin' } };
  await runtime.newPlugin({ name: `tool${agents}`, type: 'tool', config, agent });
  const binding = { server_id: encodeId('ms', serverId) };
  await runtime.newPlugin({ name: `sums${agents}`, type: 'integration', config: binding, agent });
  return agent;
}

/** Makes the model call these tools, one after the other. */
function modelCalls(...names: string[]) {
  model.answerWith(({ body }: ModelRequest) => {
    const available = (body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name);
    const wanted = names[model.requests.length - 1];
    const name = available.find((one) => wanted !== undefined && one.startsWith(wanted));
    const call = { id: `call_${model.requests.length}`, type: 'function' as const };
    return name === undefined
      ? { content: 'Done.' }
      : { content: null, toolCalls: [{ ...call, function: { name, arguments: '{}' } }] };
  });
}

async function accessToken({ client_id, client_secret }: TestClient): Promise<string> {
  const { body } = await runtime.askToken({ grant_type: 'client_credentials', client_id, client_secret });
  return (body as { access_token: string }).access_token;
}
/**
 * Sends a message to the agent.
 * @returns the id of the started run in the form of the API
 */
async function send(agent: string, token: string, by: Replica = runtime): Promise<string> {
  await by.as(token)('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Go.' } });
  return encodeId('run', (await runtime.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } })).id);
}

/** Verifies a token like a standard resource server, with only the URL of the keys and the issuer. */
async function verified({ authorization }: IncomingMessage['headers'], audience: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${runtime.url}/.well-known/jwks.json`));
  const options = { issuer: RUNTIME_URL, audience, algorithms: ['ES256'], typ: 'at+jwt' };
  return (await jwtVerify(authorization?.replace('Bearer ', '') ?? '', keys, options)).payload;
}

describe('a call token', () => {
  it('for a plugin names user, agent with version, run and client, and can be verified with only the published keys', async () => {
    const agent = await newAgent();
    const client = await runtime.newClient();
    modelCalls('tool', 'tool');
    const txn = await send(agent, await accessToken(client));
    const [first, second] = await Promise.all(received.map((headers) => verified(headers, plugin.url)));
    const { iat = 0, exp = 0, jti, ...claims } = first ?? {};
    expect(claims).toEqual({
      iss: RUNTIME_URL,
      aud: plugin.url,
      sub: runtime.owner.id,
      project: 'Core',
      act: { sub: encodeId('ag', await agentIdOf(runtime, agent)), version: 1 },
      txn,
      client_id: client.client_id,
    });
    expect(exp - iat).toBe(300);
    expect(second?.jti).not.toBe(jti);
  });

  it("for an MCP server names the server's scope and the client that may exchange the token", async () => {
    const agent = await newAgent();
    modelCalls('sums__add');
    const txn = await send(agent, await runtime.newToken());
    expect(server.seen.length).toBeGreaterThan(0);
    for (const headers of server.seen)
      expect(await verified(headers, server.url)).toMatchObject({
        ...{ sub: runtime.owner.id, txn, scope: 'sums:add', may_act: { sub: 'sums-client' } },
      });
  });

  it('names the user of the call; the next call for another user has a token that names that user', async () => {
    const agent = await newAgent();
    const { id: userId } = await runtime.newUser('nia@example.com');
    for (const token of [await runtime.newToken(), await runtime.newToken({ userId })]) {
      model.requests.splice(0);
      modelCalls('tool');
      await send(agent, token);
    }
    const subjects = await Promise.all(received.map((headers) => verified(headers, plugin.url)));
    expect(subjects.map(({ sub }) => sub)).toEqual([runtime.owner.id, userId]);
  });

  it('for a call that a client makes on a registered MCP server names the client as the actor', async () => {
    const client = await runtime.newClient();
    const call = runtime.as(await accessToken(client));
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await call('POST', '/api/v1/mcp/sums/mcp', { json })).status).toBe(200);
    const claims = await verified(server.seen.at(-1) ?? {}, server.url);
    expect(claims).toMatchObject({
      sub: runtime.owner.id,
      act: { sub: client.client_id },
      client_id: client.client_id,
    });
    expect(claims).not.toHaveProperty('txn');
  });

  it('is refused as an access token of this installation', async () => {
    const agent = await newAgent();
    modelCalls('tool');
    await send(agent, await runtime.newToken());
    const token = received[0]?.authorization?.replace('Bearer ', '');
    expect((await runtime.as(token)('GET', '/api/v1/agents/registry')).status).toBe(401);
  });

  it.each<[string, (agent: string, client: TestClient, userId: string) => Promise<unknown>]>([
    [
      'the user',
      (_agent, _client, id) =>
        runtime.db.transaction((tx) => disableUser(tx, id, runtime.owner.actor, () => undefined)),
    ],
    [
      'the client',
      (_agent, { client_id }) => runtime.db.transaction((tx) => revokeOAuthClient(tx, client_id, runtime.owner.actor)),
    ],
    ['the agent', (slug) => runtime.db.prisma.agent.update({ where: { slug }, data: { status: 'inactive' } })],
  ])('is not issued for further calls once another process has disabled %s', async (_title, disable) => {
    const agent = await newAgent();
    const { id: userId } = await runtime.newUser(`${newId()}@example.com`);
    const client = await runtime.newClient({ userId });
    const token = await accessToken(client);
    modelCalls('tool', 'tool', 'sums__add');
    onCall = () => disable(agent, client, userId);
    await send(agent, token, other);
    expect(received).toHaveLength(1);
    expect(server.seen).toHaveLength(0);
  });
});

describe('a call of a tool in a run', () => {
  const actor = () => runtime.owner.actor;

  /** Creates an agent whose plugin gets no token. */
  async function plainAgent(callees: string[] = []): Promise<string> {
    const name = `Actor${(agents += 1)}`;
    await runtime.newAgent({ name, callees });
    await runtime.newPlugin({
      name: `tool${agents}`,
      type: 'tool',
      config: { url: plugin.url },
      agent: name.toLowerCase(),
    });
    return name.toLowerCase();
  }

  it.each<[string, () => Promise<{ token: string; end: () => Promise<unknown> }>]>([
    [
      'its API key was revoked',
      async () => {
        const { db, owner } = runtime;
        const issued = { userId: owner.id, name: 'k', scopes: ['*'], plan: 'standard', project: 'Core' } as const;
        const { id, key } = await db.transaction((tx) => issueApiKey(tx, issued, actor()));
        return { token: key, end: () => db.transaction((tx) => revokeApiKey(tx, id, actor())) };
      },
    ],
    [
      'the consent to its client was withdrawn',
      async () => {
        const { id: user_id } = await runtime.newUser(`${newId()}@example.com`);
        const client = await runtime.newClient({ userId: user_id });
        // A client of another owner. The user consented to it.
        const where = { user_id_client_id: { user_id, client_id: decodeId('cli', client.id) ?? '' } };
        await runtime.db.prisma.oAuthConsent.create({
          data: { ...where.user_id_client_id, id: newId(), scopes: ['*'] },
        });
        const token = await accessToken(client);
        const end = async () => {
          await runtime.db.prisma.oAuthClient.update({
            where: { client_id: client.client_id },
            data: { user_id: runtime.owner.id },
          });
          await runtime.db.prisma.oAuthConsent.update({ where, data: { revoked_at: new Date() } });
        };
        return { token, end };
      },
    ],
    [
      'its user was disabled',
      async () => {
        const { id } = await runtime.newUser(`${newId()}@example.com`);
        const token = await runtime.newToken({ userId: id });
        return { token, end: () => runtime.db.transaction((tx) => disableUser(tx, id, actor(), () => undefined)) };
      },
    ],
  ])(
    'is not made after another process has recorded that %s; a call of an agent is not made either',
    async (_how, prepare) => {
      const callee = await plainAgent();
      const agent = await plainAgent([await agentIdOf(runtime, callee)]);
      const { token, end } = await prepare();
      modelCalls('tool', 'tool', 'ask_');
      onCall = end;
      const run = await send(agent, token, other);
      expect(received).toHaveLength(1);
      const runs = await runtime.db.prisma.run.findMany({ where: { parent_id: decodeId('run', run) ?? '' } });
      expect(runs).toEqual([]);
      const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { run }, orderBy: { seq: 'asc' } });
      const decisions = rows.filter(({ action }) => action === 'tool.call').map(({ decision }) => decision);
      expect(decisions[0]).toBe('allow');
      expect(decisions.slice(1).every((decision) => decision === 'deny')).toBe(true);
    },
  );
});

describe('the actors of a call', () => {
  async function newRun(agent: string, parent_id: string | null, fields: object = {}): Promise<string> {
    const run = {
      ...{ id: newId(), project: 'Core', user_id: runtime.owner.id, subject_kind: 'agent', subject_name: agent },
      ...{
        subject_id: await agentIdOf(runtime, agent),
        subject_version: 1,
        channel: 'agent',
        caller: {},
        state: 'running',
      },
    };
    return (
      await runtime.db.prisma.run.create({
        data: {
          ...run,
          parent_id,
          attempt: 1,
          worker: newId(),
          lease_until: new Date(Date.now() + 3_600_000),
          ...fields,
        },
      })
    ).id;
  }
  const hopOf = (id: string) => requireLiveHop(runtime.db, { runId: encodeId('run', id) });

  it('are all agents of the chain; the agent that makes the call is the outermost actor', async () => {
    const [first, second, third] = [await newAgent(), await newAgent(), await newAgent()];
    const top = await newRun(first, null, {
      credential_kind: 'access_token',
      credential_id: `app:${runtime.owner.id}`,
    });
    const run = await newRun(third, await newRun(second, top, { subject_version: 7 }));
    const ids = await Promise.all(
      [first, second, third].map(async (slug) => encodeId('ag', await agentIdOf(runtime, slug))),
    );
    expect(await hopOf(run)).toMatchObject({
      act: { sub: ids[2], version: 1, act: { sub: ids[1], version: 7, act: { sub: ids[0], version: 1 } } },
      clientId: 'app',
    });
    await runtime.db.prisma.agent.update({ where: { slug: first }, data: { stopped_at: new Date() } });
    await expect(hopOf(run)).rejects.toThrow(HopRefused);
  });

  it('may make no call once their run has ended, or when the run is unknown', async () => {
    const run = await newRun(await newAgent(), null);
    expect(await hopOf(run)).toMatchObject({ userId: runtime.owner.id });
    await runtime.db.prisma.run.update({ where: { id: run }, data: { state: 'canceled', ended_at: new Date() } });
    await expect(hopOf(run)).rejects.toThrow(HopRefused);
    await expect(hopOf(newId())).rejects.toThrow(HopRefused);
  });
});
