// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { deviceCaFiles } from '../tools/start/device-ca.mjs';
import { signingKeyFile } from '../tools/start/signing-keys.mjs';
import { freePorts } from '../tools/ports.mjs';
import { startTestServers } from '../tools/test-servers.mjs';
import { root } from '../tools/workspace.mjs';
import { findKubectl, render } from '../k8s/verify/kubectl.mjs';
import { areas, environmentOf, ofKind } from '../k8s/verify/rules.mjs';
import { createRootFolder, isRestricted, runContainer } from './container.mjs';
import { dockerfileRules } from './dockerfile-rules.mjs';
import { createIgnore } from './ignore.mjs';

const text = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');

describe('the Dockerfile', () => {
  for (const { name, faults, breaks } of dockerfileRules)
    it(`fulfils the rule “${name}”; a Dockerfile that breaks the rule fails the check`, () => {
      assert.deepEqual(faults(text), []);
      const broken = breaks(text);
      assert.notEqual(broken, text);
      assert.notDeepEqual(faults(broken), []);
    });
});

describe('the build context', () => {
  const isIgnored = createIgnore(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
  const sent = files.filter((file) => !isIgnored(file));

  it('contains every package of the workspace, and the files that Nx, npm and the build read', () => {
    const needed = files.filter(
      (file) =>
        /^(apps|libs)\/[^/]+\/(package\.json|src\/(?!.*\.test\.tsx?$).*\.tsx?)$/.test(file) ||
        /^(package(-lock)?\.json|nx\.json|\.npmrc|tsconfig[^/]*\.json)$/.test(file),
    );
    assert.deepEqual(needed.filter(isIgnored), []);
    for (const folder of ['prisma/migrations/', 'prisma/roles/', 'config/', 'tools/'])
      assert.ok(
        sent.some((file) => file.startsWith(folder)),
        folder,
      );
  });

  it('contains every file that the build of a package reads from outside the folder of the package', () => {
    const inputs = files
      .filter((file) => /^(apps|libs)\/[^/]+\/package\.json$/.test(file))
      .flatMap((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).nx?.targets?.build?.inputs ?? [])
      .map((input) => /^\{workspaceRoot\}\/([^*]+)/.exec(input)?.[1])
      .filter((path) => path !== undefined);
    assert.ok(inputs.includes('docs/'), `${inputs}`);
    const needed = files.filter((file) =>
      inputs.some((path) => file === path || (path.endsWith('/') && file.startsWith(path))),
    );
    assert.deepEqual(needed.filter(isIgnored), []);
  });

  it('contains only files that images are built from', () => {
    assert.deepEqual(
      sent.filter((file) => /^(k8s|acceptance|bench|docker|\.git|\.github|\.ci)\//.test(file)),
      [],
    );
    assert.deepEqual(
      sent.filter((file) => /\.test\.(ts|mjs)$/.test(file)),
      [],
    );
  });

  it('contains no secrets, builds or installed packages in any folder', () => {
    for (const file of [
      ...[
        '.env',
        '.env.local',
        'apps/runtime-api/.env',
        '.git/config',
        '.millwright/platform.json',
        'node_modules/x/index.js',
      ],
      ...[
        'apps/gateway/node_modules/x/index.js',
        'apps/gateway/dist/main.js',
        'libs/db/src/generated/client.ts',
        'signing-key.pem',
      ],
    ])
      assert.ok(isIgnored(file), file);
  });
});

const kubectl = findKubectl();

const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
const given = TEST_DATABASE_URL && TEST_REDIS_URL ? { TEST_DATABASE_URL, TEST_REDIS_URL } : undefined;
const name = `images_${process.pid}`;
/** @type {{ DATABASE_URL: string, REDIS_URL: string }} */
let servers;
/** @type {() => Promise<void>} */
let stopServers = () => Promise.resolve();

before(async () => {
  const own = given ? undefined : await startTestServers();
  const { TEST_DATABASE_URL: serverUrl, TEST_REDIS_URL: redisUrl } = /** @type {NonNullable<typeof given>} */ (
    given ?? own?.env
  );
  /** @param {string} sql */
  const run = async (sql) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const database = new URL(serverUrl);
  database.pathname = `/${name}`;
  servers = { DATABASE_URL: database.href, REDIS_URL: redisUrl };
  stopServers = async () => {
    await run(`DROP DATABASE ${name} WITH (FORCE)`);
    await own?.stop();
  };
});
after(() => stopServers());

/**
 * Returns the environment of the app in its production overlay, but with keys in `folder`, with the servers of the tests, and with free ports.
 *
 * @param {string} app @param {string} folder
 */
async function environmentFor(app, folder) {
  const objects = render(kubectl, join(root, `k8s/areas/${app}/overlays/production`));
  const [deployment] = ofKind(objects, 'Deployment');
  const [port, adminPort] = await freePorts(2);
  const given = /** @type {Record<string, string>} */ (
    environmentOf(deployment.spec.template.spec.containers[0], objects)
  );
  const files = {
    SIGNING_KEY_FILE: signingKeyFile(join(folder, 'keys'), app),
    ...(await deviceCaFiles(join(folder, 'keys'))),
  };
  chmodSync(join(folder, 'keys'), 0o755);
  for (const name of readdirSync(join(folder, 'keys')))
    if (isRestricted) chownSync(join(folder, 'keys', name), 1000, 1000);
  const replaced = Object.entries(files).filter(([name]) => name in given);
  // The Secret may lack this key: an installation without a pooler has only one address of the database.
  delete given['DATABASE_DIRECT_URL'];
  return {
    ...given,
    ...Object.fromEntries(replaced),
    // The servers of the tests are on this machine and have no TLS.
    ...('DATABASE_URL' in given && { ...servers, DATA_TLS: 'optional' }),
    SHUTDOWN_ANNOUNCE_MS: '0',
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  };
}

/** @param {string} url @param {import('./container.mjs').Container} container */
async function untilReady(url, container) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await delay(50)) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`it is not ready:\n${container.output()}`);
}

