import { once } from 'node:events';
import { get } from 'node:http';
import { createDatabase, type Database } from '@millwright/db';
import { createTestDatabase, listen, type ListeningApp, type TestDatabase } from '@millwright/testing';
import { createNotesArea, openNotes, type Notes } from '../endpoint/test-notes-area.js';

const MANY = 15;

let database: TestDatabase;
let notes: Notes;
let db: Database;
let server: ListeningApp;
/** Ends the work that holds the only connection. */
let release: () => void;
let held: Promise<unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  db = createDatabase({ url: database.url, poolMax: 1, acquireTimeoutMs: 60_000 });
  server = await listen(createNotesArea({ db }));
  const { resolve, promise } = Promise.withResolvers<undefined>();
  const taken = Promise.withResolvers<undefined>();
  release = () => resolve(undefined);
  held = db.transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1`;
    taken.resolve(undefined);
    await promise;
  });
  await taken.promise;
});
afterAll(async () => {
  await server.close();
  await Promise.all([db.close(), notes.db.close()]);
  await database.drop();
});

describe('requests that wait for a connection to the database', () => {
  it('take turns by address before their credentials are known, and by account afterwards', async () => {
    const answered: string[] = [];
    const ask = async (name: string, key: string, localAddress: string) => {
      const headers = { authorization: `Bearer ${key}` };
      await once(get(`${server.url}/notes/none`, { headers, localAddress, agent: false }), 'response');
      answered.push(name);
    };
    const mallory = await (await notes.addUser('mallory@example.com'))('*');
    const honest = await notes.issueKey('*');
    const asked = Array.from({ length: MANY }, () => ask('mallory', mallory, '127.0.0.2'));
    while (db.poolState().waiting < MANY) await new Promise((resolve) => setImmediate(resolve));
    asked.push(ask('honest', honest, '127.0.0.1'));
    while (db.poolState().waiting < MANY + 1) await new Promise((resolve) => setImmediate(resolve));
    release();
    await Promise.all([held, ...asked]);
    // Each request has two statements. In the order of arrival, all of the many would have been answered before.
    expect(answered.indexOf('honest')).toBeLessThanOrEqual(3);
    expect(answered).toHaveLength(MANY + 1);
  });
});
