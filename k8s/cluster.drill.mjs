// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { root } from '../tools/workspace.mjs';
import { startApiServer } from './cluster/api-server.mjs';
import { findHelm, findKubectl, render } from './verify/kubectl.mjs';
import { idOf, ofKind } from './verify/rules.mjs';

/*
 * Applies the manifests and the chart to a real API server with its controllers: strict validation, Pod Security, quota, and the creation
 * of pods. There are no nodes, so no container runs; `npm run cluster:nodes` runs containers on nodes.
 */

const folder = import.meta.dirname;
const chart = join(root, 'charts/millwright');
/** API groups that a plain Kubernetes does not have. */
const ADDED_APIS = /^(gateway\.networking\.k8s\.io|external-secrets\.io|monitoring\.coreos\.com|keda\.sh|cilium\.io)\//;
/** Time limit in milliseconds within which the controllers must create pods. */
const PODS_WITHIN_MS = 120_000;
const overlays = globSync('**/overlays/*/kustomization.yaml', { cwd: folder }).map(dirname).sort();
const program = findKubectl();

/** @type {Awaited<ReturnType<typeof startApiServer>>} */
let cluster;
let skipped = 0;
let validated = 0;

before(async () => {
  cluster = await startApiServer();
  console.log(cluster.version);
});
after(async () => {
  await cluster?.stop();
  console.log(`${validated} objects validated by the API server, ${skipped} of added APIs skipped`);
});

/** @param {string[]} args @param {object[]} [objects] sent as a list */
function kubectl(args, objects) {
  const { status, stdout, stderr } = spawnSync(program, ['--kubeconfig', cluster.kubeconfig, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    ...(objects && { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) }),
  });
  return { status, stdout, stderr };
}

