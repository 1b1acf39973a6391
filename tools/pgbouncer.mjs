// @ts-check
import { bootstrap } from './bootstrap.mjs';
import { ensureProgram } from './ensure-program.mjs';
import { freePorts } from './ports.mjs';

/** `npm run pgbouncer -- [folder] [patterns]`: runs the services' tests through PgBouncer in transaction mode. */
await bootstrap(import.meta.url, async () => {
  ensureProgram({ program: 'pgbouncer', from: 'pgbouncer', wantedBy: 'npm run pgbouncer' });
  const { startTestServers } = await import('./test-servers.mjs');
  const { ensureTemplateDatabase } = await import('./jest/template-database.mjs');
  const { runServiceSuites, runSuite } = await import('./service-suites.mjs');
  const { startPgBouncer } = await import('../libs/testing/src/pgbouncer.ts');
  const servers = await startTestServers();
  await ensureTemplateDatabase(servers.env.TEST_DATABASE_URL);
  const [port = 0] = await freePorts(1);
  const pooler = await startPgBouncer(servers.env.TEST_DATABASE_URL, port);
  const env = { ...servers.env, TEST_POOLER_URL: pooler.url };
  const own = { folder: 'libs/db', patterns: ['pgbouncer.soak'], ignored: ['/node_modules/'], env };
  const failed = [...(runSuite(own) ? [] : ['libs/db']), ...runServiceSuites(process.argv.slice(2), env)];
  await pooler.stop();
  await servers.stop();
  if (failed.length > 0) console.error(`failed through PgBouncer: ${failed.join(', ')}`);
  process.exit(failed.length > 0 ? 1 : 0);
});
