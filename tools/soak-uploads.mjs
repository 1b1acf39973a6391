// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/** `npm run files:soak`: kills 50 processes during uploads, and uploads and downloads a file of 1 GiB. */
await bootstrap(import.meta.url, () => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = [
    '--config',
    join(root, 'jest.config.mjs'),
    '--rootDir',
    join(root, 'apps/runtime-api'),
    ...['--testPathIgnorePatterns', '/node_modules/'],
    ...['--', 'src/files/scale'],
  ];
  const { status } = spawnSync(process.execPath, ['--no-warnings', jest, '-i', ...args], {
    stdio: 'inherit',
    env: { ...toolEnvironment(), UPLOAD_KILLS: '50', UPLOAD_MEGABYTES: '1024' },
  });
  process.exit(status ?? 1);
});
