import { createUser } from '@millwright/accounts';
import type { Caller } from '@millwright/auth';
import { createSpending } from '@millwright/budgets';
import { insertContent, searchContent } from '@millwright/catalog';
import { createVectorSupport } from '@millwright/catalog/knowledge-search';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createLogger } from '@millwright/http/process';
import { createModels, type Models } from '@millwright/models';
import { createTestDatabase, embeddingServer, type TestDatabase } from '@millwright/testing';
import { createEmbedTexts } from '../../knowledge/vectors/embed-texts.js';
import { createEmbedder, type Embedder } from '../../knowledge/vectors/embedder.js';
import { createSearchVectors, type FindSearchVector } from '../../knowledge/vectors/search-vectors.js';
import { requirePgvector } from '../../knowledge/vectors/test-vectors.js';
import { pollUntil } from '../../triggers/test-triggers.js';
import { documents, measureRecall, paraphrases, queries, recallText } from './quality.js';

const { endpoint, name, apiKey } = embeddingServer();

let database: TestDatabase;
let db: Database;
let models: Models;
let embedder: Embedder;
let findSearchVector: FindSearchVector;
let userId: string;

const callerOf = (project: string): Caller => ({ project, actor: { userId, kind: 'user', label: 'Ada' } });

/** Stores the documents as passages of one file. */
async function addFile(project: string): Promise<void> {
  const id = newId();
  const file = { id, path: 'handbook.md', size: 1, content_type: 'text/markdown', sha256: Buffer.alloc(32) };
  await db.prisma.file.create({ data: { ...file, project, created_by: userId } });
  await db.prisma.fileKnowledge.create({
    data: { file_id: id, project, tags: [], state: 'ready', created_by: userId },
  });
  await db.prisma.passage.createMany({
    data: documents.map(([title, body], index) => ({
      ...{ id: newId(), file_id: id, project, attempt: 1, place: index + 1 },
      ...{ title: `handbook.md › ${title}`, body, tags: [], status: 'active' },
    })),
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  await requirePgvector(database.url);
  db = createDatabase({ url: database.url, poolMax: 10 });
  const account = {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'admin',
    platformAdmin: false,
    project: 'Core',
  } as const;
  await db.transaction((tx) => createUser(tx, account));
  userId = (await db.prisma.user.findUniqueOrThrow({ where: { email: account.email } })).id;
  for (const [title, body] of documents)
    await db.transaction((tx) => insertContent(tx, callerOf('Core'), { title, body, tags: [], source: 'docs' }));
  await addFile('Commerce');

  const definition = {
    name,
    endpoint,
    contextWindow: 8_000,
    fallbacks: [],
    timeoutMs: 30_000,
    ...(apiKey && { apiKey }),
  };
  models = createModels({ models: [definition], fetch });
  const present = { of: () => models };
  const logger = createLogger({ service: 'recall', level: 'warn', version: 'test' });
  const findSupport = createVectorSupport(db);
  const embedTexts = createEmbedTexts({ db, models: present, spending: createSpending({ db, models: present }) });
  findSearchVector = createSearchVectors({ db, findSupport, embedTexts, logger });
  embedder = createEmbedder({ db, findSupport, embedTexts, logger });
  await db.prisma.knowledgeSearch.createMany({
    data: ['Core', 'Commerce'].map((project) => ({ project, model: name, updated_by: userId })),
  });
  embedder.start();
  await pollUntil(async () => (await db.prisma.knowledgeSearch.count({ where: { state: 'ready' } })) === 2);
});
afterAll(async () => {
  await embedder.close();
  await models.close();
  await db.close();
  await database.drop();
});

async function search(project: string, text: string, hasVectors: boolean) {
  const near = hasVectors ? await findSearchVector(callerOf(project), text) : undefined;
  if (hasVectors && !near) throw new Error(`There is no vector of "${text}".`);
  return (await searchContent(db, { project, text, limit: 10, near })).results;
}

describe.each([
  ['content', 'Core'],
  ['passages of a file', 'Commerce'],
])('the search of %s', (what, project) => {
  it.each([
    ['queries', queries, () => 0.95],
    ['paraphrases', paraphrases, (words: number) => words + 0.01],
  ] as const)(
    'with vectors finds 95 percent of the documents for queries, and more documents for paraphrases than without vectors: %s',
    async (kind, asked, least) => {
      const words = await measureRecall(asked, (text) => search(project, text, false));
      const both = await measureRecall(asked, (text) => search(project, text, true));
      process.stdout.write(recallText(`${what}, ${asked.length} ${kind} by words`, words));
      process.stdout.write(recallText(`${what}, ${asked.length} ${kind} by words and vectors of ${name}`, both));
      expect(both.at10).toBeGreaterThanOrEqual(least(words.at10));
    },
  );
});
