// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import jestConfig from '../../jest.config.mjs';
import { environmentOfTask } from './environment.mjs';

/**
 * @typedef {object} JestOptions
 * @property {number} [maxWorkers]
 * @property {string} [folder] folder of the project: only test files in this folder run
 * @property {string} [testMatch]
 * @property {string[]} [match]
 * @property {string[]} [ignore]
 * @property {boolean} [repeat] whether failed files run a second time; default true
 *
 * @typedef {object} FileResult of one test file, as Jest's JSON has it
 * @property {string} name path of the file
 * @property {'passed' | 'failed'} status
 * @property {{ status: string }[]} assertionResults
 * @property {string} message what failed
 * @property {number} startTime milliseconds
 * @property {number} endTime
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} unstable files that failed, and passed when they ran a second time without the other files
 * @property {Record<string, number>} seconds duration of the files that took long
 */

/** Maximum number of failed test files that run a second time, without the other files. When more files fail, load is not the cause. */
const MAX_REPEATED_FILES = 20;

/**
 * Time limit of a test file in minutes. The longest file of `npm test` takes three minutes, and several times as long on a busy machine. Slow suites,
 * whose options have `folder`, have no such limit.
 */
const MINUTES_OF_A_FILE = process.env['MINUTES_OF_A_TEST_FILE'] ?? '30';

/** Number of worker processes: two for two cores, and one more for the time in which workers wait for browsers and servers. */
const WORKERS = 3;

/**
 * Makes Node compile a function only at its first call, which saves CPU time. A larger young generation of the heap would save more, but threads
 * would inherit its size despite their resource limits: a hostile schema would then end the process instead of its thread.
 */
const V8_OPTIONS = ['--max-lazy'];

/**
 * Returns the file with the counts of a project's last run. It is an output of the target, so that Nx restores it from its cache.
 *
 * @param {string} root
 * @param {string} project
 * @param {string} target
 */
export const countsFile = (root, project, target) => join(root, '.nx', 'test-counts', `${project}-${target}.json`);

/** Counts passed and failed tests. A file that could not run counts as one failed test. @param {FileResult[]} files */
function count(files) {
  const counts = { passed: 0, failed: 0 };
  for (const { status, assertionResults } of files) {
    const failed = assertionResults.filter((test) => test.status === 'failed').length;
    counts.passed += assertionResults.filter((test) => test.status === 'passed').length;
    counts.failed += status === 'failed' ? Math.max(failed, 1) : failed;
  }
  return counts;
}

/**
 * @param {string} root @param {string[]} folders of the projects @param {JestOptions} options
 * @param {string[]} rest arguments of the command line
 * @returns {Promise<{ success: boolean, files: FileResult[] }>}
 */
