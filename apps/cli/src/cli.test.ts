import { hostname, userInfo } from 'node:os';
import { clientSecretMatches, createApiKeyVerifier, hashSecret } from '@millwright/auth';
import { asRole, createDatabase, encodeId, type Database } from '@millwright/db';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createTestProgram, type Outcome, type TestProgram } from './test-program.js';

let program: TestProgram;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  program = createTestProgram();
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 3 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
  program.remove();
});

const run = (...args: string[]) => program.run(args, { DATABASE_URL: database.url });
/** Runs a command that succeeds, and returns its JSON. */
async function json<Answer = Record<string, unknown>>(...args: string[]): Promise<Answer> {
  const { code, out, err } = await run(...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Answer;
}
const auditRowsOf = (resource: unknown) =>
  db.prisma.governanceDecision.findMany({
    where: { resource: String(resource) },
    orderBy: { id: 'asc' },
    include: { user: true },
  });
const expectFailure = ({ code, out, err }: Outcome, wanted: number, ...texts: string[]) => {
  expect({ code, out }).toEqual({ code: wanted, out: '' });
  for (const text of texts) expect(err).toContain(text);
  expect(err).not.toMatch(/\n\s+at .+:\d+/);
};

/** The order matters: each test adds accounts to the installation. */
describe('millwright in a new installation', () => {
  it('creates accounts, but refuses other changes without a platform admin', async () => {
    const { id } = await json('users', 'create', '--email', 'early@example.com', '--name', 'Early');
    expect((await auditRowsOf(id)).map(({ user, action }) => [user.email, action])).toEqual([
      ['early@example.com', 'user.create'],
    ]);
    const failures = await Promise.all([
      run('users', 'promote', 'early@example.com'),
      run('keys', 'create', '--user', 'early@example.com', '--name', 'k'),
      run('setup-token', 'create', '--email', 'early@example.com'),
    ]);
    for (const failure of failures) expectFailure(failure, 1, 'users create --platform-admin');
    expect(await db.prisma.userApiKey.count()).toBe(0);
  });

  it('records the first platform admin as accountable for their own creation', async () => {
    const root = await json('users', 'create', '--email', 'root@example.com', '--name', 'Root', '--platform-admin');
    expect(root).toMatchObject({
      email: 'root@example.com',
      role: 'admin',
      platform_admin: true,
      project: 'Core',
      status: 'active',
    });
    expect((await auditRowsOf(root['id'])).map(({ user, actor_id }) => [user.email, actor_id])).toEqual([
      ['root@example.com', 'Root'],
    ]);
  });

  it('records the oldest platform admin as accountable for later changes', async () => {
    await json('users', 'create', '--email', 'second@example.com', '--name', 'Second', '--platform-admin');
    const ann = await json('users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--project', 'Commerce');
    expect(await json('users', 'promote', 'early@example.com')).toMatchObject({ role: 'admin', platform_admin: false });
    const early = await db.prisma.user.findUniqueOrThrow({ where: { email: 'early@example.com' } });
    const auditRows = [...(await auditRowsOf(ann['id'])), ...(await auditRowsOf(encodeId('usr', early.id)))];
    expect(auditRows.map(({ action, user, actor_kind }) => [action, user.email, actor_kind])).toEqual([
      ['user.create', 'root@example.com', 'user'],
      ['user.create', 'early@example.com', 'user'],
      ['user.promote', 'root@example.com', 'user'],
    ]);
  });
});

describe('millwright users', () => {
  it('list prints every account, oldest first', async () => {
    const users = await json<{ email: string }[]>('users', 'list');
    expect(users.map(({ email }) => email)).toEqual([
      'early@example.com',
      'root@example.com',
      'second@example.com',
      'ann@example.com',
    ]);
    const { code, out } = await run('users', 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/^ID +EMAIL +NAME/);
    expect(out).toMatch(/^usr_\S+ +ann@example\.com +Ann +user/m);
  });

  it.each([
    ['a taken email', ['users', 'create', '--email', 'ANN@example.com', '--name', 'Ann'], ['conflicts']],
    ['an invalid email', ['users', 'create', '--email', 'ann', '--name', 'Ann'], ['email']],
    ['an empty name', ['users', 'create', '--email', 'x@example.com', '--name', ' '], ['name']],
    ['a promotion of an unknown user', ['users', 'promote', 'nobody@example.com'], ['email: belongs to no account']],
  ])('exits 1 with a one-sentence message for %s', async (_case, args, texts) =>
    expectFailure(await run(...args), 1, ...texts),
  );

  it.each([
    ['no email', ['users', 'create', '--name', 'x']],
    ['an unknown option', ['users', 'list', '--all']],
    ['an unknown command', ['users', 'remove']],
    ['an unknown group', ['user', 'list']],
    ['an unknown role', ['users', 'create', '--email', 'x@example.com', '--name', 'x', '--role', 'king']],
    ['an unknown project', ['users', 'create', '--email', 'x@example.com', '--name', 'x', '--project', 'core']],
    ['no argument', ['users', 'promote']],
    ['an argument too many', ['users', 'promote', 'a', 'b']],
    ['zero days', ['keys', 'create', '--user', 'ann@example.com', '--name', 'x', '--expires-days', '0']],
    ['an unknown plan', ['keys', 'create', '--user', 'ann@example.com', '--name', 'x', '--plan', 'gold']],
  ])('exits 2 for %s', async (_case, args) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('error:');
  });
});

