// @ts-check
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Provides Docker Engine 25 or newer with Buildx and Compose 2.26 or newer. An installed engine is used if it answers. Otherwise Debian's packages
 * are installed in a separate folder, so that the machine's packages, networks and firewall stay unchanged. Debian's engine needs root on Debian
 * (amd64) and `debootstrap`. It runs in the machine's network for builds, and in a separate network namespace for containers.
 *
 *   node docker/engine.mjs start | stop | docker <arguments of docker>
 */

/** Folder of the engine's system, data and socket. */
export const folder = process.env['ENGINE_FOLDER'] ?? '/var/tmp/millwright-engine';
const system = join(folder, 'system');
const socket = join(folder, 'socket/docker.sock');
const pidFile = join(folder, 'engine.pid');
const modeFile = join(folder, 'network');
const NAMESPACE = 'millwright-engine';
const PACKAGES = 'ca-certificates,docker.io,docker-cli,docker-buildx,docker-compose,iptables,procps';

/** @typedef {'builds' | 'containers'} Use */
/**
 * @typedef {object} Engine
 * @property {boolean} own whether it is Debian's engine, which this program starts
 * @property {(args: string[], options?: import('node:child_process').ExecFileSyncOptions) => string} docker
 *   runs the docker client and returns its output; throws when the client fails
 * @property {(use: Use) => Promise<void>} prepare starts Debian's engine for this use, if it does not run for this use already
 */

/** Debian's client. Its folder is not put on PATH, because the other programs in that folder need Debian's libraries. */
const ownClient = join(system, 'usr/bin/docker');

/** @param {string} client @param {NodeJS.ProcessEnv} env */
const answers = (client, env) =>
  ['version', 'buildx version', 'compose version'].every(
    (args) => spawnSync(client, args.split(' '), { env, stdio: 'ignore' }).status === 0,
  );

/** @param {string[]} programs @returns {string[]} the programs that are not on PATH */
export const missingOf = (programs) =>
  programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status !== 0);

/** @returns {Promise<Engine>} */
export async function findEngine() {
  if (answers('docker', process.env)) return engineOf('docker', process.env, () => Promise.resolve());
  const missing = missingOf(['debootstrap', 'ip', 'nsenter', 'unshare', 'iptables']);
  if (process.getuid?.() !== 0 || missing.length > 0)
    throw new Error(
      `No Docker Engine with Buildx and Compose answers. Start one, or become root on Debian with: apt-get install debootstrap iproute2 iptables${missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''}`,
    );
  install();
  const env = {
    ...process.env,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: join(folder, 'client'),
  };
  return engineOf(ownClient, env, (use) => start(use, env));
}

/** @param {string} client @param {NodeJS.ProcessEnv} env @param {Engine['prepare']} prepare @returns {Engine} */
function engineOf(client, env, prepare) {
  const docker = (
    /** @type {string[]} */ args,
    /** @type {import('node:child_process').ExecFileSyncOptions} */ options = {},
  ) =>
    execFileSync(client, args, {
      stdio: 'pipe',
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      ...options,
      env: { ...env, ...options.env },
    });
  return { own: client === ownClient, prepare, docker: /** @type {Engine['docker']} */ (docker) };
}

/** Returns the address of the Debian package mirror in apt's sources; if there is none, the address of deb.debian.org. */
export function mirror() {
  const of = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const sources = of('/etc/apt/sources.list.d/debian.sources') + of('/etc/apt/sources.list');
  return (
    /^URIs: *(\S+)|^deb (?:\[[^\]]*\] )?(\S+)/m.exec(sources)?.slice(1).find(Boolean) ?? 'http://deb.debian.org/debian'
  );
}

/** Makes a Debian system in a new folder, completely or not at all. @param {string} suite @param {string} target @param {string} include */
export function debootstrap(suite, target, include) {
  if (existsSync(target)) return;
  rmSync(`${target}.part`, { recursive: true, force: true });
  execFileSync(
    'nice',
    ['debootstrap', '--variant=minbase', `--include=${include}`, suite, `${target}.part`, mirror()],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  renameSync(`${target}.part`, target);
}

function install() {
  mkdirSync(join(folder, 'client'), { recursive: true });
  mkdirSync(join(folder, 'socket'), { recursive: true });
  debootstrap('trixie', system, PACKAGES);
  const plugins = ['usr/libexec/docker/cli-plugins', 'usr/lib/docker/cli-plugins'].map((path) => join(system, path));
  writeFileSync(join(folder, 'client/config.json'), JSON.stringify({ cliPluginsExtraDirs: plugins }));
}

/** @param {Use} use @param {NodeJS.ProcessEnv} env */
async function start(use, env) {
  if (answers(ownClient, env)) {
    if (existsSync(modeFile) && readFileSync(modeFile, 'utf8') === use) return;
    await stop();
  }
  const network = [];
  let args = '--bridge=none --iptables=false --ip6tables=false --ip-forward=false';
  if (use === 'containers') {
    if (!existsSync(`/run/netns/${NAMESPACE}`)) execFileSync('ip', ['netns', 'add', NAMESPACE]);
    // The command uses nsenter, because `ip netns exec` would mount another /sys, which lacks the control groups.
    network.push('nsenter', `--net=/run/netns/${NAMESPACE}`);
    execFileSync('nsenter', [...network.slice(1), 'ip', 'link', 'set', 'lo', 'up']);
    args = '--bip 172.30.0.1/24 --default-address-pool base=172.31.0.0/16,size=24';
  }
  // The script uses pivot_root instead of chroot, because dockerd makes the folder `/` a private mount. This is possible only if `/` is the root of a
  // mount namespace.
  const script = `mount --make-rprivate /; mount --bind $1 $1; mount -t proc proc $1/proc; mount --rbind /sys $1/sys
    mount --rbind /dev $1/dev; mount -t tmpfs tmpfs $1/run; mount -t tmpfs tmpfs $1/tmp; mkdir -p $1/old $1$2
    cp /etc/resolv.conf /etc/hosts $1/etc/; mount --bind $2 $1$2; cd $1; pivot_root . old; umount -l /old
    exec dockerd --data-root $2/data --exec-root /run/engine --pidfile $2/engine.pid -H unix://$3 ${args} --log-level warn`;
  const log = openSync(join(folder, 'engine.log'), 'a');
  const [program = '', ...rest] = [...network, 'unshare', '-m', 'sh', '-ec', script, 'sh', system, folder, socket];
  const child = spawn(program, rest, { detached: true, stdio: ['ignore', log, log] });
  child.unref();
  closeSync(log);
  for (const deadline = Date.now() + 120_000; !answers(ownClient, env); await delay(500))
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The engine does not start: ${join(folder, 'engine.log')}`);
  writeFileSync(modeFile, use);
}

/** Ends the engine that this program started, with its containers. */
export async function stop() {
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const runs = () => spawnSync('kill', ['-0', String(pid)], { stdio: 'ignore' }).status === 0;
    if (runs()) process.kill(pid, 'SIGTERM');
    for (const deadline = Date.now() + 60_000; runs() && Date.now() < deadline;) await delay(200);
  }
  rmSync(modeFile, { force: true });
  spawnSync('ip', ['netns', 'del', NAMESPACE], { stdio: 'ignore' });
}

if (process.argv[1] === import.meta.filename) {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'stop') await stop();
  else {
    const engine = await findEngine();
    await engine.prepare('containers');
    process.stdout.write(
      command === 'docker'
        ? engine.docker(args)
        : `${engine.docker(['version', '--format', 'Docker Engine {{.Server.Version}}'])}`,
    );
  }
}
