// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { WITH_PARENT } from './api-server.mjs';
import { DNS_ADDRESS, inNamespace, namespaceOf } from './network.mjs';

/**
 * A node of the cluster: containerd and the kubelet in a system of Debian's packages, with separate network, mount and process namespaces. The end of
 * its first process ends all of its containers.
 */

/** Time limit in milliseconds, long enough for a busy machine. */
const RUNTIME_WITHIN_MS = 120_000;
/** The program of each pod's sandbox, see docker/bases/Dockerfile. */
export const SANDBOX_IMAGE = 'docker.io/millwright-base/sandbox:local';
const CGROUPS = '/sys/fs/cgroup';

/**
 * @typedef {object} Node
 * @property {string} name
 * @property {(archive: string) => Promise<void>} load images of `docker save`
 * @property {() => Promise<void>} stop
 * @property {string} log file of the kubelet
 */

/** @param {import('./network.mjs').NodeNetwork} network */
const containerd = ({ pods }) => ({
  'config.toml': `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
oom_score = 0
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${SANDBOX_IMAGE}"
  # Lower scores need a right that root lacks in some virtual machines.
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`,
  'pods.conflist': JSON.stringify({
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      // Pods have routed links instead of a bridge, so that the node's rules apply to every packet of a pod.
      {
        type: 'ptp',
        ipam: { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }], dataDir: '/run/cni' },
      },
    ],
  }),
});

/** @param {import('./network.mjs').NodeNetwork} network */
const kubelet = ({ name, address }) => ({
  kind: 'KubeletConfiguration',
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  address,
  // The kubelet needs no authentication, because only the drill can reach this network.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  readOnlyPort: 0,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${namespaceOf(name)}`,
  failSwapOn: false,
  clusterDNS: [DNS_ADDRESS],
  clusterDomain: 'cluster.local',
  resolvConf: '/etc/node/resolv.conf',
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  makeIPTablesUtilChains: false,
  oomScoreAdj: 0,
  maxOpenFiles: 4096,
  nodeStatusUpdateFrequency: '5s',
  // These limits are low, because the node shares its disk with the whole machine.
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1Gi', 'imagefs.available': '1Gi' },
  imageGCHighThresholdPercent: 100,
});

/** Returns the root folders of the control groups: one in version 2, one for each controller in version 1. */
function hierarchies() {
  if (existsSync(join(CGROUPS, 'cgroup.controllers'))) return [CGROUPS];
  return readdirSync(CGROUPS).map((name) => join(CGROUPS, name));
}

/** @param {string} group */
function createGroups(group) {
  for (const folder of hierarchies()) {
    mkdirSync(join(folder, group), { recursive: true });
    // A group of the controller cpuset accepts no process until it has processors and memory, so the values of the root are copied.
    for (const name of ['cpuset.cpus', 'cpuset.mems'])
      if (existsSync(join(folder, name)) && existsSync(join(folder, group, name)))
        writeFileSync(join(folder, group, name), readFileSync(join(folder, name)));
  }
}

/** @param {string} folder */
function removeGroup(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(join(folder, entry.name));
  rmdirSync(folder);
}

/**
 * A script that makes the mounts of a node and starts containerd and the kubelet. `$1` is the folder of the Debian system, `$2` the node's folder,
 * `$3` the folder of volumes, `$4` the folder of the kubelet and `$5` the host name. The command of the kubelet follows.
 */
const SCRIPT = `mount --make-rprivate /
mount --bind $1 $1
mount -t proc proc $1/proc; mount --rbind /sys $1/sys; mount --rbind /dev $1/dev
mount -t tmpfs tmpfs $1/run; mount -t tmpfs tmpfs $1/tmp
mkdir -p $1/etc/node $1/etc/cni/net.d $1/var/lib/kubelet $1/var/lib/containerd $1/var/lib/volumes $1/opt/kube $1/old $1/var/log/pods
mount --bind $2/etc $1/etc/node; mount --bind $2/cni $1/etc/cni/net.d; mount --bind $2/logs $1/var/log
mount --bind $2/kubelet $1/var/lib/kubelet; mount --bind $2/containerd $1/var/lib/containerd
mount --bind $3 $1/var/lib/volumes; mount --bind $4 $1/opt/kube
cd $1; pivot_root . old; umount -l /old; mount --make-rshared /
hostname $5
containerd --config /etc/node/config.toml > /var/log/containerd.log 2>&1 &
while [ ! -S /run/containerd/containerd.sock ]; do sleep 0.2; done
shift 5
exec "$@"`;