/** @param {string[]} args @param {object[]} [objects] @returns {string} its output */
function succeed(args, objects) {
  const { status, stdout, stderr } = kubectl(args, objects);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** @param {any[]} objects */
function known(objects) {
  const kept = objects.filter(({ apiVersion }) => !ADDED_APIS.test(apiVersion));
  skipped += objects.length - kept.length;
  return kept;
}

/** @param {any[]} objects @param {string[]} [further] */
const apply = (objects, further = []) =>
  succeed(['apply', '--server-side', '--force-conflicts', '--validate=strict', ...further, '-f', '-'], known(objects));

/** @param {any[]} objects whose namespace exists */
function validate(objects) {
  validated += known(objects).length;
  skipped -= objects.length - known(objects).length;
  return apply(objects, ['--dry-run=server']);
}

/** @param {string} path */
const objectsOf = (path) => render(program, join(folder, path));

/** @param {string[]} args @returns {any[]} */
const list = (...args) => JSON.parse(succeed(['--namespace', 'millwright', 'get', ...args, '-o', 'json'])).items;

/** @template T @param {() => T | undefined} ask @param {() => string} state @returns {Promise<T>} */
async function until(ask, state) {
  for (const deadline = Date.now() + PODS_WITHIN_MS; Date.now() < deadline; await delay(500)) {
    const answer = ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`not within ${PODS_WITHIN_MS} ms: ${state()}`);
}

/**
 * Returns the warning events of the namespace, such as refusals of pods by Pod Security or by the quota. Warnings about a Service are left out,
 * because on a busy machine the API server itself creates them when it repairs its record of addresses.
 */
const warnings = () =>
  list('events')
    .filter(({ type, involvedObject }) => type === 'Warning' && involvedObject.kind !== 'Service')
    .map(({ reason, message }) => `${reason}: ${message}`);

for (const environment of ['production', 'dev'])
  describe(`the overlays of ${environment} on an API server`, () => {
    before(() => apply(objectsOf(`platform/overlays/${environment}`)));
    after(() => {
      succeed(['delete', 'namespace', 'millwright', '--wait=true', '--timeout=300s']);
    });

    for (const path of overlays.filter((path) => basename(path) === environment))
      it(`have only valid objects: ${path}`, () => {
        assert.doesNotMatch(validate(objectsOf(path)), /warning/i);
      });

    it('lead to pods of every service and of the migration, none of which is refused', async () => {
      const all = [...objectsOf(`migrate/overlays/${environment}`), ...objectsOf(`overlays/${environment}`)];
      apply(all);
      const wanted = list('deployments,statefulsets,jobs').map(({ metadata }) => metadata.name);
      assert.ok(wanted.length >= ofKind(all, 'Deployment', 'Job').length);
      const ownerOf = (/** @type {any} */ pod) => String(pod.metadata.generateName ?? pod.metadata.name);
      const withoutPod = () => {
        const owners = list('pods').map(ownerOf);
        return wanted.filter((name) => !owners.some((owner) => owner.startsWith(`${name}-`)));
      };
      await until(
        () => (withoutPod().length === 0 ? true : undefined),
        () => `${withoutPod()} have no pod: ${warnings()}`,
      );
      assert.deepEqual(warnings(), []);
    });

    it('change no Deployment when they are applied again', () => {
      const versions = () => list('deployments').map(({ metadata }) => [metadata.name, metadata.generation]);
      const before = versions();
      apply(objectsOf(`overlays/${environment}`));
      apply(objectsOf(`migrate/overlays/${environment}`));
      assert.deepEqual(versions(), before);
    });

    it('lead to a pod of a new version beside the former pods, and can be rolled back', async () => {
      const path = `areas/platform-api/overlays/${environment}`;
      const deployment = () => list('deployments', '-l', 'app.kubernetes.io/name=platform-api')[0];
      const former = deployment().spec.template;
      apply(JSON.parse(JSON.stringify(objectsOf(path)).replaceAll(/(millwright\/platform-api):[\w.-]+/g, '$1:99.0.0')));
      const images = () =>
        list('pods', '-l', 'app.kubernetes.io/name=platform-api').map(({ spec }) => spec.containers[0].image);
      // Without nodes no pod becomes ready, and the former pods stay because `maxUnavailable` is 0.
      await until(
        () => (new Set(images()).size === 2 ? true : undefined),
        () => `${images()}; ${warnings()}`,
      );
      succeed(['--namespace', 'millwright', 'rollout', 'undo', 'deployment/platform-api']);
      assert.deepEqual(deployment().spec.template, former);
      assert.deepEqual(warnings(), []);
    });

    it('admit Jobs of their CronJobs for the command line and the backup', async () => {
      for (const { metadata } of list('cronjobs')) {
        const job = `${metadata.name}-now`;
        succeed(['--namespace', 'millwright', 'create', 'job', job, `--from=cronjob/${metadata.name}`]);
        await until(
          () => list('pods', '-l', `job-name=${job}`)[0],
          () => `${job} has no pod: ${warnings()}`,
        );
      }
    });

    it('make the API server refuse a pod that does not meet Pod Security `restricted`', () => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'privileged', namespace: 'millwright' },
        spec: { containers: [{ name: 'app', image: 'example', securityContext: { privileged: true } }] },
      };
      const { status, stderr } = kubectl(['create', '-f', '-'], [pod]);
      assert.notEqual(status, 0);
      assert.match(stderr, /violates PodSecurity "restricted/);
    });
  });

describe('the Helm chart on an API server', () => {
  const rendered = (/** @type {string[]} */ ...args) => {
    const command = ['template', 'millwright', chart, '--namespace', 'millwright-chart', ...args];
    const { status, stdout, stderr } = spawnSync(findHelm(), command, { encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(status, 0, stderr);
    return parseAllDocuments(stdout)
      .map((document) => document.toJS())
      .filter((object) => object !== null);
  };
  before(() => {
    succeed(['create', 'namespace', 'millwright-chart']);
  });

  for (const [name, args] of Object.entries({ 'default values': [], backups: ['--set', 'backup.enabled=true'] }))
    it(`accepts every object of ${name}`, () => {
      const objects = rendered(...args);
      assert.ok(objects.length > 20, `${objects.map(idOf)}`);
      validate(objects);
    });
});
