import { createHash } from 'node:crypto';
import type { NewUser } from '@millwright/accounts';
import { asRole, createDatabase, encodeId, newId, Prisma } from '@millwright/db';
import { createTestDatabase, type ClientAnswer, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { setProof } from '../test-records.js';
import { expirePlatformAdminRequests } from './platform-admins.store.js';

let database: TestDatabase;
let site: TestConsole;
let alice: Person;
let bob: Person;
let carol: Person;

async function person(user: Partial<NewUser> & { email: string }) {
  const row = await site.addUser(user);
  return { ...(await site.signIn(row)), ...row, public: encodeId('usr', row.id) };
}
type Person = Awaited<ReturnType<typeof person>>;

beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { settings: { SECURITY_PLATFORM_ADMIN_FOUR_EYES: true } });
  alice = await person({ email: 'alice@example.com', name: 'Alice', platformAdmin: true });
  bob = await person({ email: 'bob@example.com', name: 'Bob', platformAdmin: true });
  carol = await person({ email: 'carol@example.com', name: 'Carol', role: 'project_admin' });
});
afterEach(async () => {
  await site.close();
  await database.drop();
});

const codeOf = ({ status, body }: ClientAnswer) => [
  status,
  (body as { error?: { code: string } } | undefined)?.error?.code,
];
async function request(by = alice, whom = carol): Promise<string> {
  const answer = await by.client('POST', `/admin/api/users/${whom.public}/platform-admin`);
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}
const decide = (by: Person, id: string, act: 'confirm' | 'refuse' = 'confirm') =>
  by.client('POST', `/admin/api/platform-admin-requests/${id}/${act}`);
const rightsOf = async ({ id }: Person) => {
  const { role, delegated_role, platform_admin } = await site.db.prisma.user.findUniqueOrThrow({ where: { id } });
  return { role, delegated_role, platform_admin };
};
const rows = (decision: 'allow' | 'deny' = 'allow') =>
  site.db.prisma.governanceDecision.findMany({
    where: { action: { startsWith: 'platform_admin.' }, decision },
    orderBy: { seq: 'asc' },
  });

