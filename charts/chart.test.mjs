// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { findHelm } from '../k8s/verify/kubectl.mjs';
import { areas, idOf, ofKind } from '../k8s/verify/rules.mjs';
import { root } from '../tools/workspace.mjs';
import { chartTemplates, rendered, templatesFolder, withoutHash } from './write-chart.mjs';

const helm = findHelm();
const chart = join(root, 'charts/millwright');

/** @param {object} [values] */
function template(values = {}) {
  const args = ['template', 'millwright', chart, '--namespace', 'millwright', '--values', '-'];
  const { status, stdout, stderr } = spawnSync(helm, args, {
    encoding: 'utf8',
    input: JSON.stringify(values),
    maxBuffer: 1 << 26,
  });
  return { status, stdout, stderr };
}
/** @param {object} [values] @returns {any[]} */
function objects(values) {
  const { status, stdout, stderr } = template(values);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS())
    .filter((object) => object !== null);
}

/**
 * Objects by kind and name, without the differences between Kustomize and Helm: hashes in names, and the annotations that roll pods out
 * when settings change.
 *
 * @param {any[]} all
 */
function comparable(all) {
  /** @param {any} value @returns {any} */
  const plain = (value) => {
    if (typeof value === 'string') return withoutHash(value).replace(/^(migrate-[\d-]+)-[0-9a-f]{8}$/, '$1');
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  };
  const result = all.map(plain).map((object) => {
    const { metadata } = object.spec?.template ?? {};
    if (metadata?.annotations) {
      delete metadata.annotations['checksum/settings'];
      if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
    }
    return [idOf(object), object];
  });
  return Object.fromEntries(result.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const routed = areas.filter((area) => area !== 'gateway');
const always = [
  ...rendered('migrate/overlays/production'),
  ...rendered('platform/overlays/production').filter(({ kind }) => kind !== 'Namespace'),
];
const production = rendered('overlays/production');
const each = (/** @type {string} */ name) => routed.map((area) => `areas/${area}/${name}`);

/** The objects of the installation with these components for backups. @param {string[]} components */
const backedUp = (...components) => [
  ...production,
  ...rendered('migrate/overlays/production', components).map((object) =>
    object.kind === 'PersistentVolumeClaim'
      ? { ...object, metadata: { ...object.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } }
      : object,
  ),
  ...always.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] !== 'migrate'),
];

describe("the chart's templates", () => {
  const templates = chartTemplates();

  it('are equal to the output of `npm run chart`', () => {
    const written = globSync('*', { cwd: templatesFolder }).filter(
      (name) => !['_helpers.tpl', 'extra.yaml'].includes(name),
    );
    assert.deepEqual(written.sort(), Object.keys(templates).sort());
    for (const [name, text] of Object.entries(templates))
      assert.equal(readFileSync(join(templatesFolder, name), 'utf8'), text, `${name}: run npm run chart`);
  });

  it('have the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { version: own, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
    assert.deepEqual([own, appVersion], [version, version]);
  });
});

