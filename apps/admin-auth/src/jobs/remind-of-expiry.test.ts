import { issueApiKey, issuePat } from '@millwright/accounts';
import { createLogger } from '@millwright/http/process';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Notice } from '../magic-link/delivery.js';
import { sendNotices } from '../notices/send-notices.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { remindOfExpiry } from './remind-of-expiry.js';

const DAY_MS = 86_400_000;
const now = new Date('2026-06-15T12:00:00.000Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

let database: TestDatabase;
let site: TestConsole;
let user: Awaited<ReturnType<TestConsole['addUser']>>;

beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  user = await site.addUser({ email: 'owner@example.com' });
});
afterEach(async () => {
  await site.close();
  await database.drop();
});

async function key(name: string, expires_at: Date | null, { made = inDays(-60), by = user } = {}) {
  const actor = { userId: by.id, kind: 'user', label: by.name } as const;
  const input = { userId: by.id, name, scopes: ['*'], plan: 'standard', project: 'Core' } as const;
  const { id } = await site.db.transaction((tx) => issueApiKey(tx, input, actor));
  const [stored] = await site.db.prisma.userApiKey.findMany({ where: { name }, orderBy: { id: 'desc' }, take: 1 });
  if (!stored) throw new Error(`no key ${id}`);
  return site.db.prisma.userApiKey.update({ where: { id: stored.id }, data: { expires_at, created_at: made } });
}
const remindAt = (at: Date) => remindOfExpiry((work) => site.db.transaction(work), at);
async function sent(): Promise<Notice[]> {
  const notices: Notice[] = [];
  const sender = { channel: 'log', notify: (notice: Notice) => Promise.resolve(void notices.push(notice)) } as const;
  const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
  await sendNotices({ db: site.db, sender, logger, baseUrl: 'https://mw.example' });
  return notices;
}

describe('remind-of-expiry', () => {
  it('informs the owner once at each stage: 14 days before, 3 days before and at the expiry', async () => {
    await key('deploy', inDays(20));
    const subjects: string[][] = [];
    for (const days of [5, 6, 6.1, 10, 17, 18, 19.9, 20, 20.5, 22]) {
      await remindAt(inDays(days));
      subjects.push((await sent()).map(({ subject }) => subject));
    }
    expect(subjects).toEqual([
      ...[[], ['API key expires within 14 days'], [], []],
      ...[['API key expires within 3 days'], [], []],
      ...[['API key has expired'], [], []],
    ]);
  });

  it('sends the name of the credential, its expiry and the remedy only to the owner', async () => {
    await key('deploy', inDays(10));
    expect(await remindAt(now)).toBe(1);
    const [notice] = await sent();
    expect(notice).toMatchObject({ email: 'owner@example.com', kind: 'credential_expires' });
    expect(notice?.text).toContain(
      'API key "deploy" of the account owner@example.com at https://mw.example expires on Thu, 25 Jun 2026 12:00:00 GMT',
    );
    expect(notice?.text).toContain('rotate it');
  });

  it('sends one reminder when several replicas run concurrently', async () => {
    for (let n = 0; n < 15; n++) await key(`key ${n}`, inDays(1));
    const counts = await Promise.all([remindAt(now), remindAt(now), remindAt(now)]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(15);
    expect(await sent()).toHaveLength(15);
  });

  it('sends a reminder for every credential, also when there are more credentials than one step reads', async () => {
    const { secret_hash, ...row } = await key('first', inDays(1));
    await site.db.prisma.userApiKey.createMany({
      data: Array.from({ length: 249 }, (_, n) => ({
        ...row,
        id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
        public_id: `copy-${n}`,
        secret_hash: new Uint8Array(secret_hash),
      })),
    });
    expect(await remindAt(now)).toBe(250);
    expect(await remindAt(now)).toBe(0);
  });

  it('sends no reminder for ended credentials, credentials without expiry, and stages that began before the credential was created', async () => {
    const left = await site.addUser({ email: 'left@example.com' });
    await key('of a disabled account', inDays(1), { by: left });
    await site.db.prisma.user.update({ where: { id: left.id }, data: { status: 'inactive' } });
    const revoked = await key('revoked', inDays(1));
    await site.db.prisma.userApiKey.update({ where: { id: revoked.id }, data: { revoked_at: new Date() } });
    const successor = await key('endless', null);
    const rotated = await key('rotated', inDays(1));
    await site.db.prisma.userApiKey.update({ where: { id: rotated.id }, data: { successor_id: successor.id } });
    await key('long over', inDays(-2));
    await key('for a week', inDays(7), { made: now });
    await key('for two days', inDays(2), { made: now });
    expect(await remindAt(now)).toBe(0);
    expect(await remindAt(inDays(2))).toBe(1);
    expect((await sent()).map(({ text }) => /"(.*)"/.exec(text)?.[1])).toEqual(['for two days']);
  });

  it('distinguishes API keys, tokens and devices in its messages', async () => {
    const actor = { userId: user.id, kind: 'user', label: user.name } as const;
    const input = { userId: user.id, name: 'x', scopes: ['*'], project: 'Core', expiresAt: inDays(1) } as const;
    await site.db.transaction((tx) => issuePat(tx, { ...input, name: 'script' }, actor));
    await site.db.transaction((tx) => issuePat(tx, { ...input, name: 'bridge' }, actor));
    await site.db.prisma.userApiKey.updateMany({ data: { expires_at: inDays(1), created_at: inDays(-100) } });
    const held = await site.db.prisma.userApiKey.findFirstOrThrow({ where: { name: 'bridge' } });
    await site.db.prisma.device.create({
      data: {
        ...{ id: held.id, user_id: user.id, key_id: held.id, name: 'Laptop', certificate: 'x', serial: '1' },
        ...{ public_key: new Uint8Array(1), expires_at: inDays(1) },
      },
    });
    await remindAt(now);
    expect((await sent()).map(({ text }) => text.split(' of the account')[0]).sort()).toEqual([
      'Device link "Laptop"',
      'Personal access token "script"',
    ]);
  });
});
