// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';

/**
 * @typedef {{ check: 'types' | 'lint' }} CheckOptions
 * @typedef {{ success: boolean, terminalOutput: string }} Result
 * @typedef {{ file: string, text: string }} Fault of a file, with its absolute path
 * @typedef {{ id: string, folder: string, check: CheckOptions['check'], config: string }} Check
 */

/** @type {ts.FormatDiagnosticsHost} */
const format = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
};

/** A project without a tsconfig.json of its own has the workspace's. @param {string} root @param {string} folder */
const configOf = (root, folder) =>
  [join(root, folder, 'tsconfig.json'), join(root, 'tsconfig.json')].find((path) => existsSync(path)) ?? '';

/** @param {string} folder @param {string} root */
const isIn = (root, folder) => (/** @type {string} */ file) =>
  folder === '.' ? !file.slice(root.length + 1).includes('/') : file.startsWith(join(root, folder, '/'));

/**
 * A program of the files of some projects; what they import comes with them.
 *
 * @param {string} root @param {string} config path of a tsconfig.json @param {string[]} folders
 */
function programOf(root, config, folders) {
  const read = ts.readConfigFile(config, ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(read.config, ts.sys, join(config, '..'), undefined, config);
  const files = parsed.fileNames.filter((file) => folders.some((folder) => isIn(root, folder)(file)));
  return { program: ts.createProgram(files, parsed.options), errors: parsed.errors };
}

/**
 * @param {string} root @param {string} folder @param {ReturnType<typeof programOf>} parsed
 * @returns {Result}
 */
function checkTypes(root, folder, { program, errors }) {
  const files = program.getSourceFiles().filter(({ fileName }) => isIn(root, folder)(fileName));
  const diagnostics = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  const terminalOutput = ts.formatDiagnosticsWithColorAndContext(diagnostics, format);
  return { success: diagnostics.length === 0, terminalOutput };
}

/** A folder may have no file of a linter. */
const ANY_FILES = ['--no-error-on-unmatched-pattern'];

/**
 * The standard output of a program of this workspace's packages.
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

/**
 * The rules that need types, by oxlint.
 *
 * @param {string} root @param {string[]} folders
 * @returns {Promise<Fault[]>}
 */
async function lintTypes(root, folders) {
  const { output, code } = await outputOf(root, ['oxlint/bin/oxlint', ...ANY_FILES, '--format', 'unix', ...folders]);
  const faults = output.split('\n').flatMap((line) => {
    const [, file, rest] = /^([^:]+)(:\d+:\d+: .*)$/.exec(line) ?? [];
    return file === undefined ? [] : [{ file: resolve(root, file), text: `${relative(root, file)}${rest}` }];
  });
  if (code !== 0 && faults.length === 0) throw new Error(`oxlint failed:\n${output}`);
  return faults;
}

/**
 * The rules that need no types, by ESLint.
 *
 * @param {string} root @param {string[]} folders
 * @returns {Promise<Fault[]>}
 */
async function lintSyntax(root, folders) {
  const { output } = await outputOf(root, [
    'eslint/bin/eslint.js',
    ...ANY_FILES,
    '--no-warn-ignored',
    '--format',
    'json',
    ...folders,
  ]);
  /** @type {import('eslint').ESLint.LintResult[]} */
  const results = JSON.parse(output);
  return results.flatMap(({ filePath: file, messages }) =>
    messages.map(({ line, column, message, ruleId }) => {
      return { file, text: `${relative(root, file)}:${line}:${column}: ${message} [${ruleId}]` };
    }),
  );
}

/**
 * Lints several folders in one run of each linter, because each run reads the whole workspace.
 *
 * @param {string} root @param {string[]} folders
 * @returns {Promise<(folder: string) => Result>} the result of one of them
 */
async function lint(root, folders) {
  // The workspace's own folder is its files alone.
  const paths = folders.flatMap((folder) => (folder === '.' ? globSync('*.{mjs,ts}', { cwd: root }) : [folder]));
  const faults = [...(await lintTypes(root, paths)), ...(await lintSyntax(root, paths))];
  return (folder) => {
    const own = faults.filter(({ file }) => isIn(root, folder)(file));
    return { success: own.length === 0, terminalOutput: own.map(({ text }) => `${text}\n`).join('') };
  };
}

/**
 * Types and lint of all projects that need them. Projects of one tsconfig.json share a program, because parsing costs more than
 * checking.
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
    return { id, folder, check, config: configOf(root, folder) };
  });
  const linted = checks.filter(({ check }) => check === 'lint');
  const typed = checks.filter(({ check }) => check === 'types');
  if (linted.length > 0) {
    const resultOf = await lint(
      root,
      linted.map(({ folder }) => folder),
    );
    for (const { id, folder } of linted) yield report(id, resultOf(folder));
  }
  for (const [config, group = []] of Object.entries(Object.groupBy(typed, ({ config }) => config))) {
    const parsed = programOf(root, config, [...new Set(group.map(({ folder }) => folder))]);
    for (const { id, folder } of group) yield report(id, checkTypes(root, folder, parsed));
  }
}

/** @param {string} id @param {Result} result */
function report(id, result) {
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
