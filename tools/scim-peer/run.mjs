import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/scim-peer');

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Makes a Python environment with scim2-tester. @returns the folder of its `python3` */
function makePython() {
  const python = join(folder, 'bin/python3');
  if (!existsSync(python)) run('python3', ['-m', 'venv', folder]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(import.meta.dirname, 'requirements.txt')]);
  return join(folder, 'bin');
}

const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--config', 'jest.config.mjs'];
const suite = ['--rootDir', 'apps/admin-auth', '--testPathIgnorePatterns', '/node_modules/', '--', 'scim-peer'];
/** `npm run scim:peer`: runs the checker. SCIM_PYTHON_FOLDER names the folder of another Python that has the checker. */
const python = process.env.SCIM_PYTHON_FOLDER ?? makePython();
run('node', ['tools/run.mjs', 'node', ...jest, ...suite], { PATH: `${python}:${process.env.PATH}` });
