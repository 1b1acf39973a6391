// @ts-check

/**
 * The fields of the kinds that these manifests use, from the Kubernetes API reference. An API server drops or refuses other fields. `*` stands for
 * any name; `true` stands for a field whose content is not checked.
 *
 * @typedef {{ [field: string]: Fields } | true} Fields
 */

/** @param {...string} names @returns {{ [field: string]: Fields }} */
const leaves = (...names) => Object.fromEntries(names.map((name) => [name, /** @type {Fields} */ (true)]));

const meta = {
  ...leaves('name', 'namespace'),
  labels: { '*': /** @type {Fields} */ (true) },
  annotations: { '*': /** @type {Fields} */ (true) },
};
const selector = {
  matchLabels: { '*': /** @type {Fields} */ (true) },
  matchExpressions: leaves('key', 'operator', 'values'),
};
const keyRef = leaves('name', 'key', 'optional');
const resources = { requests: leaves('cpu', 'memory', 'storage'), limits: leaves('cpu', 'memory') };
const probe = {
  ...leaves('periodSeconds', 'timeoutSeconds', 'failureThreshold', 'initialDelaySeconds', 'successThreshold'),
  httpGet: leaves('path', 'port'),
  exec: leaves('command'),
};
const container = {
  ...leaves('name', 'image', 'imagePullPolicy', 'command', 'args'),
  env: { ...leaves('name', 'value'), valueFrom: { secretKeyRef: keyRef, configMapKeyRef: keyRef } },
  envFrom: { configMapRef: leaves('name', 'optional') },
  ports: leaves('name', 'containerPort', 'protocol'),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: { preStop: { exec: leaves('command'), sleep: leaves('seconds') } },
  resources,
  securityContext: {
    ...leaves('allowPrivilegeEscalation', 'privileged', 'readOnlyRootFilesystem', 'runAsNonRoot', 'runAsUser'),
    capabilities: leaves('drop', 'add'),
  },
  volumeMounts: leaves('name', 'mountPath', 'readOnly', 'subPath'),
};
const pod = {
  ...leaves(
    'serviceAccountName',
    'automountServiceAccountToken',
    'enableServiceLinks',
    'restartPolicy',
    'terminationGracePeriodSeconds',
  ),
  containers: container,
  initContainers: container,
  securityContext: {
    ...leaves('runAsNonRoot', 'runAsUser', 'runAsGroup', 'fsGroup', 'fsGroupChangePolicy'),
    seccompProfile: leaves('type'),
  },
  topologySpreadConstraints: { ...leaves('topologyKey', 'maxSkew', 'whenUnsatisfiable'), labelSelector: selector },
  volumes: {
    ...leaves('name'),
    secret: { ...leaves('secretName', 'defaultMode', 'optional'), items: leaves('key', 'path', 'mode') },
    configMap: { ...leaves('name', 'defaultMode', 'optional'), items: leaves('key', 'path', 'mode') },
    emptyDir: leaves('medium', 'sizeLimit'),
    persistentVolumeClaim: leaves('claimName', 'readOnly'),
  },
};
const template = { metadata: meta, spec: pod };
const job = { ...leaves('backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished'), template };
const claim = { ...leaves('accessModes', 'storageClassName'), resources };
const peer = { podSelector: selector, namespaceSelector: selector, ipBlock: leaves('cidr', 'except') };
const policyPorts = leaves('port', 'protocol', 'endPort');

