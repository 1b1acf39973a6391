// @ts-check
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServers } from '../test-servers.mjs';
import { root, toolEnvironment } from '../workspace.mjs';
import { runStep } from './run-step.mjs';

/** @param {string} folder @param {number} workers */
const jest = (folder, workers) => [
  ...['node', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
  ...['--config', 'jest.config.mjs', '--rootDir', folder, '--maxWorkers', String(workers)],
];

/** @param {string} targets @param {number} atOnce */
const nx = (targets, atOnce) => [
  ...['nx', 'run-many', '-t', targets, '--parallel', String(atOnce), '--output-style', 'static'],
];

/** Node's own runner, which prints failures and leaves its counts. @param {string} countsFolder @param {string} name */
const nodeTest = (countsFolder, name) => [
  ...['node', '--test', '--test-reporter', 'dot', '--test-reporter-destination', 'stdout'],
  ...['--test-reporter', './tools/test/count-reporter.mjs'],
  ...['--test-reporter-destination', join(countsFolder, `${name}.json`)],
];

/** @param {string} countsFolder @returns {Record<string, string[]>[]} what is run, one stage after the other */
const stages = (countsFolder) => [
  { Builds: nx('build', 2) },
  {
    // All in one run, whose workers share the files whatever project they are of. Half of the time they wait, for browsers mostly:
    // in that time types and lint are checked.
    'Tests of the projects': [...jest('.', 3), '--roots', 'apps', 'libs'],
    'Types and lint': ['nice', '-n', '19', ...nx('typecheck,lint', 1)],
  },
  {
    'Migrations against the schema': ['node', 'tools/check-drift.mjs'],
    'Tests of the tools': [...nodeTest(countsFolder, 'tools'), 'tools/**/*.test.mjs'],
    'Tests of the manifests and images': [
      ...nodeTest(countsFolder, 'manifests'),
      ...['k8s/**/*.test.mjs', 'docker/**/*.test.mjs'],
    ],
  },
  // It builds anew what the others run.
  { 'Acceptance test of `npm start`': [...jest('acceptance', 1), 'local-default'] },
  // Mostly processes that start, and waiting for them. Kills amid load and the official runner take their time: `npm run faults`, `npm run conformance`.
  {
    'Acceptance tests': [
      ...jest('acceptance', 3),
      ...['--testPathIgnorePatterns', '/node_modules/', '/faults/', '/conformance/', 'local-default'],
    ],
  },
];

/** Runs every step, also after one failed, and ends with the line that says how many tests passed and failed. */
export async function runTests() {
  const countsFolder = mkdtempSync(join(tmpdir(), 'millwright-counts-'));
  process.once('exit', () => rmSync(countsFolder, { recursive: true, force: true }));
  const servers = await startTestServers();
  const env = { ...toolEnvironment(), ...servers.env, TEST_COUNTS_FOLDER: countsFolder, TEST_APPS_BUILT: 'yes' };

  /** @type {string[]} */
  const failed = [];
  /** @param {[name: string, command: string[]]} step */
  const run = async ([name, command]) => {
    console.log(`\n── ${name}`);
    const began = performance.now();
    if (!(await runStep(command, { cwd: root, env }))) failed.push(name);
    console.log(`── ${name}: ${Math.round((performance.now() - began) / 1_000)} s`);
  };
  for (const steps of stages(countsFolder)) await Promise.all(Object.entries(steps).map(run));
  await servers.stop();

  const counts = readdirSync(countsFolder).map((file) => JSON.parse(readFileSync(join(countsFolder, file), 'utf8')));
  /** @param {'passed' | 'failed'} kind */
  const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0);
  console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}.` : '\nAll passed.');
  console.log(`Tests: ${sum('passed')} passed, ${sum('failed')} failed`);
  process.exit(failed.length > 0 ? 1 : 0);
}