async function jest(root, folders, options, rest) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-jest-'));
  const outputFile = join(folder, 'results.json');
  const { maxWorkers = WORKERS, testMatch, match = [], ignore = [] } = options;
  const isSlow = options.folder !== undefined;
  const args = [
    ...V8_OPTIONS,
    ...['--no-warnings', join(root, 'node_modules/jest/bin/jest.js')],
    ...['--config', 'jest.config.mjs', '--rootDir', '.', '--passWithNoTests'],
    // These paths are before the options with several values, because such an option would read following paths as its values.
    ...rest,
    ...['--roots', ...folders],
    ...['--maxWorkers', String(maxWorkers), '--json', '--outputFile', outputFile],
    ...['--testPathIgnorePatterns', ...(jestConfig.testPathIgnorePatterns ?? []), ...ignore],
    ...(testMatch ? ['--testMatch', testMatch] : []),
    ...(isSlow ? [] : ['--reporters', 'default', '--reporters', join(root, 'tools/jest/stuck-file-reporter.mjs')]),
    ...(match.length > 0 ? ['--testPathPatterns', ...match] : []),
  ];
  try {
    // Jest writes the JSON to the file. Standard output is shown for slow suites only, because they print figures (faults, hostile, measure).
    const run = spawn(process.execPath, args, {
      cwd: root,
      env: { ...environmentOfTask(), ...(isSlow ? {} : { MINUTES_OF_A_TEST_FILE: MINUTES_OF_A_FILE }) },
      stdio: ['ignore', isSlow ? 'inherit' : 'ignore', 'inherit'],
    });
    const [code] = await once(run, 'exit');
    /** @type {{ testResults: FileResult[] }} */
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'));
    return { success: code === 0, files: testResults };
  } catch (error) {
    console.error(error);
    return { success: false, files: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs Jest, and then runs failed files a second time, without the other files. A file that passes the second time is reported as unstable, and its
 * first failure is printed. An unstable file does not make the run fail.
 *
 * @param {string} root
 * @param {string[]} folders
 * @param {JestOptions} options
 * @returns {Promise<Outcome>}
 */
async function jestWithRepeat(root, folders, options) {
  const first = await jest(root, folders, options, []);
  const failed = first.files.filter(({ status }) => status === 'failed');
  if (failed.length === 0 || failed.length > MAX_REPEATED_FILES) return { ...first, unstable: [] };
  const names = failed.map(({ name }) => name);
  console.error(`\nRunning on their own, after they failed: ${names.map((name) => relative(root, name)).join(', ')}`);
  const second = await jest(root, folders, { ...options, match: [], maxWorkers: 1 }, ['--runTestsByPath', ...names]);
  const again = new Map(second.files.map((file) => [file.name, file]));
  return {
    success: second.success,
    files: first.files.map((file) => again.get(file.name) ?? file),
    unstable: names.filter((name) => again.get(name)?.status === 'passed'),
  };
}

/**
 * @typedef {{ id: string, project: string, target: string, folder: string }} Run
 * @typedef {{ success: boolean, files: FileResult[], unstable: string[] }} Outcome of all projects that ran together
 */

/** Files that took longer than this number of seconds are listed with their time. */
const LONG_SECONDS = 5;

/** @param {string} root @param {FileResult[]} files */
function secondsOf(root, files) {
  const times = files.map(
    ({ name, startTime, endTime }) => /** @type {const} */ ([name, (endTime - startTime) / 1_000]),
  );
  const long = times.filter(([, seconds]) => seconds >= LONG_SECONDS);
  return Object.fromEntries(long.map(([name, seconds]) => [relative(root, name), Math.round(seconds)]));
}

/** @param {string} root @param {Run} run @param {Outcome} outcome @returns {{ success: boolean, terminalOutput: string }} */
function resultOf(root, { project, target, folder }, { success, files, unstable }) {
  /** @param {string} name */
  const isOwn = (name) => name.startsWith(join(root, folder, '/'));
  const own = files.filter(({ name }) => isOwn(name));
  /** @type {Counts} */
  const counts = {
    ...count(own),
    unstable: unstable.filter(isOwn).map((name) => relative(root, name)),
    seconds: secondsOf(root, own),
  };
  const file = countsFile(root, project, target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(counts));
  return {
    success: files.length > 0 ? counts.failed === 0 : success,
    terminalOutput: `${own.map(({ message }) => message).join('')}${counts.passed} passed, ${counts.failed} failed\n`,
  };
}

/**
 * Limits a project's ignored paths to its own folder, so that they do not hide files of other projects.
 *
 * @param {Run} run
 * @param {JestOptions} [options]
 */
function ignoredBy({ id, folder }, { ignore = [] } = {}) {
  const wide = ignore.find((pattern) => !pattern.startsWith(`/${folder}/`));
  if (wide !== undefined) throw new Error(`${id}: the ignored path ${wide} must begin with /${folder}/`);
  return ignore;
}

/**
 * Runs Jest once for all projects with the same options whose results are not cached, so that its workers share all test files. The run
 * ignores the paths that any of these projects ignores.
 *
 * @param {import('@nx/devkit').TaskGraph} tasks
 * @param {Record<string, JestOptions>} inputs by task id
 * @param {{ __overrides_unparsed__?: string[] }} overrides the arguments after `--`, for Jest
 * @param {import('@nx/devkit').ExecutorContext} context
 * @returns {Promise<Record<string, { success: boolean, terminalOutput: string }>>}
 */
export async function runJestForAll(tasks, inputs, overrides, { root }) {
  const runs = Object.values(tasks.tasks).map(({ id, target, projectRoot = '' }) => {
    return { id, project: target.project, target: target.target, folder: projectRoot };
  });
  const groups = Map.groupBy(runs, ({ id }) => JSON.stringify({ ...inputs[id], ignore: undefined }));
  /** @type {[string, { success: boolean, terminalOutput: string }][]} */
  const results = [];
  for (const [key, group] of groups) {
    /** @type {JestOptions} */
    const options = { ...JSON.parse(key), ignore: group.flatMap((run) => ignoredBy(run, inputs[run.id])) };
    const folders = group.map(({ folder }) => join(folder, options.folder ?? ''));
    const args = overrides.__overrides_unparsed__ ?? [];
    const outcome =
      args.length > 0 || options.repeat === false
        ? { ...(await jest(root, folders, options, args)), unstable: [] }
        : await jestWithRepeat(root, folders, options);
    for (const run of group) results.push([run.id, resultOf(root, run, outcome)]);
  }
  return Object.fromEntries(results);
}

/** @param {JestOptions} options @param {import('@nx/devkit').ExecutorContext} context */
export async function runJest(options, context) {
  const project = context.projectName ?? '';
  const target = { project, target: context.targetName ?? 'test' };
  const projectRoot = context.projectsConfigurations.projects[project]?.root ?? '';
  const task = { id: project, target, projectRoot, overrides: {}, outputs: [], parallelism: true };
  const graph = { roots: [project], tasks: { [project]: task }, dependencies: {}, continuousDependencies: {} };
  const results = await runJestForAll(graph, { [project]: options }, {}, context);
  return { success: results[project]?.success === true };
}
