// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { binFolder, root } from '../tools/workspace.mjs';

/** npm installs no version that was published after this day, so that every installation of the peers has the same dependencies. */
const REGISTRY_OF = '2026-11-20';

/**
 * Programs from the npm registry with which the benchmark compares ours, and autocannon, which sends the requests. The workspace does not depend on
 * them.
 *
 * @typedef {{ package: string, version: string, instead?: Record<string, string> }} Peer `instead`: files by path that replace the output of
 *   install scripts, which are not run. The benchmark does not use the features of these files
 * @type {{ [name: string]: Peer }}
 */
const PEERS = {
  autocannon: { package: 'autocannon', version: '9.0.0' },
  'parse-server': { package: 'parse-server', version: '9.9.0' },
  directus: {
    package: 'directus',
    version: '11.17.4',
    instead: { 'isolated-vm/out/isolated_vm.js': 'exports.ivm = {};\n' },
  },
  'oidc-provider': { package: 'oidc-provider', version: '9.13.3' },
  portkey: { package: '@portkey-ai/gateway', version: '1.15.2' },
};

/** Thrown when a peer cannot be installed on this machine. The rows that compare with this peer are then not measured. */
export class PeerMissing extends Error {}

/**
 * Returns the folder of a peer, below `node_modules/.cache/bench`. Installs the peer if it is not installed yet.
 *
 * @param {string} name @returns {string}
 * @throws {PeerMissing} when npm cannot install the peer
 */
export function ensurePeer(name) {
  const peer = PEERS[name];
  if (!peer) throw new Error(`There is no peer ${name}: ${Object.keys(PEERS).join(', ')}.`);
  const folder = join(root, 'node_modules/.cache/bench', `${name}@${peer.version}`);
  const done = join(folder, '.installed');
  if (existsSync(done)) return folder;
  console.error(`Installing ${peer.package} ${peer.version} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [peer.package]: peer.version } }),
  );
  npm(folder, ['install', '--ignore-scripts', '--omit=dev', `--before=${REGISTRY_OF}`]);
  for (const [path, text] of Object.entries(peer.instead ?? {})) {
    const file = join(folder, 'node_modules', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(done, '');
  return folder;
}

/** @param {string} name @param {string} [path] of the package's module @returns {string} the URL from which a peer's module is imported */
export function moduleOfPeer(name, path) {
  const folder = ensurePeer(name);
  const { package: from } = PEERS[name] ?? { package: name };
  const file =
    path === undefined ? createRequire(join(folder, 'x.js')).resolve(from) : join(folder, 'node_modules', from, path);
  return pathToFileURL(file).href;
}

/** @param {string} folder @param {string[]} args @throws {PeerMissing} when npm fails */
function npm(folder, args) {
  const { status, stderr, error } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${binFolder}:${process.env['PATH'] ?? ''}` },
  });
  if (status === 0) return;
  const said = (error?.message ?? stderr).trim().split('\n').slice(0, 3).join(' ');
  throw new PeerMissing(`npm ${args[0]} failed: ${said}`);
}

/**
 * Resolves to the started peer or, when the start fails, to the reason.
 *
 * @template Started @param {Promise<Started>} starting @returns {Promise<Started | { reason: string }>}
 */
export const asMissing = (starting) =>
  starting.catch((/** @type {Error} */ error) => ({ reason: error.message.slice(0, 300) }));