describe('POST /admin/api/platform-admin-requests/{request_id}/confirm', () => {
  it('makes the account a platform admin; the audit log names both people, and every platform admin gets a message', async () => {
    const id = await request();
    expect(await rightsOf(carol)).toMatchObject({ platform_admin: false });
    expect((await bob.client('GET', '/admin/api/platform-admin-requests')).body).toMatchObject({
      enabled: true,
      items: [{ id, user: { name: 'Carol' }, requested_by: { name: 'Alice' } }],
    });
    expect((await decide(bob, id)).status).toBe(204);
    expect(await rightsOf(carol)).toEqual({ role: 'admin', delegated_role: null, platform_admin: true });
    expect((await carol.client('GET', '/admin/api/me')).body).toMatchObject({
      roles: ['user', 'admin', 'platform_admin'],
    });
    const detail = { request: id, requested_by: 'alice@example.com' };
    expect(await rows()).toMatchObject([
      { action: 'platform_admin.request', actor_id: 'Alice', resource: carol.public, detail },
      { action: 'platform_admin.confirm', actor_id: 'Bob', resource: carol.public, detail },
    ]);
    const notices = await site.db.prisma.accountNotice.groupBy({
      by: ['kind'],
      _count: true,
      orderBy: { kind: 'asc' },
    });
    expect(notices.map(({ kind, _count }) => [kind, _count])).toEqual([
      ['platform_admin_made', 3],
      ['platform_admin_requested', 2],
    ]);
  });

  it('refuses accounts that are not platform admins; also refuses the requester, and records this attempt', async () => {
    const id = await request();
    expect(codeOf(await decide(alice, id))).toEqual([403, 'forbidden']);
    expect(codeOf(await decide(carol, id))).toEqual([403, 'forbidden']);
    expect(await rightsOf(carol)).toMatchObject({ platform_admin: false });
    expect(await rows('deny')).toMatchObject([
      { user_id: alice.id, reason: expect.stringContaining('neither') as string },
    ]);
  });

  it('requires a recent proof for both the request and the confirmation', async () => {
    const id = await request();
    await setProof(site, bob.sessionId, 'stale');
    expect(codeOf(await decide(bob, id))).toEqual([403, 'step_up_required']);
    const asked = await bob.client('POST', `/admin/api/users/${carol.public}/platform-admin`);
    expect(codeOf(asked)).toEqual([403, 'step_up_required']);
  });

  it('accepts one of 100 concurrent confirmations', async () => {
    const id = await request();
    const answers = await Promise.all(Array.from({ length: 100 }, () => decide(bob, id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    expect((await rows()).map(({ action }) => action)).toEqual(['platform_admin.request', 'platform_admin.confirm']);
  });

  it('answers 409 when the request has expired; the job expire-one-time records the expiry', async () => {
    const id = await request();
    await site.db.prisma.$executeRaw`UPDATE platform_admin_requests SET expires_at = now() - interval '1 second'`;
    expect(codeOf(await decide(bob, id))).toEqual([409, 'conflict']);
    const actor = { userId: alice.id, kind: 'job', label: 'expire-one-time' } as const;
    expect(await site.db.transaction((tx) => expirePlatformAdminRequests(tx, actor))).toBe(1);
    expect((await rows()).at(-1)).toMatchObject({
      action: 'platform_admin.expire',
      actor_kind: 'job',
      resource: carol.public,
    });
    expect((await decide(bob, await request())).status).toBe(204);
  });

  it('answers 409 when the requester is no longer a platform admin', async () => {
    const id = await request();
    const demoted = { where: { id: alice.id }, data: { platform_admin: false } };
    await site.db.prisma.user.update(demoted);
    expect(codeOf(await decide(bob, id))).toEqual([409, 'conflict']);
    expect(await rightsOf(carol)).toMatchObject({ platform_admin: false });
    expect((await decide(bob, id, 'refuse')).status).toBe(204);
  });

  it('answers 409 for a refused or withdrawn request', async () => {
    for (const by of [alice, bob]) {
      const id = await request();
      expect((await decide(by, id, 'refuse')).status).toBe(204);
      expect(codeOf(await decide(bob, id))).toEqual([409, 'conflict']);
    }
    expect(
      (await rows()).map(({ action }) => action).filter((action) => action === 'platform_admin.refuse'),
    ).toHaveLength(2);
  });
});

describe('POST /admin/api/users/{user_id}/platform-admin', () => {
  const ask = (whom: string) => alice.client('POST', `/admin/api/users/${whom}/platform-admin`);

  it('answers 409 for the requester, a platform admin, an inactive account and an account with an open request', async () => {
    const left = await person({ email: 'left@example.com' });
    await site.db.prisma.user.update({ where: { id: left.id }, data: { status: 'inactive' } });
    await request();
    for (const { public: id } of [alice, bob, left, carol]) expect(codeOf(await ask(id))).toEqual([409, 'conflict']);
    expect(codeOf(await ask(encodeId('usr', newId())))).toEqual([404, 'not_found']);
  });

  it('answers 409 when SECURITY_PLATFORM_ADMIN_FOUR_EYES is off, and the list of requests states that it is off', async () => {
    const off = await startConsole(database.url, { settings: { SECURITY_PLATFORM_ADMIN_FOUR_EYES: false } });
    const { client } = await off.signIn(alice);
    expect(codeOf(await client('POST', `/admin/api/users/${carol.public}/platform-admin`))).toEqual([409, 'conflict']);
    expect((await client('GET', '/admin/api/platform-admin-requests')).body).toEqual({ enabled: false, items: [] });
    await off.close();
  });
});

describe('the database', () => {
  /** Runs statements with the database role of admin-auth. @returns the error, if the database refuses them. */
  async function refusal(...statements: string[]): Promise<string | undefined> {
    const db = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 1 });
    try {
      await db.transaction(async (tx) => {
        for (const sql of statements) await tx.$executeRaw(Prisma.raw(sql));
      });
      return undefined;
    } catch (error) {
      return String(error);
    } finally {
      await db.close();
    }
  }
  const promote = () =>
    `UPDATE users SET role = 'admin', delegated_role = NULL, platform_admin = true WHERE id = '${carol.id}'`;
  const insert = (by: Person, more = 'NULL, NULL, NULL') =>
    `INSERT INTO platform_admin_requests (id, user_id, requested_by, outcome, decided_by, decided_at, expires_at)
     VALUES ('${idOf(by)}', '${carol.id}', '${by.id}', ${more}, now() + interval '9 days')`;
  const idOf = ({ id }: Person) =>
    createHash('md5')
      .update(id)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const confirm = (by: Person, request = alice) =>
    `UPDATE platform_admin_requests SET outcome = 'confirmed', decided_by = '${by.id}', decided_at = now() WHERE id = '${idOf(request)}'`;

  it('lets the service make a platform admin only with a confirmed request in the same transaction', async () => {
    expect(await refusal(promote())).toMatch(/confirmed by two/);
    expect(await refusal(insert(alice), promote())).toMatch(/confirmed by two/);
    expect(await refusal(insert(carol), confirm(bob, carol), promote())).toMatch(/two platform admins decide/);
    expect(await refusal(insert(alice, `'confirmed', '${bob.id}', now()`), promote())).toMatch(/two platform admins/);
    expect(await refusal(insert(alice), confirm(alice), promote())).toMatch(/two platform admins decide/);
    expect(await refusal(insert(alice), confirm(carol), promote())).toMatch(/two platform admins decide/);
    expect(await refusal(insert(alice), confirm(bob), promote())).toBeUndefined();
  });

  it('refuses a confirmation that was made in another transaction, and a second decision on a request', async () => {
    await site.db.transaction(async (tx) => {
      await tx.$executeRaw(Prisma.raw(insert(alice)));
      await tx.$executeRaw(Prisma.raw(confirm(bob)));
    });
    expect(await refusal(promote())).toMatch(/confirmed by two/);
    expect(await refusal(confirm(bob))).toMatch(/never changes/);
    const [stored] = await site.db.prisma.platformAdminRequest.findMany();
    expect((stored?.expires_at.getTime() ?? Infinity) - Date.now()).toBeLessThan(24 * 3_600_000 + 1_000);
  });
});
