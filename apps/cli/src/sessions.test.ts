import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueDeviceCode, issuePat } from '@millwright/auth';
import { createDatabase, newId, encodeId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { buildProgram, type Outcome, type TestProgram } from './test-program.js';

let program: TestProgram;
let database: TestDatabase;
let db: Database;
let home = '';

beforeAll(async () => {
  [program, database] = await Promise.all([buildProgram(), createTestDatabase()]);
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
const trail = async (action: string) =>
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

describe('users', () => {
  it('disable ends every credential, enable gives none of them back', async () => {
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
    expect(await trail('user.disable')).toEqual(['root@example.com']);
  });

  it('disable of the last platform admin, and of nobody: exit 1', async () => {
    expectFailure(await run('users', 'disable', 'root@example.com'), 1, 'is the last active platform admin');
    expectFailure(await run('users', 'disable', 'nobody@example.com'), 1, 'does not exist');
    expect((await run('users', 'disable')).code).toBe(2);
  });
});

describe('sessions', () => {
  async function openSession(email: string): Promise<string> {
    const id = newId();
    const expires_at = new Date(Date.now() + 600_000);
    const data = { id, user_id: (await userOf(email)).id, method: 'passkey', ip: '127.0.0.1', user_agent: 'Browser' };
    await db.prisma.userSession.create({ data: { ...data, expires_at } });
    return encodeId('ses', id);
  }

  it('list shows the live ones; revoke ends one, or all', async () => {
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
    expect(await trail('session.revoke')).toHaveLength(3);
  });

  it.each([
    [['sessions', 'list', 'nobody@example.com'], 1],
    [['sessions', 'revoke', 'root@example.com', 'ses_nothing'], 1],
    [['sessions', 'list'], 2],
  ])('%j: exit %d', async (args, code) => expect((await run(...args)).code).toBe(code));

  it("revoke does not end another account's session", async () => {
    const id = await openSession('adm@example.com');
    expectFailure(await run('sessions', 'revoke', 'ann@example.com', id), 1, 'does not exist');
  });
});

describe('device-code create', () => {
  it('prints a code once, stored as its hash', async () => {
    const { code, email } = await json('device-code', 'create', '--email', 'ann@example.com');
    expect([String(code).length, email]).toEqual([64, 'ann@example.com']);
    expect(JSON.stringify(await db.prisma.deviceLinkCode.findMany())).not.toContain(code);
  });

  it('of a disabled account is not made', async () => {
    await json('users', 'create', '--email', 'off@example.com', '--name', 'Off');
    await json('users', 'disable', 'off@example.com');
    expectFailure(await run('device-code', 'create', '--email', 'off@example.com'), 1, 'is inactive');
  });
});

describe('session', () => {
  it('login by a token makes that admin answer for what follows, from a file only its owner reads', async () => {
    const token = await newPat('adm@example.com');
    expect(await json('session', 'login', '--token', token)).toEqual({ profile: 'default', email: 'adm@example.com' });
    expect(statSync(join(home, 'profiles.json')).mode & 0o777).toBe(0o600);
    await json('users', 'create', '--email', 'by-adm@example.com', '--name', 'x');
    await json('users', 'promote', 'by-adm@example.com');
    expect(await trail('user.promote')).toEqual(['adm@example.com']);
    expect((await trail('user.create')).at(-1)).toBe('adm@example.com');
  });

  it('login by a code works once, and switch goes from one to another and back to the operator', async () => {
    const code = await newCode('adm@example.com');
    await json('session', 'login', '--code', code, '--profile', 'adm');
    expectFailure(await run('session', 'login', '--code', code), 1, 'The code is not good');
    await json('session', 'login', '--token', await newPat('root@example.com'), '--profile', 'root');
    expect(await json('session', 'switch', 'adm')).toEqual({ profile: 'adm', email: 'adm@example.com' });
    await json('setup-token', 'create', '--email', 'ann@example.com');
    await json('session', 'switch', 'none');
    await json('setup-token', 'create', '--email', 'ann@example.com');
    expect(await trail('setup_token.create')).toEqual(['adm@example.com', 'root@example.com']);
    expectFailure(await run('session', 'switch', 'other'), 1, 'There is no session "other"');
  });

  it('that is over does nothing, and nothing under another name', async () => {
    await json('session', 'login', '--token', await newPat('adm@example.com'));
    const { id } = await userOf('adm@example.com');
    const before = await db.prisma.governanceDecision.count();
    for (const over of [{ role: 'user' }, { status: 'inactive', role: 'admin' }]) {
      await db.prisma.user.update({ where: { id }, data: over });
      expectFailure(await run('users', 'promote', 'ann@example.com'), 1, 'The session "default" is over');
    }
    await db.prisma.user.update({ where: { id }, data: { status: 'active' } });
    await db.prisma.userApiKey.updateMany({ where: { user_id: id }, data: { revoked_at: new Date() } });
    expectFailure(await run('users', 'promote', 'ann@example.com'), 1, 'The session "default" is over');
    expect(await db.prisma.governanceDecision.count()).toBe(before);
    expect((await run('session', 'switch', 'none')).code).toBe(0);
  });

  it.each([
    ['no credential', [], 'Give --token or --code'],
    ['a made-up token', ['--token', 'mw_pat_x'], 'not one of an active admin'],
    ['a made-up code', ['--code', 'f'.repeat(64)], 'The code is not good'],
  ])('login with %s: exit 1', async (_case, args, text) =>
    expectFailure(await run('session', 'login', ...args), 1, text),
  );

  it('login of someone who is no admin: exit 1, and their code stays good', async () => {
    expectFailure(
      await run('session', 'login', '--token', await newPat('ann@example.com')),
      1,
      'not one of an active admin',
    );
    const code = await newCode('ann@example.com');
    expectFailure(await run('session', 'login', '--code', code), 1, 'not one of an admin');
    expect(
      await db.prisma.deviceLinkCode.count({ where: { used_at: null, user: { email: 'ann@example.com' } } }),
    ).toBeGreaterThan(0);
    expect((await run('session', 'login', '--code', code, '--token', 'x')).code).toBe(2);
  });

  it('a spoilt file: exit 1 and a sentence', async () => {
    writeFileSync(join(home, 'profiles.json'), '{');
    expectFailure(await run('users', 'promote', 'ann@example.com'), 1, 'remove it and log in again');
    expect(readFileSync(join(home, 'profiles.json'), 'utf8')).toBe('{');
  });
});

describe('bridge', () => {
  const anywhere = (...args: string[]) => program.run(args, { MILLWRIGHT_HOME: home });

  it.each([
    ['before a login', ['bridge', 'token'], 'This machine is not linked'],
    ['over plain http', ['bridge', 'login', '--url', 'http://mw.example.com', '--code', 'x'], '--url must be https'],
    ['to nobody', ['bridge', 'login', '--url', 'http://127.0.0.1:1', '--code', 'x'], 'does not answer as expected'],
  ])('%s: exit 1, without a database', async (_case, args, text) => expectFailure(await anywhere(...args), 1, text));

  it('login without --url: exit 2', async () => expect((await anywhere('bridge', 'login')).code).toBe(2));
});
