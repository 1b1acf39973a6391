// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { ensureProgram } from './ensure-program.mjs';
import { freePorts } from './ports.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/** The folders whose tests open services' connections. */
const FOLDERS = ['apps/platform-api', 'apps/prompt-api', 'apps/runtime-api', 'apps/admin-auth', 'acceptance'];
/** Test suites that other commands run. */
const OTHERS = ['/observability/', '/faults/', '/rollout/', '/hostile/', '/measure/', '/conformance/'];

/** `npm run pgbouncer -- [folder] [patterns]`: the services' tests through PgBouncer in transaction mode. */
await bootstrap(import.meta.url, async () => {
  const [folder, ...patterns] = process.argv.slice(2);
  ensureProgram({ program: 'pgbouncer', from: 'pgbouncer', wantedBy: 'npm run pgbouncer' });
  const { startTestServers } = await import('./test-servers.mjs');
  const { ensureTemplateDatabase } = await import('./jest/template-database.mjs');
  const { startPgBouncer } = await import('../libs/testing/src/pgbouncer.ts');
  const servers = await startTestServers();
  await ensureTemplateDatabase(servers.env.TEST_DATABASE_URL);
  const [port = 0] = await freePorts(1);
  const pooler = await startPgBouncer(servers.env.TEST_DATABASE_URL, port);
  /** @param {string} each @param {readonly string[]} ignoredPaths @param {readonly string[]} patterns */
  const jest = (each, ignoredPaths, patterns) => {
    const args = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
    args.push('--config', join(root, 'jest.config.mjs'), '--rootDir', join(root, each), '--maxWorkers=1');
    for (const ignored of ignoredPaths) args.push('--testPathIgnorePatterns', ignored);
    const { status } = spawnSync(process.execPath, [...args, '--', ...patterns], {
      stdio: 'inherit',
      env: { ...toolEnvironment(), ...servers.env, TEST_POOLER_URL: pooler.url },
    });
    return status === 0;
  };
  const failed = jest('libs/db', ['/node_modules/'], ['pgbouncer.soak']) ? [] : ['libs/db'];
  for (const each of folder === undefined ? FOLDERS : [folder])
    if (!jest(each, ['/node_modules/', '/dist/', '\\.soak\\.test\\.ts$', ...OTHERS], patterns)) failed.push(each);
  await pooler.stop();
  await servers.stop();
  if (failed.length > 0) console.error(`failed through PgBouncer: ${failed.join(', ')}`);
  process.exit(failed.length > 0 ? 1 : 0);
});
