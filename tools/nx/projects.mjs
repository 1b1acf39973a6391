// @ts-check
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @typedef {import('@nx/devkit').TargetConfiguration} Target */

const checked = { executor: './tools/nx:check', cache: true };

/** @param {string} folder @param {string} pattern */
const has = (folder, pattern) =>
  globSync(pattern, { cwd: folder, exclude: (path) => path === 'node_modules' || path === 'dist' }).length > 0;

/**
 * Returns the targets of a project, which depend on the files in its folder.
 *
 * @param {string} root absolute
 * @param {string} folder of the project, relative to the root
 */
function targetsOf(root, folder) {
  const at = join(root, folder);
  /** @type {Record<string, Target>} */
  const targets = { lint: { ...checked, options: { check: 'lint' } } };
  // The root folder contains only configuration files.
  if (folder === '.') return targets;
  if (has(at, '**/*.ts')) targets['typecheck'] = { ...checked, options: { check: 'types' } };
  if (existsSync(join(at, 'vite.config.ts'))) targets['build'] = { command: 'vite build --logLevel warn' };
  else if (existsSync(join(at, 'src/main.ts'))) targets['build'] = { command: 'node ../../tools/build-app.mjs' };
  if (targets['build']) targets['build'].options = { cwd: '{projectRoot}' };
  // The results of these tests are not cached, because they depend on the whole workspace and not on the files of one folder.
  if (has(at, '**/*.test.mjs')) targets['test'] = { command: `node tools/nx/node-test.mjs ${folder}` };
  if (has(at, 'src/**/*.test.ts')) targets['test'] = { executor: './tools/nx:jest', cache: true };
  return targets;
}

/**
 * Nx plugin: each folder in apps/ and libs/ with a package.json, and each folder with a project.json, gets the targets for its
 * files. @type {import('@nx/devkit').CreateNodesV2}
 */
export const createNodesV2 = [
  '{package.json,{apps,libs}/*/package.json,*/project.json}',
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const folder = dirname(file);
      const targets = targetsOf(workspaceRoot, folder);
      return [
        file,
        { projects: { [folder]: { name: folder === '.' ? 'workspace' : basename(folder), root: folder, targets } } },
      ];
    }),
];

export const name = 'millwright-projects';
