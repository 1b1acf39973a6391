// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, toolEnvironment } from './workspace.mjs';

/** The folders whose tests open services' connections. */
const FOLDERS = ['apps/platform-api', 'apps/prompt-api', 'apps/runtime-api', 'apps/admin-auth', 'acceptance'];
/** Test suites that other commands run. */
const OTHERS = ['/observability/', '/faults/', '/rollout/', '/hostile/', '/measure/', '/conformance/'];
const IGNORED = ['/node_modules/', '/dist/', '\\.soak\\.test\\.ts$', ...OTHERS];

/**
 * Runs one file at a time with Jest, and prints the results.
 *
 * @param {{ folder: string, patterns: readonly string[], env: Record<string, string>, ignored?: readonly string[] }} suite
 * @returns {boolean} whether all tests passed
 */
export function runSuite({ folder, patterns, env, ignored = IGNORED }) {
  const args = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
  args.push('--config', join(root, 'jest.config.mjs'), '--rootDir', join(root, folder), '--maxWorkers=1');
  for (const path of ignored) args.push('--testPathIgnorePatterns', path);
  const { status } = spawnSync(process.execPath, [...args, '--', ...patterns], {
    stdio: 'inherit',
    env: { ...toolEnvironment(), ...env },
  });
  return status === 0;
}

/**
 * Runs the tests of the services, or of one folder of them.
 *
 * @param {readonly string[]} args the folder and patterns of files; all folders without arguments
 * @param {Record<string, string>} env
 * @returns {string[]} the folders with failed tests
 */
export function runServiceSuites([only, ...patterns], env) {
  const folders = only === undefined ? FOLDERS : [only];
  return folders.filter((folder) => !runSuite({ folder, patterns, env }));
}
