import { insertContent, searchContent } from '@millwright/catalog';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import { documents, measureRecall, paraphrases, queries, recallText } from './quality.js';

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

const search = async (text: string) => (await searchContent(runtime.db, { project: 'Core', text, limit: 10 })).results;

it('the search finds the document for at least 95 % of misspelt queries among the first ten results, and for 75 % as the first result', async () => {
  const recall = await measureRecall(queries, search);
  process.stdout.write(recallText(`${queries.length} queries by words`, recall));
  process.stdout.write(`missed ${JSON.stringify(recall.missed)}\n`);
  expect(documents.length).toBeGreaterThanOrEqual(200);
  expect(queries.length).toBeGreaterThanOrEqual(40);
  expect(recall.at10).toBeGreaterThanOrEqual(0.95);
  expect(recall.at1).toBeGreaterThanOrEqual(0.75);
});

it('the search by words finds the document for fewer than half of the questions that use other words than their documents', async () => {
  const recall = await measureRecall(paraphrases, search);
  process.stdout.write(recallText(`${paraphrases.length} paraphrases by words`, recall));
  expect(paraphrases).toHaveLength(60);
  expect(recall.at10).toBeLessThan(0.5);
});
