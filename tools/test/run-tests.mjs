// @ts-check
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureProgram } from '../ensure-program.mjs';
import { checkStatements } from '../statements/check-statements.mjs';
import { startTestServers } from '../test-servers.mjs';
import { root, toolEnvironment } from '../workspace.mjs';
import { runStep } from './run-step.mjs';

/** @typedef {{ name: string, command: string[] }} Step */

const countsFolder = join(root, '.nx', 'test-counts');
/** Folder for the statements that the tests of services send. */
const statementsFolder = join(root, '.nx', 'statements');
/** The test files of the last run that took long, in the form of tools/jest/seconds.json. */
const secondsFile = join(root, '.nx', 'test-seconds.json');

/** @param {string} name @param {string[]} args @returns {Step} */
const nx = (name, ...args) => ({ name, command: ['nx', ...args] });

/** @param {string} name @param {string[]} args @returns {Step} */
const tasks = (name, ...args) => nx(name, ...args, '--output-style', 'static');

/** Option that skips the builds. Their output already exists. Without the option, Nx would write the output again while tests use it. */
const BUILT = '--exclude-task-dependencies';

/** Settings for programs in Go. With one core and rare garbage collection, they need a third less CPU time, but twice as long. */
const SPARING = ['env', 'GOMAXPROCS=1', 'GOGC=400'];

const build = tasks('Builds', 'run-many', '-t', 'build', '--parallel', '2');

/** Steps that need no build. They run one after the other, at the same time as the steps before `tests`. */
const checksOfSources = [
  nx('Declared dependencies', 'sync:check'),
  { name: 'Migrations against the schema', command: ['node', 'tools/check-drift.mjs'] },
];

/** The test of `npm start`. It may build programs again that the later tests run, so it runs before them. */
const startTest = tasks('Acceptance test of `npm start`', 'run', 'acceptance:e2e-start', BUILT);

const typesAndLint = tasks('Types and lint', 'run-many', '-t', 'typecheck,lint', BUILT);

/** Steps that run at the same time. They read generated sources, which a build may write again. */
const checksOfAll = [
  { ...typesAndLint, command: [...SPARING, ...typesAndLint.command] },
  tasks('Tests of tools, manifests and images', 'run-many', '-t', 'test', '--projects', 'tools,k8s,docker', BUILT),
];

/**
 * One run of Jest has the test files of all projects and the acceptance tests, so that no worker waits. It runs without other steps beside
 * it, because browsers, services and servers of the tests use the whole machine.
 */
const tests = tasks(
  'Tests of the projects, and acceptance tests',
  // Kills under load and the official runner take long and run apart: `npm run faults`, `npm run conformance`.
  ...['run-many', '-t', 'test,e2e', '--projects', 'tag:type:app,tag:type:lib,tag:type:acceptance', BUILT],
);

/**
 * Installs Chromium without a user interface if it is missing. It needs less than half of the CPU time of the whole browser. Where this package
 * cannot be installed, the tests use any other Chromium.
 */
function ensureBrowser() {
  const name = 'chromium-headless-shell';
  try {
    ensureProgram({ program: name, from: name, wantedBy: 'The tests of pages run faster' });
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
  }
}

async function startServers() {
  ensureBrowser();
  return startTestServers();
}

/** Counts all tests, including those with cached results. */
function totals() {
  const counts = readdirSync(countsFolder).map((file) => JSON.parse(readFileSync(join(countsFolder, file), 'utf8')));
  /** @param {'passed' | 'failed'} kind */
  const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    unstable: counts.flatMap(({ unstable = [] }) => unstable),
    seconds: counts.flatMap(({ seconds = {} }) => Object.entries(seconds)).sort(([, a], [, b]) => b - a),
  };
}

/**
 * Runs every step, also after a failed step, and ends with a line of the numbers of passed and failed tests. Results that are still valid
 * come from the cache of Nx, unless `all` is set.
 *
 * @param {{ all: boolean }} options
 */
export async function runTests({ all }) {
  for (const folder of [countsFolder, statementsFolder]) rmSync(folder, { recursive: true, force: true });
  /** @type {string[]} */
  const failed = [];
  /** @param {Step} step @param {NodeJS.ProcessEnv} env */
  const run = ({ name, command }, env) => watch(name, () => runStep(command, { cwd: root, env }));
  /** @param {string} name @param {() => Promise<boolean>} step */
  const watch = async (name, step) => {
    console.log(`\n── ${name}`);
    const began = performance.now();
    if (!(await step())) failed.push(name);
    console.log(`── ${name}: ${Math.round((performance.now() - began) / 1_000)} s`);
  };
  // The builds run while packages of Debian are fetched for the servers.
  const [, servers] = await Promise.all([run(build, toolEnvironment()), startServers()]);
  // Node stores compiled code in this folder, so that each program is compiled once and not at every start.
  const compiled = { NODE_COMPILE_CACHE: join(root, '.nx', 'compile-cache') };
  const recorded = { RECORD_STATEMENTS: statementsFolder };
  const env = { ...toolEnvironment(), ...servers.env, ...compiled, ...recorded, TEST_APPS_BUILT: 'yes' };
  const checks = all ? { ...env, NX_SKIP_NX_CACHE: 'true' } : env;
  await Promise.all([
    (async () => {
      for (const step of checksOfSources) await run(step, checks);
    })(),
    run(startTest, checks).then(() => Promise.all(checksOfAll.map((step) => run(step, checks)))),
  ]);
  await run(tests, checks);
  await servers.stop();
  await watch('Statements whose cost grows', () => checkStatements(statementsFolder));

  const { passed, failed: failures, unstable, seconds } = totals();
  writeFileSync(secondsFile, `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`);
  console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}.` : '\nAll passed.');
  if (unstable.length > 0) console.log(`Unstable (failed beside others, passed on their own): ${unstable.join(', ')}`);
  console.log(`Tests: ${passed} passed, ${failures} failed`);
  process.exit(failed.length > 0 ? 1 : 0);
}
