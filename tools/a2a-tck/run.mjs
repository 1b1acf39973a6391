// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The official compatibility kit: the last commit of its branch for A2A 1.0 at the time of writing. */
const REPOSITORY = 'https://github.com/a2aproject/a2a-tck.git';
const COMMIT = '357c4a87afa2818731590647cccbea31c31733a2';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/a2a-tck');

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Fetches the kit's sources once. @returns their folder */
function fetchSources() {
  const folder = join(cache, COMMIT);
  if (existsSync(join(folder, 'run_tck.py'))) return folder;
  mkdirSync(folder, { recursive: true });
  run('git', ['-C', folder, 'init', '--quiet']);
  run('git', ['-C', folder, 'fetch', '--quiet', '--depth', '1', REPOSITORY, COMMIT]);
  run('git', ['-C', folder, 'checkout', '--quiet', 'FETCH_HEAD']);
  return folder;
}

/** Makes a virtual environment with the kit's packages. @returns its `python3` */
function makePython() {
  const folder = join(cache, 'python');
  const python = join(folder, 'bin/python3');
  if (!existsSync(python)) run('python3', ['-m', 'venv', folder]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(import.meta.dirname, 'requirements.txt')]);
  return python;
}

/** `npm run a2a:tck`: runs the kit. A2A_TCK_FOLDER can name other sources of the kit, and A2A_TCK_PYTHON another Python. */
run('node', ['tools/run.mjs', 'nx', 'run', 'acceptance:a2a-tck'], {
  A2A_TCK_FOLDER: process.env['A2A_TCK_FOLDER'] ?? fetchSources(),
  A2A_TCK_PYTHON: process.env['A2A_TCK_PYTHON'] ?? makePython(),
});
