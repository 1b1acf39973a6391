// @ts-check
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { exec } from './exec.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/**
 * `npm run test:profile -- <folder> [patterns]`: runs the tests of a folder one file after the other, and prints the CPU time of each file.
 */
await bootstrap(import.meta.url, () => {
  const [folder = '.', ...patterns] = process.argv.slice(2);
  return exec(
    process.execPath,
    [
      ...['--no-warnings', join(root, 'node_modules/jest/bin/jest.js')],
      ...['--config', 'jest.config.mjs', '--rootDir', '.', ...patterns, '--roots', folder, '--maxWorkers', '1'],
      ...['--reporters', 'default', '--reporters', join(root, 'tools/jest/profile-reporter.mjs')],
    ],
    toolEnvironment(),
  );
});
