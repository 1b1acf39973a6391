// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binFolder, root } from './workspace.mjs';

const lockFile = join(root, 'package-lock.json');
const npmsRecord = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.millwright-install');

/** npm writes its record and the lock file together, in either order. */
const SAME_WRITE_MS = 5000;

/** Someone ran npm by hand after the lock file last changed. */
function installedByHand() {
  return existsSync(npmsRecord) && statSync(npmsRecord).mtimeMs > statSync(lockFile).mtimeMs - SAME_WRITE_MS;
}

/** Installs exactly what package-lock.json says unless that is there already. Runs on Node 20, before anything is installed. */
export function ensureInstalled() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (!installedByHand()) install();
  writeFileSync(stamp, wanted);
}

function install() {
  console.error('Installing packages (npm ci) …');
  // npm replaces node_modules/.bin, so it must not run on the Node in there.
  const PATH = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => folder !== binFolder)
    .join(':');
  const { status, error, stdout, stderr } = spawnSync('npm', ['ci', '--no-progress'], {
    cwd: root,
    env: { ...process.env, PATH },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return;
  console.error(error?.message ?? `${stdout}${stderr}`);
  console.error('Installing the packages failed: the lines above are what npm said.');
  process.exit(1);
}
