// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * `npm run sdk:python:test`: runs the tests of the Python SDK, builds its wheel twice with the same bytes, and imports the installed wheel
 * in an empty folder. PYTHON names another program than Debian's; missing packages of Debian are installed only when the process runs as
 * root.
 */
const PACKAGES = ['python3-httpx', 'python3-pydantic', 'python3-hatchling', 'python3-pip'];
const python = process.env['PYTHON'] ?? '/usr/bin/python3';
const source = join(root, 'libs/sdk-python');

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    ...{ cwd: source, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}`);
}

const hasPackages = () =>
  spawnSync(python, ['-c', 'import httpx, pydantic, hatchling, pip'], { stdio: 'ignore' }).status === 0;
if (!hasPackages() && process.getuid?.() === 0) {
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', ...PACKAGES]);
}
if (!hasPackages())
  throw new Error(`${python} needs httpx, pydantic, hatchling and pip: on Debian ${PACKAGES.join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'millwright-python-'));
try {
  run(python, ['-m', 'unittest', 'discover', '--start-directory', 'tests'], { PYTHONPATH: join(source, 'src') });
  const hashes = ['one', 'two'].map((name) => {
    const place = join(folder, name);
    run(python, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', place], {
      SOURCE_DATE_EPOCH: '1580601600',
    });
    const [wheel = ''] = readdirSync(place);
    return createHash('sha256')
      .update(readFileSync(join(place, wheel)))
      .digest('hex');
  });
  assert.equal(hashes[0], hashes[1], 'The same sources give the same wheel');
  const [wheel = ''] = readdirSync(join(folder, 'one'));
  const installed = join(folder, 'installed');
  const wheelFile = join(folder, 'one', wheel);
  run(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--target', installed, wheelFile]);
  const use = "import millwright; millwright.Millwright(api_key='mw_live_x', base_url='http://localhost:8080').close()";
  run(python, ['-c', use], { PYTHONPATH: installed });
  console.log(`${wheel}: ${readFileSync(wheelFile).length} bytes, SHA-256 ${hashes[0]}`);
} finally {
  rmSync(folder, { recursive: true });
}
