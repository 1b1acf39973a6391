// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bin, root } from '../workspace.mjs';
import { environmentOfTask } from './environment.mjs';

/**
 * `node tools/nx/node-test.mjs <project>`: runs the tests in a folder of scripts by Node's own runner, with the counts that `npm
 * test` adds up.
 */
const [project = ''] = process.argv.slice(2);
const counts = join(root, '.nx', 'test-counts');
mkdirSync(counts, { recursive: true });
/** Options that end an endless test after ten minutes, which is longer than the longest test, and exit even if a failed test left something open. */
const LIMITS = ['--test-timeout', '600000', '--test-force-exit'];
const args = [
  ...LIMITS,
  ...['--test', '--test-reporter', 'dot', '--test-reporter-destination', 'stdout'],
  ...['--test-reporter', './tools/test/count-reporter.mjs'],
  ...['--test-reporter-destination', join(counts, `${project}-test.json`)],
  `${project}/**/*.test.mjs`,
];
const { status } = spawnSync(bin('node'), args, { cwd: root, env: environmentOfTask(), stdio: 'inherit' });
process.exit(status ?? 1);
