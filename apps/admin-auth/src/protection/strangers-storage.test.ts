import { randomBytes } from 'node:crypto';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { scimIssuer, scimOnly } from '../scim/test-scim.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { browser, newFlow } from '../test-sign-in.js';

/** Limit of the sign-ins, and of the single sign-ons, that an address may begin per minute. */
const BEGUN = 120;
/** Minutes for which the row of an unfinished sign-in is kept: its lifetime, and up to 15 minutes until the job runs. */
const KEPT_MINUTES = 20;
/** Limit of the accounts that an address may register per day. */
const ACCOUNTS = 24 * 120;

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { sso: scimOnly([scimIssuer('one')]) });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

/** Returns random text, because the database compresses repeated text. */
const text = (length: number) => randomBytes(length).toString('hex').slice(0, length);
const longest = (length: number, domain: string) => `${text(length - domain.length)}${domain}`;
/** Returns the size of the largest row of a table in bytes, without its indexes. */
async function largest(table: string, where = 'true'): Promise<number> {
  const [row] = await site.db.prisma.$queryRawUnsafe<{ bytes: number }[]>(
    `SELECT coalesce(max(pg_column_size(t.*)), 0)::int AS bytes FROM ${table} t WHERE ${where}`,
  );
  return row?.bytes ?? 0;
}

/**
 * Limit in bytes. In all services together, an IP address may store 20 MB a day. The test `oauth/strangers-storage` covers the runtime API.
 */
const MOST = 12_000_000;

describe('the data that one IP address can store in a day without an account', () => {
  it('is at most 12 MB of accounts, uncompleted sign-ins, single sign-ons and recovery links', async () => {
    const email = `${text(64)}@${text(60)}.${text(60)}.${text(60)}.com`;
    const json = { name: `${text(100)}${'Ä'.repeat(100)}`, email, role: 'admin' };
    expect((await browser(site.url).next()('POST', '/admin/api/register', { json })).status).toBe(201);

    const parameters = new URLSearchParams(newFlow(site.url).query);
    parameters.set('state', text(200));
    const begun = { authorization: `?${parameters.toString()}`, email: longest(254, '@example.com') };
    const start = await browser(site.url).next()('POST', '/admin/api/passkey/login/start', { json: begun });
    expect(start.status).toBe(200);

    for (const length of [493, 494, 1_990])
      await createHttpClient(site.url)('GET', `/admin/sso/one?redirect=/admin/${text(length)}`);
    await browser(site.url).next()('POST', '/admin/api/magic-link/request', { json: { email } });
    await site.settled();

    const rows = {
      accounts: [
        await largest('users'),
        await largest('setup_tokens'),
        await largest('governance_decisions', "action = 'user.create'"),
        await largest('governance_decisions', "action = 'setup_token.create'"),
      ],
      signIns: [await largest('webauthn_ceremonies')],
      singleSignOns: [await largest('sso_requests')],
      links: [
        await largest('governance_decisions', "action = 'magic_link.create'"),
        await largest('magic_link_tokens'),
      ],
    };
    expect(Math.min(...Object.values(rows).flat())).toBeGreaterThan(60);
    const kept = {
      accounts: ACCOUNTS,
      signIns: KEPT_MINUTES * BEGUN,
      // The row of a single sign-on is kept five minutes longer than that of a sign-in, whether or not the user finishes.
      singleSignOns: (KEPT_MINUTES + 5) * BEGUN,
      links: 24 * 4 * 10,
    };
    const names = Object.keys(rows) as (keyof typeof rows)[];
    const bytes = names.map((name) => kept[name] * rows[name].reduce((sum, size) => sum + size));
    expect(bytes.reduce((sum, part) => sum + part)).toBeLessThan(MOST);
  });

  it('includes at most 120 registrations an hour: further registrations are refused until the hour is over', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0);
    const other = await startConsole(database.url, { multiplier: 1, now: () => at });
    const statuses: number[] = [];
    for (let n = 0; n < 122; n++) {
      at += 1_000;
      const json = { name: 'Ada', email: `a${n}@example.com`, role: 'user' };
      statuses.push((await browser(other.url).next()('POST', '/admin/api/register', { json })).status);
    }
    expect(statuses).toEqual([...Array<number>(120).fill(201), 429, 429]);
    at += 3_600_000;
    const json = { name: 'Ada', email: 'later@example.com', role: 'user' };
    expect((await browser(other.url).next()('POST', '/admin/api/register', { json })).status).toBe(201);
    await other.close();
  });
});
