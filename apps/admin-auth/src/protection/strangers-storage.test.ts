import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { browser, newFlow } from '../test-sign-in.js';

/** Requests a minute of an address without a session. */
const PER_MINUTE = 100;
/** Minutes that an unused row of a sign-in stays: its life, and the quarter of an hour until the job runs. */
const KEPT_MINUTES = 20;
/** Accounts that an address registers in a day. */
const ACCOUNTS = 24 * 150;

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

const longest = (length: number, domain: string) => `${'x'.repeat(length - domain.length)}${domain}`;
/** The size of the largest row of a table, without its indexes. */
async function largest(table: string, where = 'true'): Promise<number> {
  const [row] = await site.db.prisma.$queryRawUnsafe<{ bytes: number }[]>(
    `SELECT coalesce(max(pg_column_size(t.*)), 0)::int AS bytes FROM ${table} t WHERE ${where}`,
  );
  return row?.bytes ?? 0;
}

describe('what an address without an account makes the database keep in a day', () => {
  it('are at most 20 MB of accounts that nobody completes, with their audit rows', async () => {
    const email = `${'x'.repeat(64)}@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.com`;
    const json = { name: 'Ä'.repeat(200), email, role: 'admin' };
    const answer = await browser(site.url).next()('POST', '/admin/api/register', { json });
    expect(answer.status).toBe(201);
    const created = [
      await largest('users'),
      await largest('setup_tokens'),
      await largest('governance_decisions', "action = 'user.create'"),
      await largest('governance_decisions', "action = 'setup_token.create'"),
    ];
    expect(Math.min(...created)).toBeGreaterThan(100);
    const bytes = ACCOUNTS * created.reduce((sum, size) => sum + size);
    expect(bytes).toBeLessThan(20_000_000);
  });

  it('are at most 20 MB of sign-ins that it begins', async () => {
    const { query } = newFlow(site.url);
    const parameters = new URLSearchParams(query);
    parameters.set('state', 's'.repeat(200));
    const json = { authorization: `?${parameters.toString()}`, email: longest(254, '@example.com') };
    const answer = await browser(site.url).next()('POST', '/admin/api/passkey/login/start', { json });
    expect(answer.status).toBe(200);
    const size = await largest('webauthn_ceremonies');
    expect(size).toBeGreaterThan(500);
    expect(KEPT_MINUTES * PER_MINUTE * size).toBeLessThan(20_000_000);
  });

  it('are the accounts of 150 registrations an hour: the next are refused until it is over', async () => {
    let at = Date.UTC(2026, 0, 1, 12, 0);
    const other = await startConsole(database.url, { multiplier: 1, now: () => at });
    const statuses: number[] = [];
    for (let n = 0; n < 152; n++) {
      at += 1_000;
      const json = { name: 'Ada', email: `a${n}@example.com`, role: 'user' };
      statuses.push((await browser(other.url).next()('POST', '/admin/api/register', { json })).status);
    }
    expect(statuses).toEqual([...Array<number>(150).fill(201), 429, 429]);
    at += 3_600_000;
    const json = { name: 'Ada', email: 'later@example.com', role: 'user' };
    expect((await browser(other.url).next()('POST', '/admin/api/register', { json })).status).toBe(201);
    await other.close();
  });
});