describe('helm template', () => {
  /** Values, and the objects of Kustomize that they must produce. @type {Record<string, [object, any[]]>} */
  const equal = {
    'default values': [{}, [...production, ...always]],
    'an Ingress': [{ exposure: { type: 'ingress' } }, [...rendered('overlays/production', each('ingress')), ...always]],
    'External Secrets': [
      { externalSecrets: { enabled: true } },
      [...rendered('overlays/production', each('external-secrets')), ...always],
    ],
    KEDA: [
      { keda: { enabled: true } },
      [...rendered('overlays/production', ['areas/runtime-api/keda', 'areas/prompt-api/keda']), ...always],
    ],
    'our gateway': [
      { gateway: { enabled: true } },
      [...production, ...rendered('areas/gateway/overlays/production'), ...always],
    ],
    backups: [{ backup: { enabled: true } }, backedUp('components/backup')],
    'backups with the files of the bucket': [
      { backup: { enabled: true, files: true } },
      backedUp('components/backup', 'components/backup-files'),
    ],
    monitoring: [{ monitoring: { enabled: true } }, [...production, ...rendered('monitoring'), ...always]],
  };
  for (const [name, [values, wanted]] of Object.entries(equal))
    it(`with ${name} renders the same objects as Kustomize`, () => {
      assert.deepEqual(comparable(objects(values)), comparable(wanted));
    });

  it('gives every pod the registry, digest, pull secrets and additions that the values name', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const all = objects({
      image: {
        repository: 'registry.local:5000/acme/millwright',
        digests: { cli: digest },
        pullSecrets: [{ name: 'pull' }],
      },
      services: {
        'prompt-api': { env: [{ name: 'A', value: 'b' }], volumes: [{ name: 'ca', configMap: { name: 'ca' } }] },
      },
    });
    const pods = [
      ...ofKind(all, 'Deployment', 'Job').map(({ spec }) => spec.template.spec),
      ...ofKind(all, 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template.spec),
    ];
    for (const pod of pods) {
      assert.match(
        pod.containers[0].image,
        /^registry\.local:5000\/acme\/millwright\/[a-z-]+(:\d+\.\d+\.\d+|@sha256:a{64})$/,
      );
      assert.deepEqual(pod.imagePullSecrets, [{ name: 'pull' }]);
    }
    const [job] = ofKind(all, 'Job');
    assert.equal(job.spec.template.spec.containers[0].image, `registry.local:5000/acme/millwright/cli@${digest}`);
    assert.match(job.metadata.name, /^[a-z0-9-]{1,63}$/);
    const prompt = ofKind(all, 'Deployment').find(({ metadata }) => metadata.name === 'prompt-api').spec.template.spec;
    assert.ok(prompt.containers[0].env.some((/** @type {any} */ { name, value }) => name === 'A' && value === 'b'));
    assert.deepEqual(prompt.volumes, [{ name: 'ca', configMap: { name: 'ca' } }]);
  });

  it('rolls out a service when its settings change, and no other service', () => {
    const sum = (/** @type {any[]} */ all) =>
      Object.fromEntries(
        ofKind(all, 'Deployment').map(({ metadata, spec }) => [
          metadata.name,
          spec.template.metadata.annotations['checksum/settings'],
        ]),
      );
    const before = sum(objects());
    const all = objects({ services: { 'runtime-api': { settings: { LOG_LEVEL: 'debug', PORT: '3000' } } } });
    const after = sum(all);
    assert.deepEqual(
      Object.keys(after).filter((name) => after[name] !== before[name]),
      ['runtime-api'],
    );
    const map = ofKind(all, 'ConfigMap').find(({ metadata }) => metadata.name === 'runtime-api-settings');
    assert.equal(map.data.LOG_LEVEL, 'debug');
  });

  it('gives the migrate Job another name when its pod changes', () => {
    const nameOf = (/** @type {object} */ values) => ofKind(objects(values), 'Job')[0].metadata.name;
    assert.notEqual(nameOf({ migrate: { env: [{ name: 'A', value: 'b' }] } }), nameOf({}));
    assert.equal(nameOf({ services: { gateway: { settings: { LOG_LEVEL: 'debug' } } } }), nameOf({}));
  });

  it('creates Secrets, models and further objects that the values name', () => {
    const all = objects({
      secrets: { 'prompt-api-secrets': { DATABASE_URL: 'postgresql://h/d' } },
      models: { MODEL_NAME: 'gpt-5-mini' },
      extraObjects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-own' } }],
    });
    const ids = new Set(all.map(idOf));
    for (const id of ['Secret/prompt-api-secrets', 'ConfigMap/models', 'ConfigMap/millwright-own'])
      assert.ok(ids.has(id), id);
  });

  /** @type {[string, object][]} */
  const refused = [
    ['an unknown value', { imagee: {} }],
    ['an address with a path', { addresses: { base: 'https://h.example/path' } }],
    ['a tag that moves', { image: { tag: 'latest' } }],
    ['a digest of no app', { image: { digests: { worker: `sha256:${'a'.repeat(64)}` } } }],
    ['another way of exposure', { exposure: { type: 'loadBalancer' } }],
    ['a setting that is no text', { services: { gateway: { settings: { PORT: 3000 } } } }],
    ['a service that does not exist', { services: { worker: {} } }],
    ['no place of PostgreSQL', { data: { postgres: [] } }],
  ];
  for (const [name, values] of refused)
    it(`refuses ${name}`, () => {
      const { status, stderr } = template(values);
      assert.notEqual(status, 0);
      assert.match(stderr, /values don't meet the specifications of the schema/);
    });

  it('documents every value in the README', () => {
    const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'), { merge: true });
    const readme = readFileSync(join(chart, 'README.md'), 'utf8');
    for (const name of Object.keys(values))
      assert.match(readme, new RegExp(`^\\|.*\`${name}[.\`].*\\|.*\\|`, 'm'), name);
    for (const name of Object.keys(values.services['admin-auth']))
      assert.match(readme, new RegExp(`\\.${name}\``), name);
    for (const area of areas) assert.ok(area in values.services, basename(area));
  });
});