describe('millwright keys', () => {
  it('create prints a working key; list, revoke and rotate never print it again', async () => {
    const verify = createApiKeyVerifier(db);
    const issued = await json<{ id: string; key: string }>(
      'keys',
      'create',
      '--user',
      'ann@example.com',
      '--name',
      'CI',
      '--scopes',
      'skills:read, agents:read',
      '--plan',
      'professional',
      '--expires-days',
      '30',
    );
    expect(issued).toMatchObject({
      name: 'CI',
      scopes: ['skills:read', 'agents:read'],
      plan: 'professional',
      project: 'Commerce',
    });
    expect(await verify(issued.key)).toMatchObject({ project: 'Commerce', user: { email: 'ann@example.com' } });
    const rotated = await json<{ id: string; key: string }>('keys', 'rotate', issued.id);
    expect(rotated.key).not.toBe(issued.key);
    expect(await verify(issued.key)).toBeDefined();
    const revoked = await run('keys', 'revoke', issued.id, '--json');
    expect(JSON.parse(revoked.out)).toMatchObject({ id: issued.id, revoked_at: expect.any(String) as string });
    expect([await verify(issued.key), (await verify(rotated.key))?.credential.id]).toEqual([undefined, rotated.id]);
    const listed = await Promise.all([run('keys', 'list'), run('keys', 'list', '--json')]);
    for (const { out } of [...listed, revoked]) {
      expect(out).toContain(issued.id);
      for (const { key } of [issued, rotated]) expect(out).not.toContain(key.slice(-49, -6));
    }
    expect((await auditRowsOf(issued.id)).map(({ action, user }) => [action, user.email])).toEqual([
      ['api_key.create', 'root@example.com'],
      ['api_key.rotate', 'root@example.com'],
      ['api_key.revoke', 'root@example.com'],
      ['api_key.use', 'ann@example.com'], // the denied use of the revoked key
    ]);
  });

  it('create sets an expiry of 90 days, or none on request, and names the command line in the audit log', async () => {
    const create = (...more: string[]) =>
      json<{ id: string; expires_at: string | null }>(
        'keys',
        'create',
        '--user',
        'ann@example.com',
        '--name',
        'L',
        ...more,
      );
    const usual = await create();
    expect((Date.parse(usual.expires_at ?? '') - Date.now()) / 86_400_000).toBeCloseTo(90, 2);
    expect(await create('--expires-days', 'never')).toMatchObject({ expires_at: null });
    const rows = await db.prisma.governanceDecision.findMany({ where: { resource: usual.id } });
    expect(rows).toMatchObject([{ detail: { name: 'L', via: 'cli', os_user: userInfo().username, host: hostname() } }]);
  });

  it('unused lists live keys and tokens that were not used for the given number of days, with their owners', async () => {
    const create = (name: string) =>
      json<{ id: string }>('keys', 'create', '--user', 'ann@example.com', '--name', name, '--expires-days', 'never');
    const names = ['never used', 'used long ago', 'used since', 'revoked', 'new'];
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, (await create(name)).id);
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    const change = (name: string, data: { created_at?: Date; last_used_at?: Date }) =>
      db.prisma.userApiKey.updateMany({ where: { name }, data });
    for (const name of names.slice(0, 4)) await change(name, { created_at: days(100) });
    await change('used long ago', { last_used_at: days(50) });
    await change('used since', { last_used_at: days(29) });
    await json('keys', 'revoke', ids.get('revoked') ?? '');
    const unused = await json<{ id: string; owner: string }[]>('keys', 'unused', '--days', '30');
    expect(unused.map(({ id, owner }) => [id, owner])).toEqual([
      [ids.get('never used'), 'ann@example.com'],
      [ids.get('used long ago'), 'ann@example.com'],
    ]);
    expect((await json<{ id: string }[]>('keys', 'unused')).map(({ id }) => id)).toEqual([ids.get('never used')]);
    expect((await run('keys', 'unused', '--days', '0')).code).toBe(2);
  });

  it('without --json, create prints the key exactly once', async () => {
    const { out, code } = await run('keys', 'create', '--user', 'root@example.com', '--name', 'readable');
    expect(code).toBe(0);
    expect(out.match(/mw_live_\w{12}_/g)).toHaveLength(1);
    expect(out).toMatch(/^key +mw_live_\w{12}_\w{49}$/m);
    expect(out).toMatch(/^scopes +\*$/m);
  });

  it('create makes a key for either project for admins, and only for their own project for other users', async () => {
    const create = (user: string) =>
      run('keys', 'create', '--user', user, '--name', 'x', '--project', 'Core', '--json');
    const [own, foreign] = await Promise.all([
      run('keys', 'create', '--user', 'root@example.com', '--name', 'x', '--project', 'Commerce', '--json'),
      create('ann@example.com'),
    ]);
    expect(JSON.parse(own.out)).toMatchObject({ project: 'Commerce' });
    expectFailure(foreign, 1, '"field":"project","reason":"is Commerce for this user');
  });

  it('create makes a key with the scopes of a preset; an unknown preset, and --preset together with --scopes, are refused', async () => {
    const create = ['keys', 'create', '--user', 'root@example.com', '--name', 'x'];
    for (const [preset, held, missing] of [
      ['read-only', 'prompts:read', 'prompts:run'],
      ['run-agents', 'agents:message', 'agents:write'],
      ['run-prompts', 'prompts:run', 'prompts:write'],
      ['call-tools', 'mcp:call', 'mcp:write'],
      ['ci', 'prompts:write', 'agents:message'],
    ]) {
      const { id, scopes } = await json<{ id: string; scopes: string[] }>(...create, '--preset', preset ?? '');
      expect([preset, scopes]).toEqual([preset, expect.arrayContaining([held])]);
      expect([preset, scopes]).not.toEqual([preset, expect.arrayContaining([missing])]);
      expect(scopes).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(\*|admin|users:.*|keys:.*)$/)]));
      await json('keys', 'revoke', id);
    }
    expectFailure(await run(...create, '--preset', 'everything'), 2, 'read-only');
    expectFailure(await run(...create, '--preset', 'ci', '--scopes', 'skills:read'), 2, '--scopes');
  });

  it('create makes keys with scopes of admins only for admins', async () => {
    const create = (user: string) => run('keys', 'create', '--user', user, '--name', 'x', '--scopes', 'users:read');
    expectFailure(await create('ann@example.com'), 1, 'scopes: users:read is for admins');
    expect((await create('root@example.com')).code).toBe(0);
  });

  it('rotate accepts an overlap of 0 to 720 hours; 0 ends the old key at once', async () => {
    const verify = createApiKeyVerifier(db);
    const create = ['keys', 'create', '--user', 'ann@example.com', '--name', 'short'];
    const { id, key } = await json<{ id: string; key: string }>(...create);
    expect((await run('keys', 'rotate', id, '--overlap-hours', '721')).code).toBe(2);
    await json('keys', 'rotate', id, '--overlap-hours', '0');
    expect(await verify(key)).toBeUndefined();
  });

  it.each([
    ['an unknown scope', ['--scopes', 'skills:all'], 'scopes'],
    ['no scope', ['--scopes', ','], 'scopes'],
  ])('create exits 1 for %s', async (_case, more, text) => {
    expectFailure(await run('keys', 'create', '--user', 'root@example.com', '--name', 'x', ...more), 1, text);
  });

  it.each(['revoke', 'rotate'])('%s exits 1 for an unknown key', async (command) => {
    expectFailure(await run('keys', command, 'key_nothing'), 1, 'does not exist');
  });

  it('create exits 1 for an inactive account, as do clients create and setup-token create', async () => {
    await json('users', 'create', '--email', 'off@example.com', '--name', 'Off');
    await db.prisma.user.update({ where: { email: 'off@example.com' }, data: { status: 'inactive' } });
    const failures = await Promise.all([
      run('keys', 'create', '--user', 'off@example.com', '--name', 'x'),
      run('clients', 'create', '--user', 'off@example.com', '--name', 'x'),
      run('setup-token', 'create', '--email', 'off@example.com'),
    ]);
    for (const failure of failures) expectFailure(failure, 1, 'conflict');
  });
});

