// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/** `npm run fuzz -- [requests] [service]`: sends many generated requests to every operation of a service. FUZZ_SEED repeats a run. */
await bootstrap(import.meta.url, () => {
  const [requests = '10000', service] = process.argv.slice(2);
  if (!/^\d+$/.test(requests) || (service !== undefined && !/^(admin|platform|runtime|prompt)$/.test(service))) {
    console.error('Usage: npm run fuzz -- [requests] [admin | platform | runtime | prompt]');
    process.exit(2);
  }
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const outcomes = (service === undefined ? ['admin', 'platform', 'runtime', 'prompt'] : [service]).map((name) => {
    const args = [
      '--config',
      join(root, 'jest.config.mjs'),
      '--rootDir',
      join(root, 'apps', name === 'admin' ? 'admin-auth' : `${name}-api`),
      'src/fuzz.test.ts',
    ];
    const { status } = spawnSync(process.execPath, ['--no-warnings', jest, ...args], {
      stdio: 'inherit',
      env: { ...toolEnvironment(), FUZZ_REQUESTS: requests },
    });
    return status;
  });
  process.exit(outcomes.every((status) => status === 0) ? 0 : 1);
});
