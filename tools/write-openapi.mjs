// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/** `npm run openapi`: writes docs/openapi from the contracts, by the tests that otherwise hold the two equal. */
await bootstrap(import.meta.url, () => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  for (const app of ['platform-api', 'runtime-api', 'prompt-api']) {
    const config = [
      '--config',
      join(root, 'jest.config.mjs'),
      '--rootDir',
      join(root, 'apps', app),
      'src/openapi.test.ts',
    ];
    const { status } = spawnSync(process.execPath, ['--experimental-vm-modules', '--no-warnings', jest, ...config], {
      stdio: 'inherit',
      env: { ...toolEnvironment(), WRITE_OPENAPI: '1' },
    });
    if (status !== 0) process.exit(status ?? 1);
  }
});