describe('millwright clients', () => {
  it('create prints the secret once; list and revoke never print it', async () => {
    const uris = ['https://app.example.com/callback', 'http://localhost:3000/cb'];
    const issued = await json<{ id: string; client_id: string; client_secret: string }>(
      'clients',
      'create',
      '--user',
      'ann@example.com',
      '--name',
      'App',
      '--redirect-uri',
      ...uris,
      '--scopes',
      'agents:read',
    );
    expect(issued).toMatchObject({ name: 'App', redirect_uris: uris, scopes: ['agents:read'], project: 'Commerce' });
    const row = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: issued.client_id } });
    expect(Buffer.from(row.secret_hash ?? [])).toEqual(hashSecret(issued.client_secret));
    const revoked = await run('clients', 'revoke', issued.id, '--json');
    for (const { out } of [revoked, await run('clients', 'list'), await run('clients', 'list', '--json')]) {
      expect(out).toContain(issued.client_id);
      expect(out).not.toContain(issued.client_secret);
    }
    expect(JSON.parse(revoked.out)).toMatchObject({ revoked_at: expect.any(String) as string });
  });

  it('create and update set the MCP tools that a client may use; create without --mcp-tools allows all tools', async () => {
    const create = ['clients', 'create', '--user', 'ann@example.com', '--name', 'Tools'];
    expect(await json(...create)).toMatchObject({ mcp_tools: ['*'] });
    const issued = await json<{ id: string }>(...create, '--mcp-tools', 'files/*,mail/send');
    expect(issued).toMatchObject({ mcp_tools: ['files/*', 'mail/send'] });
    const update = (...changes: string[]) => json('clients', 'update', issued.id, ...changes);
    expect(await update('--name', 'Renamed')).toMatchObject({ name: 'Renamed', mcp_tools: ['files/*', 'mail/send'] });
    const uri = 'https://app.example.com/other';
    expect(await update('--redirect-uri', uri)).toMatchObject({ name: 'Renamed', redirect_uris: [uri] });
    expect(await update('--mcp-tools', '')).toMatchObject({ redirect_uris: [uri], mcp_tools: [] });
    expect(await json<object[]>('clients', 'list')).toContainEqual(
      expect.objectContaining({ id: issued.id, mcp_tools: [] }),
    );
    const denied = await run('clients', 'update', issued.id, '--mcp-tools', 'files');
    expectFailure(denied, 1, '"files" is not "*", "server/*" or "server/tool"');
    expectFailure(await run('clients', 'update', 'cli_0000000000000000000000', '--name', 'x'), 1, 'does not exist');
  });

  it('rotate prints a new secret and keeps the old secret valid', async () => {
    const create = ['clients', 'create', '--user', 'ann@example.com', '--name', 'Rotated'];
    const issued = await json<{ id: string; client_secret: string }>(...create);
    const rotated = await json<{ id: string; client_id: string; client_secret: string }>(
      'clients',
      'rotate',
      issued.id,
    );
    const row = await db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: rotated.client_id } });
    expect(rotated.id).toBe(issued.id);
    for (const { client_secret } of [issued, rotated]) expect(clientSecretMatches(client_secret, row)).toBe(true);
  });

  it.each([
    ['a bad redirect URI', ['--redirect-uri', 'http://app.example.com/'], 'redirect_uris'],
    ['an unknown scope', ['--scopes', 'all'], 'scopes'],
    ['a server without its tools', ['--mcp-tools', 'files'], 'mcp_tools'],
  ])('create exits 1 for %s', async (_case, more, text) => {
    expectFailure(await run('clients', 'create', '--user', 'root@example.com', '--name', 'x', ...more), 1, text);
  });
});

