import { encodeId } from '@millwright/db';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createMagicLinkStore } from '../magic-link/magic-link.store.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, bodyOf, browser, enrolledUser, exchangeForm, signInWith } from '../test-sign-in.js';

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

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let count = 0;

/**
 * Opens a session that began `began` milliseconds ago and was last used `used` milliseconds ago.
 * @returns the statuses with its refresh token and its access token
 */
async function answersOf(role: 'user' | 'admin', began: number, used: number, at = site) {
  const user = await site.addUser({ email: `someone${(count += 1)}@example.com`, role });
  const { client, sessionId, refresh } = await at.signIn(user);
  const data = { created_at: new Date(Date.now() - began), last_seen_at: new Date(Date.now() - used) };
  await site.db.prisma.userSession.update({ where: { id: sessionId }, data });
  const renewed = createHttpClient(at.url, { cookie: `refresh_token=${refresh}` });
  // The refresh token comes first, because a request with the access token records a use.
  return [(await renewed('GET', '/admin/api/me')).status, (await client('GET', '/admin/api/me')).status];
}

describe('the session of a browser', () => {
  it.each<['user' | 'admin', string, number, number, number]>([
    ['user', 'is live less than 30 days after its last use and 90 days after its start', 89 * DAY, 29 * DAY, 200],
    ['user', 'has ended 30 days after its last use', 31 * DAY, 30 * DAY + HOUR, 401],
    ['user', 'has ended 90 days after its start', 90 * DAY + HOUR, 0, 401],
    ['admin', 'is live less than 12 hours after its last use and 7 days after its start', 6 * DAY, 11 * HOUR, 200],
    ['admin', 'has ended 12 hours after its last use', DAY, 12 * HOUR + 60_000, 401],
    ['admin', 'has ended 7 days after its start', 7 * DAY + HOUR, 0, 401],
  ])('(role %s) %s: requests with either cookie get the same status', async (role, _title, began, used, expected) => {
    expect(await answersOf(role, began, used)).toEqual([expected, expected]);
  });

  it('ends after the idle time or the total time that is set in the settings', async () => {
    const settings = { SESSION_USER_IDLE_DAYS: 1, SESSION_USER_MAX_DAYS: 2 };
    const strict = await startConsole(database.url, { settings });
    expect(await answersOf('user', DAY, 23 * HOUR, strict)).toEqual([200, 200]);
    expect(await answersOf('user', DAY, 25 * HOUR, strict)).toEqual([401, 401]);
    expect(await answersOf('user', 3 * DAY, 0, strict)).toEqual([401, 401]);
    await strict.close();
  });

  it("ends by the limits for its user's current role, not for the role at the sign-in", async () => {
    const user = await site.addUser({ email: 'promoted@example.com' });
    const { client, sessionId } = await site.signIn(user);
    await site.db.prisma.userSession.update({
      where: { id: sessionId },
      data: { created_at: new Date(Date.now() - 8 * DAY) },
    });
    expect((await client('GET', '/admin/api/me')).status).toBe(200);
    await site.db.prisma.user.update({ where: { id: user.id }, data: { role: 'admin' } });
    expect((await client('GET', '/admin/api/me')).status).toBe(401);
  });
});

describe('the lists of sessions in Profile and on the page of a user', () => {
  it('omit sessions that are ended, idle for too long or open for too long', async () => {
    const user = await site.addUser({ email: 'listed@example.com' });
    const { client, sessionId } = await site.signIn(user);
    const others = [await site.signIn(user), await site.signIn(user), await site.signIn(user)];
    const ago = (age: number) => new Date(Date.now() - age);
    const ended = [
      { last_seen_at: ago(31 * DAY) },
      { created_at: ago(91 * DAY) },
      { revoked_at: ago(0), revoked_reason: 'signed out' },
    ];
    for (const [index, data] of ended.entries()) {
      await site.db.prisma.userSession.update({ where: { id: others[index]?.sessionId ?? '' }, data });
    }
    const shown = (body: unknown, key: 'items' | 'sessions') =>
      (body as Record<typeof key, { id: string }[]>)[key].map(({ id }) => id);
    const live = [encodeId('ses', sessionId)];
    expect(shown(bodyOf(await client('GET', '/admin/api/sessions')), 'items')).toEqual(live);
    const root = await site.signIn(await site.addUser({ email: 'root@example.com', role: 'admin' }));
    const page = await root.client('GET', `/admin/api/users/${encodeId('usr', user.id)}`);
    expect(shown(bodyOf(page), 'sessions')).toEqual(live);
  });
});

describe('a sign-in in a browser that already has a session', () => {
  const sessionsOf = (userId: string) =>
    site.db.prisma.userSession.findMany({ where: { user_id: userId }, orderBy: { id: 'asc' } });

  it('ends the earlier session when the sign-in is by passkey', async () => {
    const { user, passkey } = await enrolledUser(site, 'again@example.com');
    const { next } = browser(site.url);
    await signInWith(next, site.url, passkey);
    const { verifier, finish } = await beginSignIn(next, site.url);
    const { redirect_to } = bodyOf(await finish(passkey)) as { redirect_to: string };
    bodyOf(await next()('POST', '/admin/oauth/token', { json: exchangeForm(site.url, redirect_to, verifier) }));
    expect(await sessionsOf(user.id)).toMatchObject([
      { revoked_reason: 'signed in again in the same browser' },
      { revoked_at: null },
    ]);
    expect((await next()('GET', '/admin/api/me')).status).toBe(200);
  });

  it('ends the session of another user when the sign-in is by recovery link', async () => {
    const [held, other] = [await enrolledUser(site, 'held@example.com'), await enrolledUser(site, 'other@example.com')];
    const { next } = browser(site.url);
    await signInWith(next, site.url, held.passkey);
    const issued = await createMagicLinkStore(site.db).issue('other@example.com', { ip: '', requestId: '' });
    bodyOf(await next()('POST', '/admin/api/magic-link/validate', { json: { token: issued?.token } }));
    expect(await sessionsOf(held.user.id)).toMatchObject([{ revoked_reason: 'signed in again in the same browser' }]);
    expect(await sessionsOf(other.user.id)).toMatchObject([{ revoked_at: null }]);
    const ended = await site.db.prisma.governanceDecision.findFirst({
      where: { user_id: held.user.id, action: 'session.revoke' },
    });
    expect(ended).toMatchObject({ detail: { reason: 'signed in again in the same browser' } });
  });
});
