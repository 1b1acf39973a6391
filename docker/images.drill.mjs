// @ts-check
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findKubectl, render } from '../k8s/verify/kubectl.mjs';
import { amountOf, areas, environmentOf, ofKind } from '../k8s/verify/rules.mjs';
import { root } from '../tools/workspace.mjs';
import { baseImages, buildImage } from './bases.mjs';
import { findEngine } from './engine.mjs';

/**
 * npm run images: builds every image with a real engine, inspects it, and runs it with the environment, security context and memory of the
 * production manifests.
 */

const apps = [...areas, 'cli'];
const MIB = 1 << 20;
/** Limit of an image's size, as a multiple of the size of the base image and the app's files together. */
const MOST_SIZE = 1.3;
const READY_MS = 120_000;

const engine = await findEngine();
const kubectl = findKubectl();
const { docker } = engine;
/** @type {ReturnType<typeof baseImages>} */
let bases;
/** Figures of each image, printed at the end. @type {Record<string, Record<string, string | number>>} */
const figures = Object.fromEntries(apps.map((app) => [app, {}]));
const imageOf = (/** @type {string} */ app) => `millwright/${app}:local`;
/** @param {number} since of performance.now() */
const seconds = (since) => Number(((performance.now() - since) / 1000).toFixed(1));
/** @param {string} image @returns {number} */
const sizeOf = (image) => Number(docker(['image', 'inspect', '--format', '{{.Size}}', image]));

before(async () => {
  await engine.prepare('builds');
  bases = baseImages(engine);
});
after(() => {
  process.stdout.write(`base image: ${Math.round(sizeOf(bases.node) / MIB)} MiB\n`);
  console.table(figures);
});

describe('docker/Dockerfile', () => {
  for (const app of apps)
    it(`builds the image of ${app}`, () => {
      const since = performance.now();
      buildImage(engine, app);
      Object.assign(figures[app] ?? {}, { 'build s': seconds(since) });
    });
});

/**
 * Commands that inspect an image. They print the size of /app in KiB, every file of /app, writable paths, programs with setuid or setgid, and files
 * that look like private keys.
 */
const LOOK = `du -sk /app | cut -f1; find /app -type f | sed 's/^/file /'; find / -xdev -writable ! -type l 2>/dev/null | sed 's/^/writable /'
find /app -xdev -perm /6000 | sed 's/^/setuid /'; find / -xdev -name '*.pem' -path '*key*' -o -xdev -name 'id_*' -path '*/.ssh/*' | sed 's/^/key /'`;
const UNWANTED =
  /(\.test\.|\.spec\.|\/node_modules\/|\.tsx?$|\.map$|\.pem$|\.key$|\/\.env|\/\.git|\.npmrc|tsbuildinfo)/;