describe('millwright setup-token create', () => {
  it('prints a link whose token is stored as a hash', async () => {
    const env = { DATABASE_URL: database.url, BASE_URL: 'https://mw.example.com' };
    const { out, code } = await program.run(['--json', 'setup-token', 'create', '--email', 'ann@example.com'], env);
    expect(code).toBe(0);
    const { token, setup_url } = JSON.parse(out) as { token: string; setup_url: string };
    expect(setup_url).toBe(`https://mw.example.com/admin/add-passkey#token=${token}`);
    expect(await db.prisma.setupToken.count({ where: { token_hash: new Uint8Array(hashSecret(token)) } })).toBe(1);
  });
});

describe('millwright db', () => {
  it('migrate brings an empty database to the newest schema, and status then reports that schema', async () => {
    const empty = await createEmptyDatabase();
    const at = (...args: string[]) => program.run(args, { DATABASE_URL: empty.url });
    expectFailure(await at('db', 'status'), 1, '20261121000000_init: is not applied');
    expectFailure(await at('users', 'list', '--json'), 1, 'db migrate');
    const first = JSON.parse((await at('db', 'migrate', '--json')).out) as { applied: string[] };
    expect(first.applied).toContain('20261121000000_init');
    const { vectors, ...again } = JSON.parse((await at('db', 'migrate', '--json')).out) as Record<string, unknown>;
    expect(again).toEqual({ applied: [], alreadyApplied: first.applied });
    // Exactly one field is a text: the version of pgvector or, without pgvector, the reason why there is none.
    expect(Object.values(vectors as object).filter((value) => typeof value === 'string')).toHaveLength(1);
    expect(JSON.parse((await at('db', 'status', '--json')).out)).toEqual({ applied: first.applied, pending: [] });
    const broken = createDatabase({ url: empty.url, poolMax: 1 });
    await broken.prisma.$executeRaw`UPDATE _prisma_migrations SET checksum = 'other'`;
    await broken.close();
    expectFailure(await at('db', 'migrate'), 1, 'was changed after it had been applied');
    await empty.drop();
  });
});

