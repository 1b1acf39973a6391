// @ts-check
import pg from 'pg';
import { bootstrap } from './bootstrap.mjs';

/**
 * `npm run search:recall`: runs the tests of the search by vectors, and measures its recall with an embedding model. Both need a PostgreSQL with
 * pgvector. Prints an error when pgvector or the embedding model is missing.
 */
await bootstrap(import.meta.url, async () => {
  const { startTestServers } = await import('./test-servers.mjs');
  const { runSuite } = await import('./service-suites.mjs');
  const given = process.env['TEST_DATABASE_URL'];
  const servers = await startTestServers();
  const url = given ?? servers.env.TEST_DATABASE_URL;
  const missing = await missingFor(url);
  if (missing !== undefined) console.error(missing);
  const env = { ...servers.env, TEST_DATABASE_URL: url };
  const suite = {
    folder: 'apps/runtime-api',
    patterns: ['pgvector\\.soak'],
    ignored: ['/node_modules/', '/dist/'],
    env,
  };
  const passed = missing === undefined && runSuite(suite);
  await servers.stop();
  process.exit(passed ? 0 : 1);
});

/** @param {string} url @returns {Promise<string | undefined>} */
async function missingFor(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT FROM pg_available_extensions WHERE name = 'vector'");
  await client.end();
  if (rows.length === 0)
    return 'The PostgreSQL of these tests has no pgvector: set TEST_DATABASE_URL to a superuser of a server that has it.';
  if (!process.env['EMBEDDINGS_URL'] || !process.env['EMBEDDINGS_MODEL'])
    return 'There is no embedding model: set EMBEDDINGS_URL, the base address of an OpenAI-compatible API, and EMBEDDINGS_MODEL.';
  return undefined;
}
