import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type Database } from '@millwright/db';
import { createTestDatabase, listen, type ListeningApp, type TestDatabase } from '@millwright/testing';
import { createNotesArea, openNotes, type Notes } from '../endpoint/test-notes-area.js';

const MANY = 15;
/**
 * Number of keys of one account. At most four checks of one credential run at a time, so several keys let all requests
 * reach the database.
 */
const KEYS = 4;

let database: TestDatabase;
let notes: Notes;
let db: Database;
let server: ListeningApp;
let mallory: string[];
let honest: string;

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  const newKey = await notes.addUser('mallory@example.com');
  mallory = await Promise.all(Array.from({ length: KEYS }, () => newKey('*')));
  honest = await notes.issueKey('*');
  db = createDatabase({ url: database.url, poolMax: 1, acquireTimeoutMs: 60_000 });
});
beforeEach(async () => {
  server = await listen(createNotesArea({ db }));
});
afterEach(() => server.close());
afterAll(async () => {
  await Promise.all([db.close(), notes.db.close()]);
  await database.drop();
});

/** Takes the only connection. Call the returned function to give it back. */
async function takeConnection(): Promise<() => Promise<void>> {
  const [taken, over] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const held = db.transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1`;
    taken.resolve(undefined);
    await over.promise;
  });
  await taken.promise;
  return () => {
    over.resolve(undefined);
    return held;
  };
}

async function untilWaiting(count: number): Promise<void> {
  while (db.poolState().waiting < count) await sleep(5);
}

describe('requests that wait for a connection to the database', () => {
  it.each([
    ['one address', () => '127.0.0.2'],
    ['many addresses', (n: number) => `127.0.0.${n + 2}`],
  ])(
    'get a connection for each account in turn, even when the requests of one account come from %s',
    async (_, addressOf) => {
      const answered: string[] = [];
      const ask = async (name: string, key: string, localAddress: string) => {
        const headers = { authorization: `Bearer ${key}` };
        await once(get(`${server.url}/notes/none`, { headers, localAddress, agent: false }), 'response');
        answered.push(name);
      };
      const release = await takeConnection();
      const asked = Array.from({ length: MANY }, (_item, n) => ask('mallory', mallory[n % KEYS] ?? '', addressOf(n)));
      await untilWaiting(MANY);
      asked.push(ask('honest', honest, '127.0.0.1'));
      await untilWaiting(MANY + 1);
      await release();
      await Promise.all(asked);
      // Each request has two statements. Without turns, all requests of the other account would have been answered first, because they
      // arrived first.
      expect(answered.indexOf('honest')).toBeLessThan(MANY / 2);
      expect(answered).toHaveLength(MANY + 1);
    },
  );
});
