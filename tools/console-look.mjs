// @ts-check
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/**
 * `npm run console:look -- <folder> [names]`, after `npm run build`: takes a screenshot of every page of the console in the light and the dark theme,
 * on a wide screen and on a phone, without records and with records. `names` is a pattern that selects pages.
 */
await bootstrap(import.meta.url, () => {
  const [folder, only = ''] = process.argv.slice(2);
  if (!folder) {
    console.error('Usage: npm run console:look -- <folder> [names]');
    process.exit(2);
  }
  const jest = [
    ...['--no-warnings', join(root, 'node_modules/jest/bin/jest.js')],
    ...['--config', join(root, 'jest.config.mjs'), '--rootDir', join(root, 'acceptance')],
    ...['--testMatch', '**/console/look.ts'],
  ];
  const env = { ...toolEnvironment(), LOOK_FOLDER: resolve(folder), LOOK_ONLY: only };
  process.exit(spawnSync(process.execPath, jest, { stdio: 'inherit', env }).status ?? 1);
});
