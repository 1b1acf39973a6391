// @ts-check
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {Record<string, string>} Versions by the name of a package
 * @typedef {{ name: string, dependencies?: Versions, devDependencies?: Versions }} Package
 * @typedef {{ packages: Record<string, Package> }} Lock
 */

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g;
/** Matches files that no program imports. Their dependencies are declared as development dependencies. */
const TEST_FILE = /(\.test\.tsx?|\/test-[^/]*|\/vite\.config\.ts)$/;

/** @param {string} root @param {string} folder @returns {{ program: Set<string>, tests: Set<string> }} names of packages */
function importsOf(root, folder) {
  const imports = { program: new Set(), tests: new Set() };
  const files = globSync('{src/**/*.{ts,tsx},*.ts}', { cwd: join(root, folder) });
  for (const file of files.filter((name) => !name.includes('/generated/'))) {
    const found = TEST_FILE.test(`/${file}`) ? imports.tests : imports.program;
    for (const [, name] of readFileSync(join(root, folder, file), 'utf8').matchAll(IMPORT)) found.add(name);
  }
  return imports;
}

/**
 * @param {Set<string>} names
 * @param {Versions} known
 * @returns {{ [name: string]: string } | undefined} the versions, sorted by name; `undefined` when there are none
 */
function versionsOf(names, known) {
  const entries = [...names].sort().flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]]));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** @template {Package} P @param {P} manifest @param {{ program: Set<string>, tests: Set<string> }} imports @param {Versions} known */
function withDependencies(manifest, { program, tests }, known) {
  const dependencies = versionsOf(program, known);
  const devDependencies = versionsOf(tests.difference(program), known);
  const { nx, ...rest } = /** @type {P & { nx?: unknown }} */ (manifest);
  // JSON leaves out undefined members. The member `nx` stays last.
  return { ...rest, dependencies, devDependencies, ...(nx === undefined ? {} : { nx }) };
}

/**
 * Sync generator of Nx (`npx nx sync`, `npx nx sync:check`): makes each package.json in apps/ and libs/ declare the packages that the files of its
 * folder import. Packages of the registry get the version that the workspace's package.json names. The lock file changes too, because `npm ci`
 * refuses a lock file that differs.
 *
 * @param {import('@nx/devkit').Tree} tree
 */
export function declareDependencies(tree) {
  /** @param {string} file */
  const read = (file) => JSON.parse(tree.read(file, 'utf8') ?? '{}');
  /** @param {string} file @param {unknown} content */
  const write = (file, content) => {
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    if (text !== tree.read(file, 'utf8')) tree.write(file, text);
  };
  const files = globSync('{apps,libs}/*/package.json', { cwd: tree.root }).sort();
  /** @type {Package & { dependencies: Versions, devDependencies: Versions }} */
  const workspace = read('package.json');
  const ours = files.map((file) => [read(file).name, '*']);
  const known = { ...workspace.devDependencies, ...workspace.dependencies, ...Object.fromEntries(ours) };
  /** @type {Lock} */
  const lock = read('package-lock.json');
  for (const file of files) {
    const folder = dirname(file);
    const manifest = read(file);
    const imports = importsOf(tree.root, folder);
    for (const names of Object.values(imports)) names.delete(manifest.name);
    write(file, withDependencies(manifest, imports, known));
    lock.packages[folder] = withDependencies(lock.packages[folder] ?? { name: manifest.name }, imports, known);
  }
  write('package-lock.json', lock);
}
