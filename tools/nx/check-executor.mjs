// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

/**
 * @typedef {{ check: 'types' | 'lint' }} CheckOptions
 * @typedef {{ success: boolean, terminalOutput: string }} Result
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

/**
 * @param {string} root @param {string} folder @param {ts.Program} program
 * @returns {Promise<Result>}
 */
async function lint(root, folder, program) {
  const eslint = new ESLint({
    cwd: root,
    errorOnUnmatchedPattern: false,
    overrideConfig: { files: ['**/*.ts', '**/*.tsx'], languageOptions: { parserOptions: { programs: [program] } } },
  });
  const results = await eslint.lintFiles(folder === '.' ? ['*.mjs', '*.ts'] : [folder]);
  const terminalOutput = await (await eslint.loadFormatter('stylish')).format(results);
  return {
    success: results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0),
    terminalOutput,
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
  for (const [config, group = []] of Object.entries(Object.groupBy(checks, ({ config }) => config))) {
    const parsed = programOf(root, config, [...new Set(group.map(({ folder }) => folder))]);
    for (const { id, folder, check } of group) {
      const result = check === 'types' ? checkTypes(root, folder, parsed) : await lint(root, folder, parsed.program);
      if (!result.success) console.error(`${id}\n${result.terminalOutput}`);
      yield { task: id, result };
    }
  }
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