describe('millwright db migrate --roles', () => {
  it("gives each service's database role its rights, also when the command is repeated", async () => {
    const empty = await createEmptyDatabase();
    for (let time = 0; time < 2; time += 1) {
      const outcome = await program.run(['db', 'migrate', '--roles', '--json'], { DATABASE_URL: empty.url });
      expect(JSON.parse(outcome.out)).toMatchObject({
        roles: ['admin-auth', 'platform-api', 'prompt-api', 'runtime-api'].map(
          (area) => `millwright_${area.replace('-', '_')}`,
        ),
      });
      const limited = createDatabase({ url: asRole(empty.url, 'prompt-api'), poolMax: 1 });
      expect(await limited.prisma.prompt.count()).toBe(0);
      await expect(limited.prisma.passkey.count()).rejects.toThrow('denied');
      await limited.close();
    }
    await empty.drop();
  });
});

describe('millwright with a faulty configuration', () => {
  it.each([
    ['nothing is configured', {}, ['DATABASE_URL: is required']],
    [
      'DATABASE_URL is not a database URL',
      { DATABASE_URL: 'mysql://hunter2@db/x', BASE_URL: 'hunter2' },
      ['DATABASE_URL', 'BASE_URL'],
    ],
  ])('exits 78, and names the variables but none of their values, when %s', async (_case, env, names) => {
    const outcome = await program.run(['users', 'list'], env);
    expectFailure(outcome, 78, ...names);
    expect(outcome.err).not.toContain('hunter2');
  });

  it('exits 4 with a one-sentence message when the database is unreachable', async () => {
    const env = { DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x' };
    const outcomes = await Promise.all(
      [
        ['users', 'list'],
        ['users', 'promote', 'x'],
        ['db', 'migrate'],
        ['db', 'status'],
      ].map((args) => program.run(args, env)),
    );
    for (const outcome of outcomes) {
      expectFailure(outcome, 4, 'The database does not answer.');
      expect(outcome.err).not.toContain('hunter2');
    }
  });

  it.each([
    ['the password is wrong', (url: URL) => (url.password = 'hunter2'), 'refuses the user or the password'],
    ['the database does not exist', (url: URL) => (url.pathname = '/nothing'), 'does not exist'],
  ])('exits 1 with a one-sentence message when %s', async (_case, change, text) => {
    const url = new URL(database.url);
    change(url);
    const commands = [
      ['users', 'list'],
      ['db', 'status'],
      ['users', 'promote', 'x'],
    ];
    for (const outcome of await Promise.all(commands.map((args) => program.run(args, { DATABASE_URL: url.href })))) {
      expectFailure(outcome, 1, text);
      expect(outcome.err).not.toContain('hunter2');
    }
  });
});

it('millwright admin --help prints the groups of commands', async () => {
  const { code, out } = await program.run(['admin', '--help']);
  expect(code).toBe(0);
  for (const group of ['users', 'keys', 'clients', 'setup-token', 'db', '--json']) expect(out).toContain(group);
  expect((await program.run(['keys', 'create', '--help'])).code).toBe(0);
  expect((await program.run([])).code).toBe(2);
});
