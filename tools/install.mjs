// @ts-check
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitForLock } from './wait-for-lock.mjs';
import { binFolder, root } from './workspace.mjs';

const lockFile = join(root, 'package-lock.json');
const npmsRecord = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.millwright-install');

/** An installation by npm writes npm's record and the lock file within this number of milliseconds, in either order. */
const SAME_WRITE_MS = 5000;

/** Returns whether npm was run by hand after the last change of the lock file. */
function installedByHand() {
  return existsSync(npmsRecord) && statSync(npmsRecord).mtimeMs > statSync(lockFile).mtimeMs - SAME_WRITE_MS;
}

/** Returns the reason why packages are installed now, for a user who ran another command. */
const reason = () =>
  existsSync(npmsRecord)
    ? 'package-lock.json has changed since the packages were installed.'
    : 'The packages of package-lock.json are not installed.';

/** Installs exactly the packages of package-lock.json, unless they are installed already. Runs on Node 20, because Node 24 is one of the packages. */
export async function ensureInstalled() {
  const text = readFileSync(lockFile, 'utf8');
  const wanted = createHash('sha256').update(text).digest('hex');
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isInstalled()) return;
  const unlock = await waitForLock(join(root, '.millwright-install.pid'));
  try {
    // Another command may have installed the packages meanwhile.
    if (isInstalled()) return;
    if (!installedByHand()) {
      console.error(`${reason()} \`npm ci\` installs exactly the packages that it lists.`);
      await install(packagesIn(text));
    }
    writeFileSync(stamp, wanted);
  } finally {
    unlock();
  }
}

/** Returns the number of packages that npm fetches on every platform. @param {string} lock */
function packagesIn(lock) {
  /** @type {{ packages: Record<string, { link?: boolean, optional?: boolean }> }} */
  const { packages } = JSON.parse(lock);
  return Object.entries(packages).filter(([path, { link, optional }]) => {
    return path.startsWith('node_modules/') && !link && !optional;
  }).length;
}

/** @param {number} total packages */
async function install(total) {
  // npm must not run on the Node in node_modules/.bin, because npm replaces this folder.
  const PATH = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => folder !== binFolder)
    .join(':');
  // At this log level, npm writes a line for each package that it fetches. The progress is counted by these lines.
  const npm = spawn('npm', ['ci', '--no-progress', '--loglevel', 'http'], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const progress = showProgress(total);
  const said = await Promise.all([collect(npm.stdout), collect(npm.stderr, progress.count), once(npm, 'exit')]).catch(
    (/** @type {Error} */ error) => ['', error.message, [1]],
  );
  progress.end();
  const [stdout, stderr, [code]] = said;
  if (code === 0) return;
  console.error(`${stdout}${stderr.replaceAll(/^npm http .*\n/gm, '')}`);
  console.error('Installing the packages failed: the lines above are the output of npm.');
  process.exit(1);
}

/** @param {import('node:stream').Readable} stream @param {(line: string) => void} [each] called with each line */
async function collect(stream, each = () => undefined) {
  let text = '';
  for await (const line of createInterface({ input: stream })) {
    each(line);
    text += `${line}\n`;
  }
  return text;
}

/**
 * Shows the progress: on a terminal by one line that is rewritten, elsewhere by a new line from time to time.
 *
 * @param {number} total packages
 */
function showProgress(total) {
  let fetched = 0;
  const text = () => `Installing packages (npm ci): ${Math.min(fetched, total)} of ${total}`;
  const { isTTY } = process.stderr;
  const show = () => process.stderr.write(isTTY ? `\r${text()}` : `${text()}\n`);
  show();
  const timer = setInterval(show, isTTY ? 200 : 10_000);
  return {
    /** @param {string} line of npm */
    count(line) {
      if (/^npm http fetch GET 200 .*\.tgz /.test(line)) fetched += 1;
    },
    end() {
      clearInterval(timer);
      if (isTTY) process.stderr.write('\n');
    },
  };
}