describe(`the image of each app${isRestricted ? ', run read-only, without capabilities, as process 1' : ''}`, () => {
  it('cli: contains all migrations and roles, and the migrate Job migrates an empty database', async () => {
    const objects = render(kubectl, join(root, 'k8s/migrate/overlays/production'));
    const [job] = ofKind(objects, 'Job').map(({ spec }) => spec.template.spec.containers[0]);
    const { given, args } = { given: environmentOf(job, objects), args: job.args };
    const { folder, remove } = createRootFolder('cli');
    try {
      const container = runContainer(
        folder,
        { ...given, DATABASE_URL: servers.DATABASE_URL, DATA_TLS: 'optional' },
        args,
      );
      assert.equal(await container.exited, 0, container.output());
      assert.deepEqual(
        readdirSync(join(folder, 'app/migrations')).sort(),
        readdirSync(join(root, 'prisma/migrations')).sort(),
      );
      assert.deepEqual(readdirSync(join(folder, 'app/roles')).sort(), readdirSync(join(root, 'prisma/roles')).sort());
    } finally {
      remove();
    }
  });

  for (const app of areas)
    it(`${app}: starts its service, becomes ready, and exits 0 on SIGTERM`, async () => {
      const { folder, remove } = createRootFolder(app);
      try {
        const env = await environmentFor(app, folder);
        const container = runContainer(folder, env);
        try {
          await untilReady(`http://127.0.0.1:${env.ADMIN_PORT}/readyz`, container);
          assert.equal(await container.stop(), 0, container.output());
          assert.doesNotMatch(container.output(), /EROFS|EACCES|EPERM/);
        } finally {
          container.kill();
        }
      } finally {
        remove();
      }
    });
});