/** Fields by `apiVersion/kind`, without the fields that every object has. @type {Record<string, { [field: string]: Fields }>} */
const kinds = {
  'v1/Namespace': {},
  'v1/ServiceAccount': { ...leaves('automountServiceAccountToken'), imagePullSecrets: leaves('name') },
  'v1/ConfigMap': { data: { '*': true }, ...leaves('immutable') },
  'v1/LimitRange': {
    spec: {
      limits: {
        ...leaves('type'),
        defaultRequest: resources.limits,
        default: resources.limits,
        max: resources.limits,
      },
    },
  },
  'v1/ResourceQuota': { spec: { hard: { '*': true } } },
  'v1/PersistentVolumeClaim': { spec: claim },
  'v1/Service': {
    spec: {
      selector: { '*': true },
      ports: leaves('name', 'port', 'targetPort', 'protocol'),
      ...leaves('type', 'clusterIP'),
    },
  },
  'apps/v1/Deployment': {
    spec: {
      ...leaves('replicas', 'revisionHistoryLimit', 'minReadySeconds', 'progressDeadlineSeconds'),
      selector,
      strategy: { ...leaves('type'), rollingUpdate: leaves('maxUnavailable', 'maxSurge') },
      template,
    },
  },
  'apps/v1/StatefulSet': {
    spec: {
      ...leaves('serviceName', 'replicas'),
      selector,
      template,
      volumeClaimTemplates: { metadata: meta, spec: claim },
    },
  },
  'batch/v1/Job': { spec: job },
  'batch/v1/CronJob': {
    spec: {
      ...leaves('suspend', 'schedule', 'timeZone', 'concurrencyPolicy', 'startingDeadlineSeconds'),
      ...leaves('successfulJobsHistoryLimit', 'failedJobsHistoryLimit'),
      jobTemplate: { metadata: meta, spec: job },
    },
  },
  'policy/v1/PodDisruptionBudget': { spec: { ...leaves('minAvailable', 'maxUnavailable'), selector } },
  'autoscaling/v2/HorizontalPodAutoscaler': {
    spec: {
      ...leaves('minReplicas', 'maxReplicas'),
      scaleTargetRef: leaves('apiVersion', 'kind', 'name'),
      metrics: {
        ...leaves('type'),
        resource: { ...leaves('name'), target: leaves('type', 'averageUtilization') },
        pods: { metric: { ...leaves('name'), selector }, target: leaves('type', 'averageValue') },
      },
      behavior: {
        scaleDown: {
          ...leaves('stabilizationWindowSeconds', 'selectPolicy'),
          policies: leaves('type', 'value', 'periodSeconds'),
        },
        scaleUp: {
          ...leaves('stabilizationWindowSeconds', 'selectPolicy'),
          policies: leaves('type', 'value', 'periodSeconds'),
        },
      },
    },
  },
  'networking.k8s.io/v1/NetworkPolicy': {
    spec: {
      ...leaves('policyTypes'),
      podSelector: selector,
      ingress: { from: peer, ports: policyPorts },
      egress: { to: peer, ports: policyPorts },
    },
  },
  'networking.k8s.io/v1/Ingress': {
    spec: {
      ...leaves('ingressClassName'),
      tls: leaves('hosts', 'secretName'),
      rules: {
        ...leaves('host'),
        http: {
          paths: {
            ...leaves('path', 'pathType'),
            backend: { service: { ...leaves('name'), port: leaves('name', 'number') } },
          },
        },
      },
    },
  },
  'gateway.networking.k8s.io/v1/HTTPRoute': {
    spec: {
      ...leaves('hostnames'),
      parentRefs: leaves('name', 'namespace', 'sectionName', 'port'),
      rules: {
        matches: { path: leaves('type', 'value'), ...leaves('method') },
        backendRefs: leaves('name', 'port', 'weight'),
        timeouts: leaves('request', 'backendRequest'),
      },
    },
  },
  'external-secrets.io/v1/ExternalSecret': {
    spec: {
      ...leaves('refreshInterval'),
      secretStoreRef: leaves('kind', 'name'),
      target: leaves('name', 'creationPolicy', 'deletionPolicy'),
      dataFrom: { extract: leaves('key', 'version') },
    },
  },
};

/** API groups whose kinds are all listed here. Other groups belong to operators with other schemas. */
const ownGroups = new Set(Object.keys(kinds).map((name) => name.split('/').slice(0, -1).join('/')));

/** @param {any} object @returns {string[]} paths of fields that the API does not have */
export function unknownFields(object) {
  const { apiVersion, kind, metadata, ...rest } = object;
  const fields = kinds[`${apiVersion}/${kind}`];
  if (fields === undefined) return ownGroups.has(apiVersion) ? ['kind'] : [];
  return [...unknownIn(metadata, meta, 'metadata'), ...unknownIn(rest, fields, '')];
}

/** @param {any} value @param {Fields | undefined} fields @param {string} path @returns {string[]} */
function unknownIn(value, fields, path) {
  if (fields === undefined) return [path];
  if (fields === true || value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownIn(item, fields, `${path}[${index}]`));
  return Object.entries(value).flatMap(([name, inner]) =>
    unknownIn(inner, fields[name] ?? fields['*'], path === '' ? name : `${path}.${name}`),
  );
}
