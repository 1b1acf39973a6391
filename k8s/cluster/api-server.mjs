// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePorts } from '../../tools/ports.mjs';
import { SERVICE_RANGE } from './network.mjs';

/** Programs of every cluster. They store, admit and create objects. */
const PROGRAMS = ['etcd', 'kube-apiserver', 'kube-controller-manager'];
/** Programs that a cluster with nodes needs in addition. */
const NODE_PROGRAMS = ['kube-scheduler', 'kubelet'];
/** Controllers of a cluster without nodes: they create pods and the objects that pods need. Other controllers would wait for nodes. */
const CONTROLLERS =
  'deployment-controller,replicaset-controller,statefulset-controller,job-controller,cronjob-controller,serviceaccount-controller,root-ca-certificate-publisher-controller,resourcequota-controller,namespace-controller,persistentvolumeclaim-protection-controller,disruption-controller';
/** Time limit of the start in milliseconds, long enough for a busy machine. */
const READY_WITHIN_MS = 180_000;

/** First words of a command whose process the kernel kills when this process ends for any reason. */
export const WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL'];

/** @param {string} name @returns {string | undefined} its path in KUBE_BIN, else on PATH */
export function findProgram(name) {
  const folders = [process.env['KUBE_BIN'] ?? '', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/**
 * @param {boolean} nodes whether the cluster has nodes
 * @throws {Error} that names the missing programs, when programs are missing
 */
export function requirePrograms(nodes) {
  const missing = [...PROGRAMS, ...(nodes ? NODE_PROGRAMS : [])].filter((name) => !findProgram(name));
  if (missing.length === 0) return;
  const built = [...PROGRAMS, ...NODE_PROGRAMS].filter((name) => name !== 'etcd').map((name) => `cmd/${name}`);
  throw new Error(
    `This needs ${missing.join(', ')} in the folder KUBE_BIN or on PATH: etcd is in Debian's package etcd-server, the others are built from Kubernetes' sources by \`make WHAT="${built.join(' ')}"\`.`,
  );
}

/**
 * Starts the API server of Kubernetes with its controllers and its store. These programs run at low priority, because they work for tests.
 *
 * @param {string} [address] the address at which nodes reach the API server; without it, the cluster has no nodes and only listens on loopback
 * @returns {Promise<{ kubeconfig: string, version: string, server: string, token: string, stop: () => Promise<void> }>}
 * @throws {Error} that names the missing programs, when programs are missing
 */
export async function startApiServer(address) {
  requirePrograms(address !== undefined);
  const folder = mkdtempSync(join(tmpdir(), 'millwright-cluster-'));
  const [storePort = 0, peerPort = 0, port = 0] = await freePorts(3);
  const file = (/** @type {string} */ name) => join(folder, name);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file('accounts.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  const token = randomBytes(24).toString('base64url');
  writeFileSync(file('tokens.csv'), `${token},operator,operator,"system:masters"\n`, { mode: 0o600 });
  const host = address ?? '127.0.0.1';
  const server = `https://${host}:${port}`;
  const named = (/** @type {object} */ value) => [{ name: 'drill', ...value }];
  writeFileSync(
    file('kubeconfig'),
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'drill',
      clusters: named({ cluster: { server, 'insecure-skip-tls-verify': true } }),
      users: named({ user: { token } }),
      contexts: named({ context: { cluster: 'drill', user: 'drill' } }),
    }),
    { mode: 0o600 },
  );

  /** @type {{ name: string, child: import('node:child_process').ChildProcess }[]} */
  const processes = [];
  /** @param {string} name @param {string[]} args */
  function start(name, args) {
    const log = openSync(file(`${name}.log`), 'w');
    const [program = '', ...rest] = [...WITH_PARENT, 'nice', '-n', '15', String(findProgram(name)), ...args];
    const child = spawn(program, rest, { stdio: ['ignore', log, log] });
    processes.push({ name, child });
  }
  async function stop() {
    for (const { child } of processes.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  }

  const store = `http://127.0.0.1:${storePort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  start('etcd', [
    `--data-dir=${file('store')}`,
    '--unsafe-no-fsync',
    ...[`--listen-client-urls=${store}`, `--advertise-client-urls=${store}`],
    ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`],
  ]);
  start('kube-apiserver', [
    `--etcd-servers=${store}`,
    ...[`--bind-address=${host}`, `--advertise-address=${host}`, `--secure-port=${port}`],
    `--cert-dir=${file('certificates')}`,
    '--endpoint-reconciler-type=none',
    // The API server connects to kubelets by address, because no name server has the names of nodes.
    '--kubelet-preferred-address-types=InternalIP',
    '--authorization-mode=RBAC',
    // Privileged containers are allowed here, so that Pod Security decides about them, as in a real cluster.
    '--allow-privileged=true',
    `--token-auth-file=${file('tokens.csv')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('accounts.pem')}`,
    `--service-account-signing-key-file=${file('accounts.pem')}`,
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
  ]);
  try {
    await untilReady(server, token, processes, file);
  } catch (error) {
    await stop();
    throw error;
  }
  start('kube-controller-manager', [
    `--kubeconfig=${file('kubeconfig')}`,
    `--service-account-private-key-file=${file('accounts.pem')}`,
    `--controllers=${address ? '*' : CONTROLLERS}`,
    ...['--leader-elect=false', '--secure-port=0'],
    // The loss of a node is detected after 20 s, so that a test can wait for it.
    ...(address ? ['--node-monitor-grace-period=20s'] : []),
  ]);
  if (address)
    start('kube-scheduler', [`--kubeconfig=${file('kubeconfig')}`, '--leader-elect=false', '--secure-port=0']);
  const { stdout } = spawnSync(String(findProgram('kube-apiserver')), ['--version'], { encoding: 'utf8' });
  return { kubeconfig: file('kubeconfig'), version: stdout.trim(), server, token, stop };
}

/**
 * Waits until the API server is ready and has returned its schema once. Clients need the schema for validation, and the first answer with it is
 * slow.
 *
 * @param {string} server
 * @param {string} token
 * @param {{ name: string, child: import('node:child_process').ChildProcess }[]} processes
 * @param {(name: string) => string} file
 */
async function untilReady(server, token, processes, file) {
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await delay(200)) {
    const ended = processes.find(({ child }) => child.exitCode !== null);
    if (ended)
      throw new Error(`${ended.name} ended:\n${readFileSync(file(`${ended.name}.log`), 'utf8').slice(-3_000)}`);
    // The server has a self-signed certificate, so curl does not verify it. The header with the token is passed by standard input, because
    // arguments are visible in the list of processes.
    const answers = ['/readyz', '/openapi/v2'].every((path) => {
      const args = ['--insecure', '--silent', '--fail', '--max-time', '60', '--header', '@-', '--output', '/dev/null'];
      return spawnSync('curl', [...args, `${server}${path}`], { input: `Authorization: Bearer ${token}` }).status === 0;
    });
    if (answers) return;
  }
  throw new Error(`kube-apiserver was not ready:\n${readFileSync(file('kube-apiserver.log'), 'utf8').slice(-3_000)}`);
}
