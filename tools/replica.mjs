// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm run replica -- [folder] [patterns]`: runs the services' tests with a streaming replica, which answers their lists and reports. */
await bootstrap(import.meta.url, async () => {
  const { startTestServers } = await import('./test-servers.mjs');
  const { startTemporaryReplica, WITH_REPLICAS } = await import('./temporary-postgres.mjs');
  const { ensureTemplateDatabase } = await import('./jest/template-database.mjs');
  const { runServiceSuites } = await import('./service-suites.mjs');
  const servers = await startTestServers(WITH_REPLICAS);
  await ensureTemplateDatabase(servers.env.TEST_DATABASE_URL);
  const replica = await startTemporaryReplica(servers.env.TEST_DATABASE_URL);
  const failed = runServiceSuites(process.argv.slice(2), { ...servers.env, TEST_REPLICA_URL: replica.url });
  await replica.stop();
  await servers.stop();
  if (failed.length > 0) console.error(`failed with a replica: ${failed.join(', ')}`);
  process.exit(failed.length > 0 ? 1 : 0);
});
