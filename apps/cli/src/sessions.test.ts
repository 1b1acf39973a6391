import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueDeviceCode, issuePat } from '@millwright/accounts';
import { createDatabase, newId, encodeId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createTestProgram, type Outcome, type TestProgram } from './test-program.js';

let program: TestProgram;
let database: TestDatabase;
let db: Database;
let home = '';

beforeAll(async () => {
  program = createTestProgram();
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 3 });
  for (const [email, ...more] of [
    ['root@example.com', '--platform-admin'],
    ['adm@example.com', '--role', 'admin'],
    ['ann@example.com'],
  ])
    await run('users', 'create', '--email', String(email), '--name', String(email).slice(0, 4), ...more);
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millwright-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));
afterAll(async () => {
  await db.close();
  await database.drop();
  program.remove();
});

const run = (...args: string[]) =>
  program.run(args, { DATABASE_URL: database.url, ...(home !== '' && { MILLWRIGHT_HOME: home }) });
const typeInto = (typed: string, ...args: string[]) =>
  program.run(args, { DATABASE_URL: database.url, MILLWRIGHT_HOME: home }, typed);
/** Logs in with a token, which is read from standard input. */
async function logIn(email: string, ...more: string[]): Promise<object> {
  const { code, out, err } = await typeInto(
    `${await newPat(email)}\n`,
    'session',
    'login',
    '--token',
    ...more,
    '--json',
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as object;
}
async function json<Answer = Record<string, unknown>>(...args: string[]): Promise<Answer> {
  const { code, out, err } = await run(...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Answer;
}
const expectFailure = ({ code, out, err }: Outcome, wanted: number, text: string) => {
  expect({ code, out }).toEqual({ code: wanted, out: '' });
  expect(err).toContain(text);
  expect(err).not.toMatch(/\n\s+at .+:\d+/);
};
const userOf = (email: string) => db.prisma.user.findUniqueOrThrow({ where: { email } });
const auditRows = async (action: string) =>
  (
    await db.prisma.governanceDecision.findMany({ where: { action }, orderBy: { id: 'asc' }, include: { user: true } })
  ).map(({ user }) => user.email);

async function newPat(email: string): Promise<string> {
  const { id, name } = await userOf(email);
  const pat = { userId: id, name: 'cli', project: 'Core', expiresAt: new Date(Date.now() + 600_000) } as const;
  return (await db.transaction((tx) => issuePat(tx, pat, { userId: id, kind: 'user', label: name }))).text;
}

async function newCode(email: string): Promise<string> {
  const user = await userOf(email);
  const actor = { userId: user.id, kind: 'user', label: user.name } as const;
  return (await db.transaction((tx) => issueDeviceCode(tx, { user }, actor))).code;
}

const PASSKEY = {
  ...{ name: 'Key', device_type: 'multiDevice', backed_up: true, aaguid: newId() },
  public_key: new Uint8Array([1]),
};

describe('millwright users', () => {
  it('disable revokes every credential, and enable restores none of them', async () => {
    const pat = await newPat('ann@example.com');
    expect(await json('users', 'disable', 'ann@example.com', '--reason', 'left')).toMatchObject({ status: 'inactive' });
    const { id } = await userOf('ann@example.com');
    expect(await db.prisma.userApiKey.count({ where: { user_id: id, revoked_at: null } })).toBe(0);
    expect(await json('users', 'enable', 'ann@example.com')).toMatchObject({
      status: 'active',
      email: 'ann@example.com',
    });
    expect(await db.prisma.userApiKey.count({ where: { user_id: id, revoked_at: null } })).toBe(0);
    expect(pat).toMatch(/^mw_pat_/);
    expect(await auditRows('user.disable')).toEqual(['root@example.com']);
  });

  it('disable exits 1 for the last platform admin and for an unknown user', async () => {
    expectFailure(await run('users', 'disable', 'root@example.com'), 1, 'is the last active platform admin');
    expectFailure(await run('users', 'disable', 'nobody@example.com'), 1, 'email: belongs to no account');
    expect((await run('users', 'disable')).code).toBe(2);
  });
});

describe('millwright sessions', () => {
  async function openSession(email: string, user_agent = 'Browser'): Promise<string> {
    const id = newId();
    const expires_at = new Date(Date.now() + 600_000);
    const data = { id, user_id: (await userOf(email)).id, method: 'passkey', ip: '127.0.0.1', user_agent };
    await db.prisma.userSession.create({ data: { ...data, expires_at } });
    return encodeId('ses', id);
  }

  it('list prints the live sessions; revoke ends one session or all sessions of an account', async () => {
    const ids = [
      await openSession('ann@example.com'),
      await openSession('ann@example.com'),
      await openSession('ann@example.com'),
    ];
    const listed = await json<{ id: string; user_agent: string }[]>('sessions', 'list', 'ann@example.com');
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await json('sessions', 'revoke', 'ann@example.com', String(ids[0]))).toEqual({ revoked: 1 });
    expectFailure(await run('sessions', 'revoke', 'ann@example.com', String(ids[0])), 1, 'does not exist');
    expect(await json('sessions', 'revoke', 'ann@example.com')).toEqual({ revoked: 2 });
    expect(await json('sessions', 'list', 'ann@example.com')).toEqual([]);
    expect(await auditRows('session.revoke')).toHaveLength(3);
  });

  it('list escapes control characters in the name of a browser, in the table and in JSON', async () => {
    const escape = String.fromCharCode(0x1b);
    await openSession('ann@example.com', `Browser${escape}[2J\u009b31m\nroot`);
    for (const form of [[], ['--json']]) {
      const { code, out } = await run('sessions', 'list', 'ann@example.com', ...form);
      expect([code, out]).toEqual([0, expect.stringContaining('Browser\\u001b[2J\\u009b31m\\')]);
      expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    }
    await json('sessions', 'revoke', 'ann@example.com');
  });

  it.each([
    [['sessions', 'list', 'nobody@example.com'], 1],
    [['sessions', 'revoke', 'root@example.com', 'ses_nothing'], 1],
    [['sessions', 'list'], 2],
  ])('exits with the expected code: %j, %d', async (args, code) => expect((await run(...args)).code).toBe(code));

  it("revoke exits 1 for another account's session", async () => {
    const id = await openSession('adm@example.com');
    expectFailure(await run('sessions', 'revoke', 'ann@example.com', id), 1, 'does not exist');
  });
});

describe('millwright device-code create', () => {
  it('prints a code that is stored as a hash', async () => {
    const { code, email } = await json('device-code', 'create', '--email', 'ann@example.com');
    expect([String(code).length, email]).toEqual([64, 'ann@example.com']);
    expect(JSON.stringify(await db.prisma.deviceLinkCode.findMany())).not.toContain(code);
  });

  it('exits 1 for a disabled account', async () => {
    await json('users', 'create', '--email', 'off@example.com', '--name', 'Off');
    await json('users', 'disable', 'off@example.com');
    expectFailure(await run('device-code', 'create', '--email', 'off@example.com'), 1, 'is inactive');
  });
});

describe('millwright session', () => {
  it("login with a token makes the token's admin accountable for later commands, and stores the session readable only by its owner", async () => {
    expect(await logIn('adm@example.com')).toEqual({ profile: 'default', email: 'adm@example.com' });
    expect(statSync(join(home, 'profiles.json')).mode & 0o777).toBe(0o600);
    await json('users', 'create', '--email', 'by-adm@example.com', '--name', 'x');
    await json('users', 'promote', 'by-adm@example.com');
    expect(await auditRows('user.promote')).toEqual(['adm@example.com']);
    expect((await auditRows('user.create')).at(-1)).toBe('adm@example.com');
  });

  it('login accepts a code once; switch changes to another session or back to the operator', async () => {
    const code = await newCode('adm@example.com');
    await json('session', 'login', '--code', code, '--profile', 'adm');
    expectFailure(await run('session', 'login', '--code', code), 1, 'The code is not valid');
    await logIn('root@example.com', '--profile', 'root');
    expect(await json('session', 'switch', 'adm')).toEqual({ profile: 'adm', email: 'adm@example.com' });
    await json('setup-token', 'create', '--email', 'ann@example.com');
    await json('session', 'switch', 'none');
    await json('setup-token', 'create', '--email', 'ann@example.com');
    expect(await auditRows('setup_token.create')).toEqual(['adm@example.com', 'root@example.com']);
    expectFailure(await run('session', 'switch', 'other'), 1, 'There is no session "other"');
  });

  it('refuses every change after the session has ended, and uses no other account', async () => {
    await logIn('adm@example.com');
    const { id } = await userOf('adm@example.com');
    const before = await db.prisma.governanceDecision.count();
    for (const over of [{ role: 'user' }, { status: 'inactive', role: 'admin' }]) {
      await db.prisma.user.update({ where: { id }, data: over });
      expectFailure(await run('users', 'promote', 'ann@example.com'), 1, 'The session "default" has ended');
    }
    await db.prisma.user.update({ where: { id }, data: { status: 'active' } });
    await db.prisma.userApiKey.updateMany({ where: { user_id: id }, data: { revoked_at: new Date() } });
    expectFailure(await run('users', 'promote', 'ann@example.com'), 1, 'The session "default" has ended');
    expect(await db.prisma.governanceDecision.count()).toBe(before);
    expect((await run('session', 'switch', 'none')).code).toBe(0);
  });

  it.each([
    ['no credential', [], '', 'Give --token or --code'],
    ['a made-up token', ['--token'], 'mw_pat_x', 'does not belong to an active admin'],
    ['no token on standard input', ['--token'], '', 'There is no token on standard input'],
    ['a text without end', ['--token'], 'x'.repeat(5_000), 'There is no token on standard input'],
    ['a made-up code', ['--code', 'f'.repeat(64)], '', 'The code is not valid'],
    ['a made-up code on standard input', ['--code'], 'f'.repeat(64), 'The code is not valid'],
  ])('login exits 1 with %s', async (_case, args, typed, text) =>
    expectFailure(await typeInto(typed, 'session', 'login', ...args), 1, text),
  );

  it('login refuses a token in its arguments, which other users of the machine can see, and stores nothing', async () => {
    const before = await db.prisma.governanceDecision.count();
    const token = await newPat('adm@example.com');
    const refused = await run('session', 'login', '--token', token);
    expectFailure(refused, 1, 'give it on standard input');
    expect(refused.err).not.toContain(token);
    expect(existsSync(join(home, 'profiles.json'))).toBe(false);
    expect(await db.prisma.governanceDecision.count()).toBe(before + 1); // the token that the test itself created
  });

  it('login also accepts a code from standard input', async () => {
    const code = await newCode('adm@example.com');
    expect((await typeInto(code, 'session', 'login', '--code')).code).toBe(0);
    expectFailure(await typeInto(code, 'session', 'login', '--code'), 1, 'The code is not valid');
  });

  it('login exits 1 for a user who is not an admin, and keeps the code valid', async () => {
    const pat = await newPat('ann@example.com');
    expectFailure(await typeInto(pat, 'session', 'login', '--token'), 1, 'does not belong to an active admin');
    const code = await newCode('ann@example.com');
    expectFailure(await run('session', 'login', '--code', code), 1, 'does not belong to an admin');
    expect(
      await db.prisma.deviceLinkCode.count({ where: { used_at: null, user: { email: 'ann@example.com' } } }),
    ).toBeGreaterThan(0);
    expect((await run('session', 'login', '--code', code, '--token', 'x')).code).toBe(2);
  });

  it('exits 1 with a one-sentence message when the file of sessions is invalid', async () => {
    writeFileSync(join(home, 'profiles.json'), '{');
    expectFailure(await run('users', 'promote', 'ann@example.com'), 1, 'Remove it and log in again');
    expect(readFileSync(join(home, 'profiles.json'), 'utf8')).toBe('{');
  });
});

describe('millwright passkeys', () => {
  it('`remove` deletes one or all passkeys and notifies the owner each time; a setup link can then be created again', async () => {
    const { id: user_id } = await userOf('ann@example.com');
    const ids = [newId(), newId(), newId()];
    await db.prisma.passkey.createMany({
      data: ids.map((id) => ({ ...PASSKEY, id, user_id, credential_id: id })),
    });
    expectFailure(await run('setup-token', 'create', '--email', 'ann@example.com'), 1, 'conflicts');
    const [first = ''] = ids;
    await json('passkeys', 'remove', 'ann@example.com', encodeId('pk', first));
    expect((await json<{ id: string }[]>('passkeys', 'list', 'ann@example.com')).map(({ id }) => id)).toEqual(
      ids.slice(1).map((id) => encodeId('pk', id)),
    );
    expectFailure(await run('passkeys', 'remove', 'root@example.com', encodeId('pk', String(ids[1]))), 1, 'not exist');
    await json('passkeys', 'remove', 'ann@example.com');
    expect(await json('passkeys', 'list', 'ann@example.com')).toEqual([]);
    await json('setup-token', 'create', '--email', 'ann@example.com');
    const rows = await db.prisma.governanceDecision.findMany({ where: { action: 'passkey.remove' } });
    expect(rows.map(({ detail }) => (detail as { via?: string }).via)).toEqual(['cli', 'cli', 'cli']);
    expect(await db.prisma.accountNotice.count({ where: { user_id, kind: 'passkeys_removed' } })).toBe(2);
  });
});

describe('millwright bridge', () => {
  const anywhere = (...args: string[]) => program.run(args, { MILLWRIGHT_HOME: home });

  it.each([
    ['token before a login', ['bridge', 'token'], 'This machine is not linked'],
    [
      'login over plain http',
      ['bridge', 'login', '--url', 'http://mw.example.com', '--code', 'x'],
      '--url must be https',
    ],
    [
      'login at an address without a console',
      ['bridge', 'login', '--url', 'http://127.0.0.1:1', '--code', 'x'],
      'does not answer as expected',
      4,
    ],
  ])('needs no database to refuse %s', async (_case, args, text, code = 1) =>
    expectFailure(await anywhere(...args), code, text),
  );

  it('login exits 2 without --url', async () => expect((await anywhere('bridge', 'login')).code).toBe(2));
});
