import { createHash } from 'node:crypto';
import { createUser } from '@millwright/accounts';
import { asRole, createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { expireOneTime } from './expire-one-time.js';

let database: TestDatabase;
let db: Database;
/** The database with the rights of the service that runs the job. */
let ofService: Database;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 10 });
  ofService = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
  const user = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  const created = await db.transaction((tx) => createUser(tx, user));
  userId = decodeId('usr', created.id) ?? '';
});
afterAll(async () => {
  await ofService.close();
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
const expire = () => expireOneTime((work) => ofService.transaction(work));

/** Creates one row of each kind, which expired `hours` hours ago. */
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
    expires_at,
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
    await tx.mcpWaitingCall.create({
      data: {
        ...{ id_hash: hash(), request_hash: hash(), server_id: server.id, user_id: userId },
        ...{ kind: 'held', used_at: hoursAgo(hours) },
      },
    });
    await tx.deviceNonce.create({ data: { nonce_hash: hash(), device_id: device.id, expires_at } });
    await tx.deviceLinkCode.create({
      data: { id: newId(), user_id: userId, code_hash: hash(), project: 'Core', expires_at },
    });
    await tx.jobRun.create({
      data: {
        ...{ id: newId(), job: 'nightly', extension: 'x', origin: 'schedule', owner_id: userId, outcome: 'succeeded' },
        ...{ tick: hoursAgo(hours + 89 * 24), finished_at: expires_at },
      },
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
    const candidate = newId();
    await tx.user.create({
      data: { id: candidate, email: `${candidate}@example.com`, name: 'x', webauthn_user_id: hash() },
    });
    await tx.platformAdminRequest.create({
      data: {
        ...{ id: newId(), user_id: candidate, requested_by: userId, outcome: 'expired', decided_at: new Date() },
        expires_at: hoursAgo(hours + 89 * 24),
      },
    });
    const budget = { project: 'Core', name: 'All', level: 'project', period: 'day', unit: 'tokens', amount: 1 };
    const { id: budget_id } =
      (await tx.budget.findFirst()) ??
      (await tx.budget.create({ data: { ...budget, id: newId(), created_by: userId } }));
    const starts_on = hoursAgo(hours > 24 ? 12_000 + hours : 48 + hours);
    await tx.budgetWindow.create({ data: { budget_id, starts_on, amount: 1 } });
    await tx.accountNotice.create({
      data: { id: newId(), user_id: userId, email: 'x', kind: 'email_changed', created_at: hoursAgo(hours + 48) },
    });
    const sso = { issuer: 'https://id.example', purpose: 'sign_in', target: '/admin' };
    await tx.ssoRequest.create({
      data: { ...sso, id: newId(), state_hash: hash(), browser_hash: hash(), expires_at, used_at: expires_at },
    });
    await tx.ssoRequest.create({ data: { ...sso, id: newId(), state_hash: hash(), browser_hash: hash(), expires_at } });
    await tx.ssoLogoutToken.create({ data: { issuer: 'https://id.example', jti_hash: hash(), expires_at } });
    await tx.oAuthUsedAssertion.create({ data: { id: hash(), expires_at } });
    await tx.magicLinkRequest.create({
      data: { kind: 'email', subject: hash(), times: [hoursAgo(hours + 1), expires_at] },
    });
  });
}

it('expire-one-time deletes expired rows, but no valid rows and no rows that are still needed to detect a reuse', async () => {
  const each = (n: number) => ({
    webauthn_ceremonies: n,
    setup_tokens: n,
    console_codes: n,
    magic_link_tokens: n,
    device_link_codes: n,
    device_nonces: n,
    session_refresh_tokens: n,
    oauth_refresh_tokens: n,
    sso_requests: 2 * n,
    sso_logout_tokens: n,
    oauth_used_assertions: n,
    mcp_connection_requests: n,
    mcp_waiting_calls: n,
    oauth_authorizations: n,
    oauth_grants: n,
    oauth_clients: n,
    task_chunks: n,
    tasks: n,
    budget_windows: n,
    platform_admin_requests: n,
    account_notices: n,
    job_runs: n,
    idempotency_keys: n,
    magic_link_requests: n,
  });
  await makeEverything(-1);
  expect(await expire()).toEqual(each(0));
  await makeEverything(23);
  expect(await expire()).toEqual({
    ...each(0),
    webauthn_ceremonies: 1,
    sso_requests: 2,
    sso_logout_tokens: 1,
    oauth_used_assertions: 1,
    oauth_authorizations: 1, // one undecided request
    oauth_clients: 1,
    task_chunks: 1,
    idempotency_keys: 1,
    mcp_waiting_calls: 1,
    magic_link_requests: 1,
  });
  await makeEverything(25);
  await makeEverything(900);
  expect(await expire()).toEqual(each(2));
  expect(await expire()).toEqual(each(0));
  expect([
    await db.prisma.userSession.count(),
    await db.prisma.oAuthGrant.count(),
    await db.prisma.oAuthClient.count({ where: { kind: 'settings' } }),
  ]).toEqual([4, 2, 4]);
});

it('expire-one-time deletes grants that an earlier release stored, after their refresh tokens are deleted', async () => {
  const { id: client_id } = await db.prisma.oAuthClient.findFirstOrThrow({ where: { kind: 'settings' } });
  const grant = (days: number) => ({
    ...{ id: newId(), client_id, user_id: userId, project: 'Core', kind: 'authorization_code', scopes: [] },
    created_at: hoursAgo(days * 24),
  });
  const [recent, old, refreshed] = [grant(30), grant(32), grant(32)];
  await db.prisma.oAuthGrant.createMany({ data: [recent, old, refreshed] });
  const token = { id: newId(), grant_id: refreshed.id, token_hash: hash(), expires_at: hoursAgo(-24) };
  await db.prisma.oAuthRefreshToken.create({ data: token });
  expect(await expire()).toMatchObject({ oauth_grants: 1 });
  const kept = await db.prisma.oAuthGrant.findMany({ where: { id: { in: [recent.id, old.id, refreshed.id] } } });
  expect(kept.map(({ id }) => id).sort()).toEqual([recent.id, refreshed.id].sort());
});

it('expire-one-time deletes self-registered clients without consent after an hour, and undecided authorization requests at expiry', async () => {
  const hourAgo = new Date(Date.now() - 61 * 60_000);
  const soon = new Date(Date.now() + 600_000);
  const newClient = async (kind: string, name: string, expires_at: Date | null) => {
    const row = { id: newId(), client_id: newId(), kind, name, auth_method: 'none', scopes: [], redirect_uris: [] };
    const owner = kind === 'settings' ? { user_id: userId, project: 'Core' } : {};
    return (await db.prisma.oAuthClient.create({ data: { ...row, ...owner, expires_at, created_at: hourAgo } })).id;
  };
  const ask = async (client_id: string, state: string, decided_at: Date | null, expires_at = hourAgo) => {
    const hashes = { request_hash: hash(), browser_hash: hash() };
    const row = {
      id: newId(),
      ...hashes,
      client_id,
      redirect_uri: 'x',
      state,
      decided_at,
      created_at: hourAgo,
      expires_at,
    };
    await db.prisma.oAuthAuthorization.create({ data: row });
  };
  const agree = (client_id: string) =>
    db.prisma.oAuthConsent.create({ data: { id: newId(), user_id: userId, client_id, scopes: [] } });

  await newClient('registered', 'unused', hourAgo);
  await newClient('document', 'unused', soon);
  await newClient('registered', 'new', soon);
  await ask(await newClient('document', 'asking', soon), 'new', null, soon);
  await agree(await newClient('document', 'let in', hourAgo));
  const ours = await newClient('settings', 'ours', null);
  await ask(ours, 'undecided', null);
  await ask(ours, 'decided', hourAgo);

  expect(await expire()).toMatchObject({ oauth_clients: 2, oauth_authorizations: 1 });
  const left = await db.prisma.oAuthClient.findMany({ where: { created_at: hourAgo }, select: { name: true } });
  expect(left.map(({ name }) => name).sort()).toEqual(['asking', 'let in', 'new', 'ours']);
  const asked = await db.prisma.oAuthAuthorization.findMany({
    where: { state: { not: null } },
    select: { state: true },
  });
  expect(asked.map(({ state }) => state).sort()).toEqual(['decided', 'new']);
});

it('expire-one-time deletes more rows than fit into one transaction', async () => {
  await database.sql`
    INSERT INTO idempotency_keys (id, fingerprint, lease_until, expires_at)
    SELECT decode(lpad(to_hex(n), 8, '0'), 'hex'), '\\x00', now(), now() - interval '1 hour' FROM generate_series(1, 4500) n`;
  let steps = 0;
  const counts = await expireOneTime((work) => {
    steps += 1;
    return db.transaction(work);
  });
  // Every table takes one step; the table of idempotency keys takes two more steps.
  expect([counts.idempotency_keys, steps]).toEqual([4_500, Object.keys(counts).length + 2]);
});

describe('expire-one-time', () => {
  const KEYS = 120;
  const keys = () => db.prisma.idempotencyKey.count();
  beforeEach(async () => {
    await db.prisma.$executeRaw`DELETE FROM idempotency_keys`;
    await database.sql`
      INSERT INTO idempotency_keys (id, fingerprint, lease_until, expires_at)
      SELECT decode(lpad(to_hex(n), 8, '0'), 'hex'), '\\x00', now(), now() - interval '1 hour' FROM generate_series(1, ${KEYS}::int) n`;
  });

  /** Calls `work` while the database runs the PL/pgSQL statements `body` before each deletion of a row. */
  async function onDelete<Result>(table: string, body: string, work: () => Promise<Result>): Promise<Result> {
    const statements = [
      `CREATE FUNCTION before_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN OLD; END $$`,
      `CREATE TRIGGER before_deletion BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION before_deletion()`,
    ];
    for (const sql of statements) await db.prisma.$executeRawUnsafe(sql);
    try {
      return await work();
    } finally {
      await db.prisma.$executeRawUnsafe('DROP FUNCTION before_deletion() CASCADE');
    }
  }

  it('keeps an expired idempotency key as long as the run that claimed the key renews its lease', async () => {
    const lease_until = hoursAgo(-1);
    const [held] = await db.prisma.idempotencyKey.findMany({ take: 1 });
    await db.prisma.idempotencyKey.update({ where: { id: held?.id ?? hash() }, data: { lease_until } });
    expect(await expire()).toMatchObject({ idempotency_keys: KEYS - 1 });
    expect(await db.prisma.idempotencyKey.findMany()).toMatchObject([{ id: held?.id }]);
  });

  it('uses smaller batches when a statement exceeds its time limit', async () => {
    const counts = await onDelete('idempotency_keys', 'PERFORM pg_sleep(0.02)', expire);
    expect([counts.idempotency_keys, await keys()]).toEqual([KEYS, 0]);
  });

  it('cleans all other tables when one table fails, and then reports the failure', async () => {
    await makeEverything(900);
    const failing = onDelete('webauthn_ceremonies', "RAISE EXCEPTION 'not today'", expire);
    await expect(failing).rejects.toThrow('not today');
    expect([await keys(), await db.prisma.deviceNonce.count({ where: { expires_at: { lt: hoursAgo(24) } } })]).toEqual([
      0, 0,
    ]);
    await expire();
  });
});
