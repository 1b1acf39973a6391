import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { disableUser, enableUser, issueDeviceCode } from '@millwright/accounts';
import { createTestDatabase, type ClientAnswer, type TestDatabase } from '@millwright/testing';
import { createMagicLinkStore } from '../magic-link/magic-link.store.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, bodyOf, browser, enrolledUser, exchangeForm, type NextClient } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

type Enrolled = Awaited<ReturnType<typeof enrolledUser>>;
/** Performs a flow except its last request. @returns a function that sends the last request */
type Prepare = (enrolled: Enrolled, next: NextClient) => Promise<() => Promise<ClientAnswer>>;

const WAYS: [string, Prepare, number][] = [
  [
    'a sign-in',
    async ({ passkey }, next) => {
      const { answer, send } = await beginSignIn(next, site.url);
      return () => send(answer(passkey));
    },
    401,
  ],
  [
    'the exchange of a code',
    async ({ passkey }, next) => {
      const { verifier, finish } = await beginSignIn(next, site.url);
      const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
      const json = exchangeForm(site.url, redirect_to, verifier);
      return () => next()('POST', '/admin/oauth/token', { json });
    },
    400,
  ],
  [
    'the use of a recovery link',
    async ({ user }, next) => {
      const { email } = await site.db.prisma.user.findUniqueOrThrow({ where: { id: user.id } });
      const issued = await createMagicLinkStore(site.db).issue(email, { ip: '127.0.0.1', requestId: 'test' });
      return () => next()('POST', '/admin/api/magic-link/validate', { json: { token: issued?.token } });
    },
    401,
  ],
  [
    'the redemption of a device-link code',
    async ({ user }, next) => {
      const owner = { ...user, role: 'user' };
      const { code } = await site.db.transaction((tx) => issueDeviceCode(tx, { user: owner }, actorOf(user)));
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const public_key = publicKey.export({ type: 'spki', format: 'pem' });
      return () => next()('POST', '/bridge-auth/session', { json: { code, device_name: 'laptop', public_key } });
    },
    401,
  ],
];

const actorOf = ({ id, name }: Enrolled['user']) => ({ userId: id, kind: 'user', label: name }) as const;
const anyone = () => undefined;

/** Waits until `count` transactions wait for locks of other transactions. */
async function untilWaiting(count: number): Promise<void> {
  const waiting = () =>
    site.db.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await waiting()).length < count) await sleep(10);
}

async function expectNothingLeft(user_id: string): Promise<void> {
  const live = { where: { user_id, revoked_at: null } };
  const unused = { where: { user_id, used_at: null, expires_at: { gt: new Date() } } };
  const { userSession, userApiKey, device, consoleCode } = site.db.prisma;
  expect(await userSession.count(live)).toBe(0);
  expect(await userApiKey.count(live)).toBe(0);
  expect(await device.count(live)).toBe(0);
  expect(await consoleCode.count(unused)).toBe(0);
}

describe('while an account is being disabled,', () => {
  it.each(WAYS)(
    '%s waits, is refused, and leaves no credential that is valid after the account is enabled again',
    async (way, prepare, status) => {
      const enrolled = await enrolledUser(site, `${way.replaceAll(/\W/g, '')}@example.com`);
      const { user } = enrolled;
      const attempt = await prepare(enrolled, browser(site.url).next);
      const attempting = await site.db.transaction(async (tx) => {
        await disableUser(tx, user.id, actorOf(user), anyone);
        const answer = attempt();
        await Promise.race([answer, untilWaiting(1)]);
        return { answer };
      });
      expect((await attempting.answer).status).toBe(status);
      await site.db.transaction((tx) => enableUser(tx, user.id, actorOf(user), anyone));
      await expectNothingLeft(user.id);
      expect((await attempt()).status).toBe(status);
    },
  );

  it.each(WAYS.slice(1))(
    '%s that started earlier still issues credentials, which are then revoked with all other credentials',
    async (way, prepare) => {
      const enrolled = await enrolledUser(site, `before${way.replaceAll(/\W/g, '')}@example.com`);
      const { user } = enrolled;
      const attempt = await prepare(enrolled, browser(site.url).next);
      const [attempting, disabling] = await site.db.transaction(async (tx) => {
        await tx.$executeRaw`LOCK TABLE governance_decisions IN SHARE MODE`; // locks a table that both transactions, the attempt and the disabling, write last
        const answer = attempt();
        await untilWaiting(1);
        const disabled = site.db.transaction((other) => disableUser(other, user.id, actorOf(user), anyone));
        await untilWaiting(2);
        return [{ answer }, { disabled }] as const;
      });
      expect((await attempting.answer).status).toBe(200);
      await disabling.disabled;
      await expectNothingLeft(user.id);
    },
  );

  it('no code for a device is created', async () => {
    const { user } = await enrolledUser(site, 'code@example.com');
    await site.db.transaction((tx) => disableUser(tx, user.id, actorOf(user), anyone));
    const making = site.db.transaction((tx) => issueDeviceCode(tx, { user: { ...user, role: 'user' } }, actorOf(user)));
    await expect(making).rejects.toMatchObject({ code: 'conflict' });
  });
});
