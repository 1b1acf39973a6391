// @ts-check
import { spawnSync } from 'node:child_process';
import { bootstrap } from './bootstrap.mjs';
import { bin, root, toolEnvironment } from './workspace.mjs';

/** `npm run seed -- --scale 1|10|100`: fills a database with the rows that its use would leave. */
await bootstrap(import.meta.url, async () => {
  const { status } = spawnSync(bin('nx'), ['run', 'db:generate'], {
    cwd: root,
    env: toolEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
  const { runSeed } = await import('./seed/run-seed.mjs');
  process.exit(await runSeed(process.argv.slice(2)));
});
