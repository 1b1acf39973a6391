// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseImages, buildImage, clusterImages } from '../../docker/bases.mjs';
import { debootstrap, findEngine, folder as engineFolder, missingOf } from '../../docker/engine.mjs';
import { checkOut, formerCommit } from '../../tools/former-checkout.mjs';
import { root, toolEnvironment } from '../../tools/workspace.mjs';
import { findKubectl } from '../../k8s/verify/kubectl.mjs';
import { areas } from '../../k8s/verify/rules.mjs';
import { requirePrograms, WITH_PARENT } from '../../k8s/cluster/api-server.mjs';
import { createNetwork, inNamespace, NAMESPACE, nodeNetworks, removeNetwork } from '../../k8s/cluster/network.mjs';

/**
 * npm run cluster:nodes: builds the images of this checkout and of the former release, and runs acceptance/cluster in the network
 * namespace of a new cluster.
 */

const NODES = 3;
const APPS = [...areas, 'cli'];
const PACKAGES =
  'ca-certificates,containerd,runc,containernetworking-plugins,nftables,iptables,iproute2,procps,util-linux,mount';

/**
 * Content of the file that the environment variable CLUSTER names.
 *
 * @typedef {object} Prepared
 * @property {string} folder of the cluster
 * @property {string} system of every node
 * @property {string} archive of all images
 * @property {string} kubectl
 * @property {ReturnType<typeof clusterImages>} images
 * @property {string} former checkout of the former release
 * @property {string} formerCommit
 * @property {import('../../k8s/cluster/network.mjs').NodeNetwork[]} nodes
 */

/** The tag of this checkout's images. The manifests contain this tag. @type {string} */
export const TAG = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
/** The tag of the former release's images. */
export const FORMER_TAG = '0.0.9';

/** @returns {Promise<Prepared & { remove: () => Promise<void> }>} */
async function prepare() {
  requirePrograms(true);
  const missing = missingOf(['debootstrap', 'ip', 'nsenter', 'unshare', 'nft', 'curl', 'git', 'openssl']);
  if (process.getuid?.() !== 0 || missing.length > 0)
    throw new Error(
      `Nodes need root on Debian with: apt-get install debootstrap iproute2 nftables curl git openssl (missing: ${missing.join(', ') || 'root'})`,
    );
  const engine = await findEngine();
  await engine.prepare('builds');
  const bases = baseImages(engine);
  const own = clusterImages(engine);
  const folder = join(engineFolder, 'cluster');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const former = await checkOut(await formerCommit(), join(folder, 'former'));
  // The .dockerignore of a commit before the first release may exclude the docs, which are built into admin-auth.
  copyFileSync(join(root, '.dockerignore'), join(former.folder, '.dockerignore'));
  for (const app of APPS) {
    buildImage(engine, app, { tag: TAG });
    buildImage(engine, app, { checkout: former.folder, tag: FORMER_TAG });
  }
  const system = join(engineFolder, 'node');
  debootstrap('trixie', system, PACKAGES);
  const archive = join(folder, 'images.tar');
  const images = [bases.postgres, bases.redis, ...Object.values(own)];
  engine.docker([
    'save',
    '--output',
    archive,
    ...images,
    ...APPS.flatMap((app) => [TAG, FORMER_TAG].map((tag) => `millwright/${app}:${tag}`)),
  ]);
  return {
    folder,
    system,
    archive,
    kubectl: findKubectl(),
    images: own,
    former: former.folder,
    formerCommit: former.commit,
    nodes: nodeNetworks(NODES),
    async remove() {
      await former.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  const { remove, ...prepared } = await prepare().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
  const file = join(prepared.folder, 'prepared.json');
  writeFileSync(file, JSON.stringify(prepared));
  createNetwork(prepared.nodes);
  try {
    const jest = ['--no-warnings', join(root, 'node_modules/jest/bin/jest.js'), '--config', 'jest.config.mjs'];
    const [program = '', ...args] = [
      ...WITH_PARENT,
      ...inNamespace(NAMESPACE),
      ...[process.execPath, ...jest, '--rootDir', 'acceptance', '--testMatch', '**/cluster/drill.ts', '--runInBand'],
      ...process.argv.slice(2),
    ];
    const env = { ...toolEnvironment(), CLUSTER: file, ROLLOUT: 'full' };
    const [code] = await once(spawn(program, args, { cwd: root, env, stdio: 'inherit' }), 'exit');
    process.exitCode = code ?? 1;
  } finally {
    removeNetwork(prepared.nodes);
    if (process.exitCode === 0) await remove();
    else console.error(`Logs of the nodes and of the network: ${prepared.folder}`);
  }
}
