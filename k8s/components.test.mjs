// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../tools/workspace.mjs';
import { readConfigSchemas } from './verify/config-schemas.mjs';
import { findKubectl, render } from './verify/kubectl.mjs';
import { areas, environmentOf, idOf, ofKind, rules } from './verify/rules.mjs';

const folder = import.meta.dirname;
const kubectl = findKubectl();
const schemas = await readConfigSchemas([...areas, 'cli']);
const work = mkdtempSync(join(tmpdir(), 'millwright-components-'));
after(() => rmSync(work, { recursive: true, force: true }));

/** Renders an overlay with one more component. @param {string} overlay @param {string} component */
function withComponent(overlay, component) {
  const own = mkdtempSync(join(work, 'overlay-'));
  const from = (/** @type {string} */ path) => relative(own, join(folder, path));
  const text = [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    `resources: [${from(overlay)}]`,
    `components: [${from(component)}]`,
  ];
  writeFileSync(join(own, 'kustomization.yaml'), text.join('\n'));
  return render(kubectl, own);
}

for (const area of areas)
  describe(`traces, in the overlay of ${area}`, () => {
    const path = `areas/${area}/overlays/production`;
    const objects = withComponent(path, 'components/traces');
    const plain = render(kubectl, join(folder, path));
    const appOf = (/** @type {any[]} */ all) => ofKind(all, 'Deployment')[0].spec.template.spec.containers[0];

    it('are off without the component and on with the component, which breaks no rule of the manifests', () => {
      assert.equal(environmentOf(appOf(plain), plain)['OTEL_EXPORTER_OTLP_ENDPOINT'], undefined);
      assert.match(String(environmentOf(appOf(objects), objects)['OTEL_EXPORTER_OTLP_ENDPOINT']), /^http:.*:4318$/);
      const faults = rules.flatMap((rule) => rule.faults({ path, environment: 'production', schemas, objects }));
      assert.deepEqual(faults, []);
    });

    it('add no object to the overlay', () => {
      const names = (/** @type {any[]} */ all) => all.map((object) => idOf(object).replace(/-[a-z0-9]{10}$/, ''));
      assert.deepEqual(names(objects).sort(), names(plain).sort());
    });

    it('are sampled by trace id, independent of the caller', () => {
      assert.equal(environmentOf(appOf(objects), objects)['OTEL_TRACES_SAMPLER'], 'traceidratio');
    });

    it('fail the check when the NetworkPolicy does not allow connections to the collector', () => {
      const spoilt = structuredClone(objects);
      const policy = spoilt.find((object) => idOf(object) === `NetworkPolicy/${area}`);
      policy.spec.egress = policy.spec.egress.filter(
        (/** @type {any} */ { ports }) => !ports?.some((/** @type {any} */ { port }) => port === 4318),
      );
      const faults = rules.flatMap((rule) =>
        rule.faults({ path, environment: 'production', schemas, objects: spoilt }),
      );
      assert.match(faults.join('\n'), /collector/);
    });

    it('read the collector’s credential from a Secret, and fail the check when the credential is in clear text', () => {
      const spoilt = structuredClone(objects);
      const variable = appOf(spoilt).env.find((/** @type {any} */ { name }) => name === 'OTEL_EXPORTER_OTLP_HEADERS');
      delete variable.valueFrom;
      variable.value = 'authorization=Bearer%20x';
      const faults = rules.flatMap((rule) =>
        rule.faults({ path, environment: 'production', schemas, objects: spoilt }),
      );
      assert.deepEqual(faults, [`Deployment/${area}: has OTEL_EXPORTER_OTLP_HEADERS in the clear`]);
    });
  });

describe('k8s/monitoring', () => {
  const objects = render(kubectl, join(folder, 'monitoring'));

  it('contains a PodMonitor, the alerts and the dashboard, in the namespace of the services', () => {
    assert.deepEqual(objects.map(idOf).sort(), [
      'ConfigMap/millwright-dashboard',
      'PodMonitor/millwright',
      'PrometheusRule/millwright',
    ]);
    for (const { metadata } of objects) assert.equal(metadata.namespace, 'millwright');
  });

  it('scrapes the probe port of the pods of every service', () => {
    const [monitor] = ofKind(objects, 'PodMonitor');
    const [endpoint] = monitor.spec.podMetricsEndpoints;
    assert.equal(endpoint.honorLabels, true);
    for (const area of areas) {
      const [deployment] = ofKind(render(kubectl, join(folder, `areas/${area}/overlays/production`)), 'Deployment');
      const { metadata, spec } = deployment.spec.template;
      for (const [name, value] of Object.entries(monitor.spec.selector.matchLabels))
        assert.equal(metadata.labels[name], value);
      const ports = spec.containers[0].ports.map((/** @type {any} */ { name }) => name);
      assert.ok(ports.includes(endpoint.port), area);
    }
  });

  it('contains an unchanged copy of the dashboard, in a ConfigMap with the label that Grafana’s sidecar searches for', () => {
    const [map] = ofKind(objects, 'ConfigMap');
    assert.equal(map.metadata.labels.grafana_dashboard, '1');
    const file = join(folder, 'components/grafana-dashboard/millwright.json');
    assert.equal(map.data['millwright.json'], readFileSync(file, 'utf8'));
  });

  it('is described in docs/runbooks/deploy.md, together with the component and the Secret for traces', () => {
    const text = readFileSync(join(root, 'docs/runbooks/deploy.md'), 'utf8');
    for (const expected of ['kubectl apply -k k8s/monitoring', 'k8s/components/traces', '`tracing-secrets`'])
      assert.ok(text.includes(expected), expected);
  });
});
