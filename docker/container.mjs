// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, constants, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readImage, writeImageFiles } from './image.mjs';

/**
 * Whether containers have the restrictions that an engine would apply: read-only file systems, Node as process 1 in a separate process
 * namespace, the image's user, and no capabilities. This needs root on Linux. Without root, only the files are read-only.
 */
const restricted =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;
export const isRestricted = restricted;

/**
 * @typedef {object} Container
 * @property {() => string} output
 * @property {() => Promise<number | null>} stop sends SIGTERM to process 1 of the container, and resolves to the exit code
 * @property {() => void} kill ends it at once, if it still runs
 * @property {Promise<number | null>} exited
 */

/** Makes a folder with the files of an app's image and with Node. The image's user can read the folder. @param {string} app */
export function createRootFolder(app) {
  const folder = mkdtempSync(join(tmpdir(), `millwright-image-${app}-`));
  chmodSync(folder, 0o755);
  writeImageFiles(app, join(folder, 'app'));
  copyFileSync(process.execPath, join(folder, 'node'), constants.COPYFILE_FICLONE);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Runs the image's entry point.
 *
 * @param {string} folder of createRootFolder
 * @param {Record<string, string>} env
 * @param {string[]} [args]
 * @returns {Container}
 */
export function runContainer(folder, env, args = []) {
  const image = readImage();
  const [uid = '', gid = ''] = image.user.split(':');
  const entrypoint = [
    'env',
    '-i',
    ...Object.entries({ PATH: folder, ...image.env, ...env }).map(([name, value]) => `${name}=${value}`),
  ];
  const command = [...image.entrypoint, ...args];
  const enter = 'mount -o remount,bind,ro / && mount -t tmpfs -o ro none /dev/shm && cd "$1" && shift && exec "$@"';
  const drop = [
    'setpriv',
    '--reuid',
    uid,
    '--regid',
    gid,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
  ];
  const [program = '', ...rest] = restricted
    ? [
        'unshare',
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
        'sh',
        '-c',
        enter,
        'sh',
        join(folder, 'app'),
        ...drop,
        ...entrypoint,
        ...command,
      ]
    : [...entrypoint, ...command];
  const child = spawn(program, rest, { cwd: join(folder, 'app'), stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (written += String(chunk)));
  const exited = once(child, 'exit').then(([code]) => code);
  return {
    output: () => written,
    exited,
    stop() {
      // unshare's only child is process 1 of the container.
      const children = restricted
        ? readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
        : child.pid;
      process.kill(Number(children), 'SIGTERM');
      return exited;
    },
    // Killing unshare also ends the process that it started.
    kill: () => void child.kill('SIGKILL'),
  };
}
