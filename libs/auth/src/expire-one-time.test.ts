import { createHash } from 'node:crypto';
import { newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { expireOneTime } from './index.js';
import { makeUser, openDatabase } from './test-accounts.js';

let database: TestDatabase;
let db: Database;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  ({ id: userId } = await makeUser(db, 'ann@example.com'));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

let made = 0;
const hash = () =>
  new Uint8Array(
    createHash('sha256')
      .update(String((made += 1)))
      .digest(),
  );
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const expire = () => expireOneTime((work) => db.transaction(work));

/** One of everything, past its life by so many hours. */
async function makeEverything(hours: number): Promise<void> {
  const expires_at = hoursAgo(hours);
  const token = () => ({ id: newId(), user_id: userId, token_hash: hash(), expires_at });
  const session = { id: newId(), user_id: userId, method: 'passkey', ip: '', user_agent: '', expires_at };
  const setup = { ...token(), origin: 'operator' };
  const client = {
    id: newId(),
    client_id: String(made),
    auth_method: 'none',
    name: 'x',
    user_id: userId,
    project: 'Core',
    scopes: [],
    redirect_uris: [],
  };
  const grant = {
    id: newId(),
    client_id: client.id,
    user_id: userId,
    project: 'Core',
    kind: 'authorization_code',
    scopes: [],
  };
  await db.transaction(async (tx) => {
    await tx.userSession.create({ data: session });
    await tx.setupToken.create({ data: setup });
    await tx.webAuthnCeremony.create({
      data: {
        id: newId(),
        kind: 'registration',
        challenge: String(made),
        browser_hash: hash(),
        user_id: userId,
        setup_token_id: setup.id,
        expires_at,
      },
    });
    await tx.consoleCode.create({
      data: {
        id: newId(),
        code_hash: hash(),
        user_id: userId,
        code_challenge: 'x',
        expires_at,
        session_id: session.id,
      },
    });
    await tx.magicLinkToken.create({ data: token() });
    const used = { used_at: expires_at, successor_salt: hash() };
    await tx.sessionRefreshToken.create({
      data: { id: newId(), session_id: session.id, token_hash: hash(), expires_at, ...used },
    });
    await tx.oAuthClient.create({ data: client });
    await tx.oAuthGrant.create({ data: grant });
    await tx.oAuthRefreshToken.create({ data: { id: newId(), grant_id: grant.id, token_hash: hash(), expires_at } });
    const stranger = {
      id: newId(),
      client_id: `dyn_${made}`,
      name: 'x',
      kind: 'registered',
      auth_method: 'none',
      scopes: [],
      redirect_uris: [],
      expires_at,
    };
    await tx.oAuthClient.create({ data: stranger });
    await tx.oAuthAuthorization.create({
      data: {
        id: newId(),
        request_hash: hash(),
        browser_hash: hash(),
        client_id: client.id,
        redirect_uri: 'x',
        expires_at,
      },
    });
    const pat = {
      id: newId(),
      user_id: userId,
      kind: 'pat',
      public_id: newId(),
      name: 'x',
      secret_hash: hash(),
      project: 'Core',
    };
    await tx.userApiKey.create({ data: pat });
    const device = {
      id: newId(),
      user_id: userId,
      key_id: pat.id,
      name: 'x',
      public_key: hash(),
      certificate: 'x',
      serial: newId(),
      expires_at,
    };
    await tx.device.create({ data: device });
    const server = { id: newId(), project: 'Core', name: newId(), slug: newId(), url: 'x', created_by: userId };
    await tx.mcpServer.create({ data: server });
    await tx.mcpConnectionRequest.create({
      data: { request_hash: hash(), browser_hash: hash(), server_id: server.id, user_id: userId, expires_at },
    });
    await tx.deviceNonce.create({ data: { nonce_hash: hash(), device_id: device.id, expires_at } });
    await tx.deviceLinkCode.create({
      data: { id: newId(), user_id: userId, code_hash: hash(), project: 'Core', expires_at },
    });
    await tx.idempotencyKey.create({ data: { id: hash(), fingerprint: hash(), lease_until: expires_at, expires_at } });
    const agent = { id: newId(), project: 'Core', name: newId(), slug: newId(), description: '', created_by: userId };
    await tx.agent.create({ data: agent });
    const context = { id: newId(), project: 'Core', agent_id: agent.id, user_id: userId };
    await tx.context.create({ data: context });
    const task = {
      id: newId(),
      project: 'Core',
      user_id: userId,
      agent: agent.slug,
      context_id: context.id,
      message: {},
    };
    await tx.task.create({
      data: { ...task, state: 'working', lease_until: expires_at, status_at: hoursAgo(hours + 29 * 24) },
    });
    await tx.taskChunk.create({ data: { task_id: task.id, seq: 1, starts: true, text: 'x' } });
    await tx.magicLinkRequest.create({
      data: { kind: 'email', subject: hash(), times: [hoursAgo(hours + 1), expires_at] },
    });
  });
}

it('deletes what is past its life, and nothing that lives or may be used a second time', async () => {
  const each = (n: number) => ({
    webauthn_ceremonies: n,
    setup_tokens: n,
    console_codes: n,
    magic_link_tokens: n,
    device_link_codes: n,
    device_nonces: n,
    session_refresh_tokens: n,
    oauth_refresh_tokens: n,
    mcp_connection_requests: n,
    oauth_authorizations: n,
    oauth_clients: n,
    tasks: n,
    idempotency_keys: n,
    magic_link_requests: n,
  });
  await makeEverything(-1);
  expect(await expire()).toEqual(each(0));
  await makeEverything(23);
  expect(await expire()).toEqual({ ...each(0), idempotency_keys: 1, magic_link_requests: 1 });
  await makeEverything(25);
  await makeEverything(900);
  expect(await expire()).toEqual(each(2));
  expect(await expire()).toEqual(each(0));
  expect([
    await db.prisma.userSession.count(),
    await db.prisma.oAuthGrant.count(),
    await db.prisma.oAuthClient.count({ where: { kind: 'settings' } }),
  ]).toEqual([4, 4, 4]);
});

it('deletes more than fits into one transaction', async () => {
  await db.prisma.$executeRaw`
    INSERT INTO idempotency_keys (id, fingerprint, lease_until, expires_at)
    SELECT decode(lpad(to_hex(n), 8, '0'), 'hex'), '\\x00', now(), now() - interval '1 hour' FROM generate_series(1, 4500) n`;
  let steps = 0;
  const counts = await expireOneTime((work) => {
    steps += 1;
    return db.transaction(work);
  });
  expect([counts.idempotency_keys, steps]).toEqual([4_500, 16]);
});
