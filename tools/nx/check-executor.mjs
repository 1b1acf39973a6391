// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * @typedef {{ check: 'types' | 'lint' }} CheckOptions
 * @typedef {{ success: boolean, terminalOutput: string }} Result
 * @typedef {{ file: string, text: string }} Fault of a file, with its absolute path
 */

/**
 * Returns the tsconfig.json in the project's folder or, if there is none, the tsconfig.json of the workspace.
 *
 * @param {string} root
 * @param {string} folder
 */
const configOf = (root, folder) =>
  [join(root, folder, 'tsconfig.json'), join(root, 'tsconfig.json')].find((path) => existsSync(path)) ?? '';

/** @param {string} folder @param {string} root */
const isIn = (root, folder) => (/** @type {string} */ file) =>
  folder === '.' ? !file.slice(root.length + 1).includes('/') : file.startsWith(join(root, folder, '/'));

/** Option that makes ESLint accept folders without files. */
const ANY_FILES = '--no-error-on-unmatched-pattern';

/**
 * Runs a program of an installed package. @returns its standard output and exit code
 *
 * @param {string} root @param {string[]} command path below node_modules and arguments
 */
async function outputOf(root, [path = '', ...args]) {
  const program = spawn(process.execPath, [join(root, 'node_modules', path), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  const output = await text(program.stdout);
  const [code] = await ended;
  return { output, code };
}

/** @param {string} root @param {string} file relative to it @param {string} rest @returns {Fault} */
const faultAt = (root, file, rest) => ({ file: resolve(root, file), text: `${relative(root, file)}${rest}` });

/**
 * Checks the types of all files of a tsconfig.json with the native compiler.
 *
 * @param {string} root @param {string} config path of the tsconfig.json
 * @returns {Promise<Fault[]>}
 */
async function checkTypes(root, config) {
  // One checker is used, because each checker computes types separately: four checkers, the default, need twice the CPU time.
  const options = ['--noEmit', '--pretty', 'false', '--checkers', '1'];
  const command = ['typescript-native/bin/tsc', ...options, '--project', config];
  const { output, code } = await outputOf(root, command);
  const faults = output.split('\n').flatMap((line) => {
    const [, file, rest] = /^([^\s(][^(]*)(\(\d+,\d+\): error TS.*)$/.exec(line) ?? [];
    return file === undefined ? [] : [faultAt(root, file, rest ?? '')];
  });
  if (code !== 0 && faults.length === 0) throw new Error(`tsc failed:\n${output}`);
  return faults;
}

/**
 * Checks the rules that need types with oxlint.
 *
 * @param {string} root @param {string[]} folders
 * @returns {Promise<Fault[]>}
 */
async function lintTypes(root, folders) {
  const { output, code } = await outputOf(root, ['oxlint/bin/oxlint', ANY_FILES, '--format', 'unix', ...folders]);
  // Without types, oxlint reports no violations, and reports every directive as unused. Such output must not count as a result.
  const unread = /^.*tsconfig-error.*$/m.exec(output);
  if (unread)
    throw new Error(
      `oxlint could not read the types: a tsconfig.json is wrong, or a file was deleted meanwhile. ${unread[0]}`,
    );
  const faults = output.split('\n').flatMap((line) => {
    const [, file, rest] = /^([^:]+)(:\d+:\d+: .*)$/.exec(line) ?? [];
    return file === undefined ? [] : [faultAt(root, file, rest ?? '')];
  });
  if (code !== 0 && faults.length === 0) throw new Error(`oxlint failed:\n${output}`);
  return faults;
}

/**
 * Checks the rules that need no types with ESLint.
 *
 * @param {string} root @param {string[]} folders
 * @returns {Promise<Fault[]>}
 */
async function lintSyntax(root, folders) {
  const { output } = await outputOf(root, [
    'eslint/bin/eslint.js',
    ANY_FILES,
    '--no-warn-ignored',
    '--format',
    'json',
    ...folders,
  ]);
  /** @type {import('eslint').ESLint.LintResult[]} */
  const results = JSON.parse(output);
  return results.flatMap(({ filePath: file, messages }) =>
    messages.map(({ line, column, message, ruleId }) => {
      return faultAt(root, file, `:${line}:${column}: ${message} [${ruleId}]`);
    }),
  );
}

/**
 * Lints several folders in one run of each linter, because each run reads the whole workspace.
 *
 * @param {string} root @param {string[]} folders
 */
async function lint(root, folders) {
  // For the workspace's root folder, only the files directly in it are checked.
  const paths = folders.flatMap((folder) => (folder === '.' ? globSync('*.{mjs,ts}', { cwd: root }) : [folder]));
  return [...(await lintTypes(root, paths)), ...(await lintSyntax(root, paths))];
}

/**
 * Checks types and lints all projects whose results are not cached. Projects of one tsconfig.json share a run, because parsing costs more
 * than checking.
 *
 * @param {import('@nx/devkit').TaskGraph} tasks
 * @param {Record<string, CheckOptions>} inputs by task id
 * @param {unknown} _overrides
 * @param {import('@nx/devkit').ExecutorContext} context
 * @returns {AsyncGenerator<{ task: string, result: Result }, void>}
 */
export async function* runCheckForAll(tasks, inputs, _overrides, { root }) {
  const checks = Object.values(tasks.tasks).map(({ id, projectRoot: folder = '' }) => {
    const check = inputs[id]?.check ?? 'lint';
    return { id, folder, run: check === 'lint' ? check : configOf(root, folder) };
  });
  for (const [run, group = []] of Object.entries(Object.groupBy(checks, ({ run }) => run))) {
    const folders = group.map(({ folder }) => folder);
    const faults = run === 'lint' ? await lint(root, folders) : await checkTypes(root, run);
    for (const { id, folder } of group) yield report(root, id, folder, faults);
  }
}

/** @param {string} root @param {string} id @param {string} folder @param {Fault[]} faults of the whole run */
function report(root, id, folder, faults) {
  const own = faults.filter(({ file }) => isIn(root, folder)(file));
  const result = { success: own.length === 0, terminalOutput: own.map(({ text }) => `${text}\n`).join('') };
  if (!result.success) console.error(`${id}\n${result.terminalOutput}`);
  return { task: id, result };
}

/** @param {CheckOptions} options @param {import('@nx/devkit').ExecutorContext} context */
export async function runCheck(options, context) {
  const id = context.projectName ?? '';
  const projectRoot = context.projectsConfigurations.projects[id]?.root ?? '';
  const target = { project: id, target: context.targetName ?? options.check };
  const task = { id, target, projectRoot, overrides: {}, outputs: [], parallelism: true };
  const graph = { roots: [id], tasks: { [id]: task }, dependencies: {}, continuousDependencies: {} };
  for await (const { result } of runCheckForAll(graph, { [id]: options }, {}, context)) return result;
  return { success: true };
}
