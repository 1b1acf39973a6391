// @ts-check
import { ensureTemplateDatabase } from './template-database.mjs';
import { startTestServers } from '../test-servers.mjs';

/** Provides a PostgreSQL with a migrated template, and a Redis: the servers of `npm test`, or new ones when Jest runs alone. */
export default async function setUp() {
  if (!process.env['TEST_DATABASE_URL'] || !process.env['TEST_REDIS_URL']) {
    const servers = await startTestServers();
    Object.assign(process.env, servers.env);
    Object.assign(globalThis, { stopTestServers: servers.stop });
    // A signal without a handler would end this process without the `exit` event, on which the servers are ended.
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  }
  await ensureTemplateDatabase(String(process.env['TEST_DATABASE_URL']));
}
