import {
  createPasskey,
  createTestDatabase,
  type ClientAnswer,
  type TestDatabase,
  type TestPasskey,
} from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { beginSignIn, browser, enrolledUser, newFlow } from '../test-sign-in.js';

/** Number of attempts for each way to sign in, both with a known and with an unknown account. */
const TRIES = 2_000;
/**
 * Maximum difference between one half and the share of pairs in which the known account took longer. With 2,000 tries, differences by
 * chance stay below 0.04.
 */
const MOST_EFFECT = 0.06;

let database: TestDatabase;
/** Console with open registration. A registration with a new address returns a setup token. */
let open: TestConsole;
/** Console with registration for one domain, which sends the setup link. */
let bounded: TestConsole;
/** Console with closed registration. */
let closed: TestConsole;
/** A passkey that no account has. */
let stranger: TestPasskey;
let known: Awaited<ReturnType<typeof enrolledUser>>;
const KNOWN = 'known@corp.example';

beforeAll(async () => {
  database = await createTestDatabase();
  open = await startConsole(database.url, { multiplier: 1e6 });
  const settings = { SECURITY_REGISTRATION_DOMAINS: ['corp.example'] };
  bounded = await startConsole(database.url, { multiplier: 1e6, settings });
  closed = await startConsole(database.url, {
    multiplier: 1e6,
    settings: { SECURITY_ALLOW_REGISTRATION: false, SECURITY_CLAIM_REQUIRES_INVITE: true },
  });
  stranger = createPasskey(open.url);
  known = await enrolledUser(open, KNOWN);
});
afterAll(async () => {
  for (const site of [open, bounded, closed]) await site.close();
  await database.drop();
});

/**
 * Prepares an attempt to sign in or to register, as a stranger can make it.
 * @returns a function that sends the request whose duration is measured
 */
type Entry = (account: 'known' | 'unknown', turn: number) => Promise<() => Promise<ClientAnswer>>;

const addressOf = (account: 'known' | 'unknown', turn: number) =>
  account === 'known' ? KNOWN : `${String(turn).padStart(5, '0')}@corp.example`;
/** Returns the response with its random parts replaced, so that the rest can be compared byte for byte. */
const shapeOf = ({ status, text, headers }: ClientAnswer, address: string) =>
  [status, headers.get('content-type'), text]
    .join(' ')
    .replaceAll(address, '<address>')
    .replaceAll(/[\w-]{43}/g, '<random>')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>');

const register =
  (site: () => TestConsole): Entry =>
  (account, turn) => {
    const json = { name: 'Ada', email: addressOf(account, turn), role: 'user' };
    const client = browser(site().url).next();
    return Promise.resolve(() => client('POST', '/admin/api/register', { json }));
  };

const ENTRIES: Record<string, Entry> = {
  'POST /admin/api/passkey/login/start': (account, turn) => {
    const authorization = `?${newFlow(open.url).query}`;
    const json = { authorization, email: addressOf(account, turn) };
    const client = browser(open.url).next();
    return Promise.resolve(() => client('POST', '/admin/api/passkey/login/start', { json }));
  },
  'POST /admin/api/passkey/login/finish, wrong proof': async (account, turn) => {
    const { next } = browser(open.url);
    const { answer, send } = await beginSignIn(next, open.url, addressOf(account, turn));
    const json = answer(stranger, { id: account === 'known' ? known.passkey.id : stranger.id });
    return () => send(json);
  },
  'POST /admin/api/magic-link/request': async (account, turn) => {
    await open.db.prisma.magicLinkRequest.deleteMany();
    const client = browser(open.url).next();
    const json = { email: addressOf(account, turn) };
    return () => client('POST', '/admin/api/magic-link/request', { json });
  },
  'POST /admin/api/register, open for a domain': register(() => bounded),
  'POST /admin/api/register, closed': register(() => closed),
};

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Mann-Whitney test. @returns the share of pairs in which the known account took longer, and its distance from chance in standard
 * deviations
 */
function compare(ofKnown: readonly number[], ofUnknown: readonly number[]): { share: number; z: number } {
  const ranked = [...ofKnown.map((ms) => ({ ms, isKnown: true })), ...ofUnknown.map((ms) => ({ ms, isKnown: false }))];
  ranked.sort((a, b) => a.ms - b.ms);
  const ranks = ranked.reduce((sum, { isKnown }, index) => (isKnown ? sum + index + 1 : sum), 0);
  const [n, m] = [ofKnown.length, ofUnknown.length];
  const u = ranks - (n * (n + 1)) / 2;
  return { share: u / (n * m), z: (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12) };
}

describe('the information about an account that a stranger gets', () => {
  it.each(Object.entries(ENTRIES))(
    'does not include at %s whether the account exists: the bytes and the time of the answers are the same',
    async (name, entry) => {
      const times = { known: [] as number[], unknown: [] as number[] };
      const shapes = { known: new Set<string>(), unknown: new Set<string>() };
      for (let turn = 0; turn < TRIES + 20; turn++) {
        const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
        for (const account of order) {
          const ask = await entry(account, turn);
          const startedAt = performance.now();
          const answer = await ask();
          const took = performance.now() - startedAt;
          await Promise.all([open.settled(), bounded.settled()]);
          if (turn < 20) continue; // warms up prepared statements and compiled code
          times[account].push(took);
          shapes[account].add(shapeOf(answer, addressOf(account, turn)));
        }
      }
      const { share, z } = compare(times.known, times.unknown);
      const medians = [medianOf(times.known), medianOf(times.unknown)].map((ms) => ms.toFixed(3)).join(' / ');
      process.stderr.write(
        `${name}: median ${medians} ms, known slower in ${(share * 100).toFixed(1)} %, z ${z.toFixed(1)}\n`,
      );
      expect([...shapes.known]).toEqual([...shapes.unknown]);
      expect(shapes.known.size).toBe(1);
      expect(Math.abs(share - 0.5)).toBeLessThan(MOST_EFFECT);
    },
    3_600_000,
  );
});
