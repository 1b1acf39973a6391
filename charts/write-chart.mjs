// @ts-check
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { findKubectl, render } from '../k8s/verify/kubectl.mjs';
import { areas, ofKind } from '../k8s/verify/rules.mjs';
import { root } from '../tools/workspace.mjs';
import { Template } from './template.mjs';

/**
 * npm run chart: writes the Helm chart's templates from the Kustomize overlays, which are their only source. Every object of the production
 * overlays becomes a template, which reads the differences between installations from the chart's values.
 */

const k8s = join(root, 'k8s');
const kubectl = findKubectl();
/** The services to which the production overlay routes requests itself. Where the Gateway API is missing, the gateway forwards to them. */
const routed = areas.filter((area) => area !== 'gateway');

/** Renders an overlay with components added. @param {string} overlay @param {string[]} [components] @returns {any[]} */
export function rendered(overlay, components = []) {
  if (components.length === 0) return render(kubectl, join(k8s, overlay));
  const work = mkdtempSync(join(k8s, '.chart-'));
  try {
    const from = (/** @type {string} */ path) => relative(work, join(k8s, path));
    const kustomization = { resources: [from(overlay)], components: components.map(from) };
    writeFileSync(join(work, 'kustomization.yaml'), JSON.stringify(kustomization));
    return render(kubectl, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The name that a ConfigMap has before Kustomize adds the hash of its contents. @param {string} name */
export const withoutHash = (name) => name.replace(/-settings-[a-z0-9]{10}$/, '-settings');

const ADDRESSES = { BASE_URL: 'base', RUNTIME_URL: 'runtime', PROMPT_API_URL: 'prompt' };
/** The base address at which each service is reached, by its name in the chart's values. @type {Record<string, string>} */
const routeOf = { 'admin-auth': 'base', 'platform-api': 'base', 'runtime-api': 'runtime', 'prompt-api': 'prompt' };
const host = (/** @type {string} */ area) => `(urlParse .Values.addresses.${routeOf[area]}).hostname`;
const service = (/** @type {string} */ area) => `(index .Values.services "${area}")`;

/** @param {any} object @param {Template} at */
function common(object, at) {
  if (object.metadata.namespace) object.metadata.namespace = at.value('.Release.Namespace');
}

/**
 * Writes the image, the pull secrets, and what an installation adds to a pod.
 *
 * @param {any} pod
 * @param {string} app
 * @param {string} of values
 * @param {Template} at
 */
function podValues(pod, app, of, at) {
  const [container] = pod.containers;
  container.image = at.value(`include "millwright.image" (list . "${app}")`);
  container.imagePullPolicy = at.value('.Values.image.pullPolicy');
  container.resources = at.block(`${of}.resources`);
  const lists = { env: container, volumeMounts: container, volumes: pod };
  for (const [name, owner] of Object.entries(lists))
    if (owner[name]) owner[name].push(at.items(`${of}.${name}`));
    else owner[name] = at.optional(`${of}.${name}`);
  pod.imagePullSecrets = at.optional('.Values.image.pullSecrets');
  for (const name of ['nodeSelector', 'tolerations', 'affinity', 'priorityClassName'])
    pod[name] = at.optional(`${of}.${name}`);
}

/** @type {Record<string, (object: any, area: string, at: Template) => void>} */
const changes = {
  ConfigMap(object, area, at) {
    if (!object.metadata.name.includes('-settings')) return;
    object.metadata.name = withoutHash(object.metadata.name);
    object.data = at.block(`include "millwright.settings" (list . "${area}") | fromYaml`);
  },
  Deployment(object, area, at) {
    const { template } = object.spec;
    for (const from of template.spec.containers[0].envFrom)
      from.configMapRef.name = withoutHash(from.configMapRef.name);
    template.metadata.annotations = {
      'checksum/settings': at.value(`include "millwright.settings" (list . "${area}") | sha256sum`),
    };
    podValues(template.spec, area, service(area), at);
  },
  HorizontalPodAutoscaler(object, area, at) {
    object.spec.minReplicas = at.value(`${service(area)}.replicas.min`);
    object.spec.maxReplicas = at.value(`${service(area)}.replicas.max`);
  },
  ScaledObject(object, area, at) {
    object.spec.minReplicaCount = at.value(`${service(area)}.replicas.min`);
    object.spec.maxReplicaCount = at.value(`${service(area)}.replicas.max`);
    for (const { type, metadata } of object.spec.triggers)
      if (type === 'prometheus') metadata.serverAddress = at.value('.Values.keda.prometheus');
  },
  HTTPRoute(object, area, at) {
    object.spec.hostnames = [at.value(host(area))];
    object.spec.parentRefs = at.block('.Values.exposure.parentRefs');
  },
  Ingress(object, area, at) {
    object.metadata.annotations = at.optional('.Values.exposure.ingressAnnotations');
    object.spec.ingressClassName = at.value('.Values.exposure.ingressClassName');
    object.spec.tls[0].hosts = [at.value(host(area))];
    object.spec.rules[0].host = at.value(host(area));
  },
  NetworkPolicy(object, _area, at) {
    const store = /-(postgres|redis)$/.exec(object.metadata.name)?.[1];
    if (store) object.spec.egress[0].to = at.block(`.Values.data.${store}`);
  },
  ExternalSecret(object, _area, at) {
    object.spec.secretStoreRef = at.block('.Values.externalSecrets.store');
  },
  Job(object, _area, at) {
    const { containers } = object.spec.template.spec;
    for (const variable of containers[0].env) {
      if (variable.name === 'JOBS_OWNER') variable.value = at.value('.Values.jobsOwner | quote');
      if (variable.name === 'DATA_TLS') variable.value = at.value('.Values.data.tls');
    }
    podValues(object.spec.template.spec, 'cli', '.Values.migrate', at);
    object.metadata.labels['millwright/release'] = at.value('include "millwright.release" .');
    object.metadata.name = at.value('include "millwright.migrateName" .');
    const { labels } = object.spec.template.metadata;
    if (labels['millwright/release']) labels['millwright/release'] = at.value('include "millwright.release" .');
  },
  CronJob(object, _area, at) {
    const pod = object.spec.jobTemplate.spec.template.spec;
    const [container] = pod.containers;
    for (const variable of container.env)
      if (variable.name === 'DATA_TLS') variable.value = at.value('.Values.data.tls');
    if (object.metadata.name !== 'migrate-cli')
      container.env.push(at.items('include "millwright.backupFiles" . | fromYamlArray'));
    if (object.metadata.name !== 'migrate-backup') return podValues(pod, 'cli', '.Values.commandLine', at);
    object.spec.suspend = at.value('not .Values.backup.enabled');
    object.spec.schedule = at.value('.Values.backup.schedule | quote');
    container.args[container.args.indexOf('--keep') + 1] = at.value('.Values.backup.keep | quote');
    container.args[container.args.indexOf('--without-files')] = at.items(
      'ternary list (list "--without-files") .Values.backup.files',
    );
    podValues(pod, 'cli', '.Values.backup', at);
  },
  PersistentVolumeClaim(object, _area, at) {
    object.metadata.annotations = { 'helm.sh/resource-policy': 'keep' };
    object.spec.storageClassName = at.optional('.Values.backup.volume.storageClassName');
    object.spec.resources.requests.storage = at.value('.Values.backup.volume.size');
  },
};

/** Returns the text of a template file for these objects. @param {any[]} objects @param {string} area @param {string} [condition] */
function templateOf(objects, area, condition) {
  const at = new Template();
  const documents = structuredClone(objects).map((object) => {
    common(object, at);
    changes[object.kind]?.(object, area, at);
    if ('millwright/release' in (object.metadata.labels ?? {}) && object.kind !== 'Job')
      object.metadata.labels['millwright/release'] = at.value('include "millwright.release" .');
    const template = object.spec?.jobTemplate?.spec.template ?? {};
    if (template.metadata?.labels?.['millwright/release'])
      template.metadata.labels['millwright/release'] = at.value('include "millwright.release" .');
    return at.text(stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  });
  const text = documents.join('---\n');
  return condition === undefined ? text : `{{- if ${condition} }}\n${text}{{- end }}\n`;
}

/** Defaults of each service's settings; the addresses are values. @param {Record<string, any[]>} objectsOf */
function settings(objectsOf) {
  const parts = areas.map((area) => {
    const [map] = ofKind(objectsOf[area] ?? [], 'ConfigMap');
    const at = new Template();
    const data = Object.fromEntries(
      Object.entries(map.data).map(([name, value]) => {
        if (name in ADDRESSES)
          return [
            name,
            at.value(`.Values.addresses.${ADDRESSES[/** @type {keyof typeof ADDRESSES} */ (name)]} | quote`),
          ];
        if (name === 'JOBS_OWNER') return [name, at.value('.Values.jobsOwner | quote')];
        return [name, name === 'DATA_TLS' ? at.value('.Values.data.tls | quote') : value];
      }),
    );
    return `{{- define "millwright.defaults.${area}" }}\n${at.text(stringify(data, { lineWidth: 0 }))}{{- end }}\n`;
  });
  return `{{- /* Of each service; services.<name>.settings adds to them and replaces them. */}}\n${parts.join('')}`;
}

/** The environment variables with which a backup reads the files in the runtime API's bucket. @param {any[]} objects */
function backupFiles(objects) {
  const backup = ofKind(objects, 'CronJob').find(({ metadata }) => metadata.name === 'migrate-backup');
  const { env } = backup.spec.jobTemplate.spec.template.spec.containers[0];
  const secrets = env.filter((/** @type {any} */ { name, valueFrom }) => name.startsWith('FILES_S3_') && valueFrom);
  return `{{- /* The bucket is that of the runtime API's settings. */}}
{{- define "millwright.backupFiles" }}
{{- if .Values.backup.files }}
{{- range $name, $value := include "millwright.settings" (list . "runtime-api") | fromYaml }}
{{- if hasPrefix "FILES_S3_" $name }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
${stringify(secrets, { lineWidth: 0 })}{{- end }}
{{- end }}
`;
}

/** The templates by the names of their files. @returns {Record<string, string>} */
export function chartTemplates() {
  const partOf = (/** @type {any[]} */ objects, /** @type {string} */ area) =>
    objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === area);
  const without = (/** @type {any[]} */ objects, /** @type {string[]} */ ...kinds) =>
    objects.filter(({ kind }) => !kinds.includes(kind));
  const components = (/** @type {string} */ name) => routed.map((area) => `areas/${area}/${name}`);
  const plain = rendered('overlays/production');
  const ingress = ofKind(rendered('overlays/production', components('ingress')), 'Ingress');
  const secrets = ofKind(rendered('overlays/production', components('external-secrets')), 'ExternalSecret');
  const keda = ofKind(
    rendered('overlays/production', ['areas/runtime-api/keda', 'areas/prompt-api/keda']),
    'ScaledObject',
  );
  const gateway = rendered('areas/gateway/overlays/production');
  const scaled = keda.map(({ metadata }) => metadata.name);
  /** @type {Record<string, string>} */
  const files = {
    '_settings.tpl': settings({ ...Object.fromEntries(routed.map((area) => [area, partOf(plain, area)])), gateway }),
  };
  for (const area of routed) {
    const own = partOf(plain, area);
    const scaler = scaled.includes(area) ? ' (not .Values.keda.enabled)' : '';
    files[`${area}.yaml`] = [
      templateOf(without(own, 'HTTPRoute', 'HorizontalPodAutoscaler'), area),
      templateOf(ofKind(own, 'HorizontalPodAutoscaler'), area, scaler === '' ? undefined : 'not .Values.keda.enabled'),
      ...(scaler === '' ? [] : [templateOf(partOf(keda, area), area, '.Values.keda.enabled')]),
      templateOf(ofKind(own, 'HTTPRoute'), area, 'eq .Values.exposure.type "httpRoute"'),
      templateOf(partOf(ingress, area), area, 'eq .Values.exposure.type "ingress"'),
      templateOf(partOf(secrets, area), area, '.Values.externalSecrets.enabled'),
    ].join('---\n');
  }
  files['gateway.yaml'] = templateOf(gateway, 'gateway', '.Values.gateway.enabled');
  const backups = rendered('migrate/overlays/production', ['components/backup', 'components/backup-files']);
  const toBucket = ofKind(backups, 'NetworkPolicy').filter(({ metadata }) => metadata.name === 'migrate-files');
  files['_backup.tpl'] = backupFiles(backups);
  files['migrate.yaml'] = [
    templateOf(rendered('migrate/overlays/production'), 'migrate'),
    templateOf(ofKind(backups, 'PersistentVolumeClaim'), 'migrate', '.Values.backup.enabled'),
    templateOf(toBucket, 'migrate', '.Values.backup.files'),
  ].join('---\n');
  files['namespace.yaml'] = templateOf(
    without(rendered('platform/overlays/production'), 'Namespace'),
    'platform',
    '.Values.namespace.limits',
  );
  files['monitoring.yaml'] = templateOf(rendered('monitoring'), 'monitoring', '.Values.monitoring.enabled');
  return files;
}

export const templatesFolder = join(root, 'charts/millwright/templates');

if (process.argv[1] === import.meta.filename) {
  mkdirSync(templatesFolder, { recursive: true });
  for (const [name, text] of Object.entries(chartTemplates())) writeFileSync(join(templatesFolder, name), text);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const chart = join(root, 'charts/millwright/Chart.yaml');
  writeFileSync(
    chart,
    readFileSync(chart, 'utf8').replace(/^(version|appVersion): .*$/gm, (_line, name) => `${name}: ${version}`),
  );
}
