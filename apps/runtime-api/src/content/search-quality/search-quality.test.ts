import { readFileSync } from 'node:fs';
import { insertContent, searchContent } from '@millwright/catalog';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';

/** Lines of two fields: title | body of a document, or query | title of the document to find. */
const load = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [string, string]);

const documents = load('documents.txt');
const queries = load('queries.txt');

let database: TestDatabase;
let runtime: TestRuntime;
beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  const caller = { project: 'Core', actor: runtime.owner.actor, requestId: 'seed', ip: '127.0.0.1' } as const;
  for (const [title, body] of documents) {
    await runtime.db.transaction((tx) => insertContent(tx, caller, { title, body, tags: [], source: 'docs' }));
  }
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

it('the search finds what misspelt queries mean: recall at 10 of at least 0.95, first result of at least 0.75', async () => {
  const places = await Promise.all(
    queries.map(async ([text, title]) => {
      const { results } = await searchContent(runtime.db, { project: 'Core', text, limit: 10 });
      return { text, place: results.findIndex((found) => found.title === title) };
    }),
  );
  const share = (most: number) => places.filter(({ place }) => place >= 0 && place <= most).length / queries.length;
  const missed = places.filter(({ place }) => place < 0).map(({ text }) => text);
  process.stdout.write(
    `search of ${documents.length} documents by ${queries.length} queries: recall at 10 ${share(9).toFixed(3)}, at 1 ${share(0).toFixed(3)}, missed ${JSON.stringify(missed)}\n`,
  );
  expect(documents.length).toBeGreaterThanOrEqual(200);
  expect(queries.length).toBeGreaterThanOrEqual(40);
  expect(share(9)).toBeGreaterThanOrEqual(0.95);
  expect(share(0)).toBeGreaterThanOrEqual(0.75);
});