describe('an image', () => {
  for (const app of apps)
    it(`of ${app} contains its bundle and its notices, and no unneeded files`, () => {
      const restricted = ['--network', 'none', '--read-only', '--cap-drop', 'ALL', '--entrypoint', 'sh'];
      const [kib = '', ...lines] = docker(['run', '--rm', ...restricted, imageOf(app), '-c', LOOK])
        .trim()
        .split('\n');
      const of = (/** @type {string} */ kind) =>
        lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
      const files = of('file');
      for (const name of ['main.js', 'LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'package.json'])
        assert.ok(files.includes(`/app/${name}`), name);
      assert.deepEqual(
        files.filter((file) => UNWANTED.test(file)),
        [],
      );
      assert.deepEqual({ writable: of('writable'), setuid: of('setuid'), keys: of('key') }, NOTHING);

      const appSize = Number(kib) * 1024;
      const size = sizeOf(imageOf(app));
      assert.ok(size <= MOST_SIZE * (sizeOf(bases.node) + appSize), `${size} bytes`);
      const layers = Number(docker(['image', 'inspect', '--format', '{{len .RootFS.Layers}}', imageOf(app)]));
      const { Config } = JSON.parse(docker(['image', 'inspect', imageOf(app)]))[0];
      assert.deepEqual(
        { user: Config.User, entrypoint: Config.Entrypoint, folder: Config.WorkingDir },
        { user: '1000:1000', entrypoint: ['node', 'main.js'], folder: '/app' },
      );
      assert.doesNotMatch(Config.Env.join('\n'), /KEY|TOKEN|SECRET|PASSWORD|_URL/);
      Object.assign(figures[app] ?? {}, {
        'image MiB': Math.round(size / MIB),
        'app MiB': Number((appSize / MIB).toFixed(1)),
        files: files.length,
        layers,
      });
    });
});
const NOTHING = { writable: [], setuid: [], keys: [] };

describe('the images together', () => {
  const id = `millwright-images-${process.pid}`;
  const password = randomBytes(12).toString('hex');
  const databaseUrl = `postgresql://millwright:${password}@postgres:5432/millwright`;
  const ring = `drill:${randomBytes(32).toString('base64')}`;
  /** @type {string[]} */
  const containers = [];
  /** @param {string} name @param {string[]} args */
  const run = (name, args) => {
    containers.push(`${id}-${name}`);
    docker(['run', '--detach', '--name', `${id}-${name}`, '--network', id, '--network-alias', name, ...args]);
  };
  /** Returns the settings of an app's pod in the production manifests. @param {string} overlay @param {string} kind */
  const podOf = (overlay, kind) => {
    const objects = render(kubectl, join(root, 'k8s', overlay));
    const [owner] = ofKind(objects, kind);
    const [container] = owner.spec.template.spec.containers;
    return { spec: owner.spec.template.spec, container, env: environmentOf(container, objects) };
  };
  /** Returns the engine's options that correspond to the security contexts of a pod and its container, and to the memory limit. @param {any} pod */
  const restrictions = ({ spec, container }) => {
    const { capabilities, allowPrivilegeEscalation, readOnlyRootFilesystem } = container.securityContext;
    const { runAsUser, runAsGroup, seccompProfile } = spec.securityContext;
    assert.deepEqual(
      [capabilities.drop, allowPrivilegeEscalation, readOnlyRootFilesystem, seccompProfile.type],
      [['ALL'], false, true, 'RuntimeDefault'],
    );
    return [
      ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--init=false'],
      ...['--user', `${runAsUser}:${runAsGroup}`, '--memory', `${amountOf(container.resources.limits.memory)}m`],
    ];
  };
  /** @param {Record<string, string>} env */
  const environment = (env) => Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

  before(async () => {
    await engine.prepare('containers');
    docker(['network', 'create', id]);
    docker(['volume', 'create', id]);
    const owner = ['run', '--rm', '--user', '0', '--entrypoint', 'chown', '--volume', `${id}:/keys`];
    docker([...owner, imageOf('cli'), '1000:1000', '/keys']);
    docker([
      'run',
      '--rm',
      '--network',
      'none',
      '--volume',
      `${id}:/keys`,
      imageOf('cli'),
      ...'key-files create --folder /keys'.split(' '),
    ]);
    const login = { POSTGRES_USER: 'millwright', POSTGRES_PASSWORD: password };
    run('postgres', [...environment(login), bases.postgres]);
    run('redis', [bases.redis, 'redis-server', '--save', '']);
    await until(() => docker(['exec', `${id}-postgres`, 'pg_isready', '-h', '127.0.0.1', '-U', 'millwright']));
  });
  after(() => {
    for (const name of containers.reverse()) docker(['rm', '--force', '--volumes', name]);
    docker(['volume', 'rm', id]);
    docker(['network', 'rm', id]);
  });

  it('the migrate Job of the manifests migrates an empty database', () => {
    const since = performance.now();
    const pod = podOf('migrate/overlays/production', 'Job');
    const env = environment({ ...pod.env, DATABASE_URL: databaseUrl, DATA_TLS: 'optional' });
    docker(['run', '--rm', '--network', id, ...restrictions(pod), ...env, imageOf('cli'), ...pod.container.args]);
    Object.assign(figures['cli'] ?? {}, { 'ready s': seconds(since) });
  });

  for (const app of areas)
    it(`${app} becomes ready within its memory limit, and logs no refused permission`, async () => {
      const pod = podOf(`areas/${app}/overlays/production`, 'Deployment');
      const keys = `type=volume,src=${id},dst=/run/keys,readonly,volume-subpath=${app}`;
      const hasKeys = 'SIGNING_KEY_FILE' in pod.env;
      const replaced = {
        DATABASE_URL: databaseUrl,
        REDIS_URL: 'redis://redis:6379',
        SECRETS_KEYS: ring,
        SIGNING_KEY_FILE: '/run/keys/signing-key.pem',
        DEVICE_CA_KEY_FILE: '/run/keys/device-ca.pem',
        DEVICE_CA_CERT_FILE: '/run/keys/device-ca-certificate.pem',
      };
      // The Secret may lack this key: an installation without a pooler has only one address of the database.
      delete pod.env['DATABASE_DIRECT_URL'];
      const known = Object.entries(replaced).filter(([name]) => name in pod.env);
      const env = {
        ...pod.env,
        ...Object.fromEntries(known),
        ...('DATABASE_URL' in pod.env && { DATA_TLS: 'optional' }),
      };
      const since = performance.now();
      run(app, [...restrictions(pod), ...environment(env), ...(hasKeys ? ['--mount', keys] : []), imageOf(app)]);
      const path = pod.container.readinessProbe.httpGet.path;
      try {
        await until(() => probe(`${id}-${app}`, `http://127.0.0.1:9090${path}`));
      } catch (error) {
        throw new Error(docker(['logs', `${id}-${app}`]), { cause: error });
      }
      const used = docker(['exec', `${id}-${app}`, 'cat', '/proc/1/status']);
      const resident = Number(/VmRSS:\s+(\d+)/.exec(used)?.[1]) / 1024;
      Object.assign(figures[app] ?? {}, { 'ready s': seconds(since), 'resident MiB': Math.round(resident) });
      assert.doesNotMatch(docker(['logs', `${id}-${app}`]), /EROFS|EACCES|EPERM/);
    });

  it('the console answers through the gateway', () => {
    const answer = docker(['exec', `${id}-gateway`, 'node', '-e', FOLLOW, 'http://127.0.0.1:3000', hostOf()]);
    assert.match(answer, /^200 text\/html/);
  });

  // The gateway stops first, so that no service has requests in flight.
  for (const app of ['gateway', ...areas.filter((name) => name !== 'gateway')])
    it(`${app} exits on SIGTERM within its grace period`, () => {
      const { spec } = podOf(`areas/${app}/overlays/production`, 'Deployment');
      const since = performance.now();
      docker(['stop', '--time', String(spec.terminationGracePeriodSeconds), `${id}-${app}`]);
      Object.assign(figures[app] ?? {}, { 'stop s': seconds(since) });
      const { ExitCode, OOMKilled } = JSON.parse(docker(['inspect', '--format', '{{json .State}}', `${id}-${app}`]));
      assert.deepEqual({ ExitCode, OOMKilled }, { ExitCode: 0, OOMKilled: false });
    });

  /** Returns the host name of the base address in the gateway's environment. */
  function hostOf() {
    return new URL(podOf('areas/gateway/overlays/production', 'Deployment').env['BASE_URL'] ?? '').host;
  }
});

const PROBE = 'fetch(process.argv[1]).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))';
/** A program that follows redirects from `/`, and prints the status and the type of the page at their end. */
const FOLLOW = `const [, address, host] = process.argv;
const get = (path, hops) => require('node:http').get(address + path, { headers: { host } }, ({ statusCode, headers }) => {
  if (headers.location && hops > 0) return get(new URL(headers.location, 'https://' + host).pathname, hops - 1);
  console.log(statusCode, headers['content-type']);
  process.exit(0);
});
get('/', 5);`;

/** @param {string} container @param {string} url */
const probe = (container, url) => docker(['exec', container, 'node', '-e', PROBE, url]);

/** Repeats a command until it succeeds. @param {() => unknown} command */
async function until(command) {
  for (const deadline = Date.now() + READY_MS; ; await delay(500))
    try {
      return void command();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
}