/**
 * @param {object} options
 * @param {import('./network.mjs').NodeNetwork} options.network
 * @param {string} options.system Debian's packages
 * @param {string} options.programs folder of the kubelet
 * @param {string} options.kubeconfig
 * @param {string} options.folder of the cluster
 * @param {string} options.volumes folder of the volumes of all nodes
 * @param {Record<string, string>} options.labels
 * @returns {Promise<Node>}
 */
export async function startNode({ network, system, programs, kubeconfig, folder, volumes, labels }) {
  const { name, address } = network;
  const own = join(folder, name);
  for (const part of ['etc', 'cni', 'logs', 'kubelet', 'containerd']) mkdirSync(join(own, part), { recursive: true });
  const { 'config.toml': config, 'pods.conflist': pods } = containerd(network);
  writeFileSync(join(own, 'etc/config.toml'), config);
  writeFileSync(join(own, 'cni/pods.conflist'), pods);
  writeFileSync(join(own, 'etc/kubelet.yaml'), stringify(kubelet(network)));
  writeFileSync(join(own, 'etc/resolv.conf'), '');
  copyFileSync(kubeconfig, join(own, 'etc/kubeconfig'));
  createGroups(namespaceOf(name));
  const args = [
    ...['--config=/etc/node/kubelet.yaml', '--kubeconfig=/etc/node/kubeconfig', '--cert-dir=/var/lib/kubelet/pki'],
    ...[`--hostname-override=${name}`, `--node-ip=${address}`],
    `--node-labels=${Object.entries(labels)
      .map((pair) => pair.join('='))
      .join(',')}`,
  ];
  const log = join(own, 'kubelet.log');
  const output = openSync(log, 'w');
  const [program = '', ...rest] = [
    ...WITH_PARENT,
    ...inNamespace(namespaceOf(name)),
    ...['unshare', '--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child'],
    ...['nice', '-n', '10', 'sh', '-ec', SCRIPT, 'sh', system, own, volumes, programs, name],
    ...['/opt/kube/kubelet', ...args],
  ];
  const child = spawn(program, rest, { stdio: ['ignore', output, output] });
  /** @returns {string} process id, on this machine, of the node's first process */
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  const enter = () => ['--target', first(), '--mount', '--pid', '--root', '--'];
  const inNode = (/** @type {string[]} */ ...command) =>
    spawnSync('nsenter', [...enter(), ...command], { encoding: 'utf8' });
  for (const deadline = Date.now() + RUNTIME_WITHIN_MS; ; await delay(300)) {
    if (child.exitCode === null && inNode('ctr', 'version').status === 0) break;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`containerd of ${name} does not answer:\n${readFileSync(log, 'utf8').slice(-3_000)}`);
  }
  return {
    name,
    log,
    async load(archive) {
      const from = openSync(archive, 'r');
      const args = [...enter(), 'ctr', '-n', 'k8s.io', 'images', 'import', '--no-unpack', '-'];
      const ctr = spawn('nsenter', args, { stdio: [from, 'ignore', 'pipe'] });
      closeSync(from);
      let text = '';
      ctr.stderr?.on('data', (chunk) => (text += String(chunk)));
      const [code] = await once(ctr, 'exit');
      if (code !== 0) throw new Error(`${name} loads no images: ${text}`);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      // The removal is repeated, because the kernel removes killed processes from the groups a moment later.
      for (const deadline = Date.now() + 10_000; ; await delay(200))
        try {
          for (const hierarchy of hierarchies()) removeGroup(join(hierarchy, namespaceOf(name)));
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
        }
    },
  };
}
