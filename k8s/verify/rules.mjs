// @ts-check
import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';
import { unknownFields } from './known-fields.mjs';

/**
 * @typedef {object} Overlay
 * @property {string} path path in k8s/
 * @property {string} environment
 * @property {any[]} objects the rendered objects, as they are applied
 * @property {Record<string, import('./config-schemas.mjs').Settings>} schemas the settings of each app
 *
 * @typedef {object} Rule
 * @property {string} name what the rule guarantees
 * @property {(overlay: Overlay) => string[]} faults a text for each violation in an overlay
 * @property {string} [breaksIn] the overlay in which the test of `faults` violates the rule; default: the production overlay of the runtime API
 * @property {(objects: any[]) => void} breaks changes the objects of that overlay so that they violate the rule
 */

export const areas = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api', 'gateway'];
/** Workloads with third-party images, in dev only. */
const foreignImages = ['postgres', 'redis'];
const callsModels = ['runtime-api', 'prompt-api'];
const callsOut = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api', 'migrate-files'];

/**
 * Number of connections that PostgreSQL admits. The services may use at most 80 % of it: (replicas + surge) × pool for each service, one LISTEN
 * connection for each process, and two connections of pg-boss.
 */
const maxConnections = { dev: 100, production: 500 };
const CLOSE_MS = 5_000;
/** Variables that Node itself reads. */
const readByNode = ['NODE_EXTRA_CA_CERTS'];

/** One address of each private range. */
const privateAddresses = {
  ipv4: ['10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1'],
  ipv6: ['::1', 'fd00::1', 'fe80::1', '64:ff9b::a00:1'],
};

/** @param {any[]} objects @param {...string} kinds */
export const ofKind = (objects, ...kinds) => objects.filter(({ kind }) => kinds.includes(kind));
/** @param {any[]} objects */
const workloads = (objects) => ofKind(objects, 'Deployment', 'StatefulSet', 'Job', 'CronJob');
/** @param {any} object */
const label = (object) => object.metadata?.labels?.['app.kubernetes.io/name'];
/** @param {any} object */
const templateOf = (object) => (object.spec.jobTemplate ?? object).spec.template;
/** @param {any} object */
const podOf = (object) => templateOf(object).spec;
/** @param {any} object */
const appOf = (object) => podOf(object).containers[0];
/**
 * Returns the path, tag and digest of a container's image, such as `registry:5000/team/millwright/cli:0.1.0@sha256:…`. Tag and digest may be missing.
 *
 * @param {any} container
 */
export function imageOf(container) {
  const [, path = '', tag, digest] = /^(.*?)(?::([^:/@]+))?(?:@(.+))?$/.exec(container.image) ?? [];
  return { path, tag, digest };
}
/** @param {any} container */
const imageName = (container) => imageOf(container).path.replace(/^(.*\/)?millwright\//, '');
/** @param {{ tag?: string | undefined, digest?: string | undefined }} image */
const isExact = ({ tag, digest }) =>
  digest === undefined ? /^\d+(\.\d+)+$/.test(tag ?? '') : /^sha256:[0-9a-f]{64}$/.test(digest);
/** @param {any} object */
export const idOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
/** @param {any[]} objects @param {(object: any) => string[]} faults */
const each = (objects, faults) =>
  objects.flatMap((object) => faults(object).map((fault) => `${idOf(object)}: ${fault}`));
/** @param {boolean} holds @param {string} fault */
const unless = (holds, fault) => (holds ? [] : [fault]);
/** @param {any} selector @param {any} labels */
const selects = (selector, labels) =>
  Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels?.[name] === value);

/** Sample values of Secrets and of ConfigMaps created elsewhere. @type {Record<string, string>} */
export const samples = {
  DATABASE_URL: 'postgresql://u:p@h/d?sslmode=verify-full',
  DATABASE_DIRECT_URL: 'postgresql://u:p@h/d?sslmode=verify-full',
  DATABASE_REPLICA_URL: 'postgresql://u:p@h/d?sslmode=verify-full',
  REDIS_URL: 'rediss://h',
  MODEL_BASE_URL: 'https://h/v1',
  MODEL_IMAGES: 'true',
  SECRETS_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  SMTP_URL: 'smtps://h',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
  MAGIC_LINK_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
  AUDIT_SEAL_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
};

/**
 * Returns a container's environment, with sample values for Secrets and for ConfigMaps that are created elsewhere.
 *
 * @param {any} container @param {any[]} objects
 */
export function environmentOf(container, objects) {
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  return Object.assign(
    {},
    ...(container.envFrom ?? []).map((/** @type {any} */ from) => maps.get(from.configMapRef?.name)),
    ...(container.env ?? []).map((/** @type {any} */ { name, value }) => ({ [name]: value ?? samples[name] ?? 'x' })),
  );
}

/** @param {any} container @param {any[]} objects @param {string} name */
const numberOf = (container, objects, name) => Number(environmentOf(container, objects)[name]);

/** @param {any[]} objects @param {any} podLabels */
const policiesFor = (objects, podLabels) =>
  ofKind(objects, 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, podLabels));

/** @param {any} block */
function letsThrough({ cidr, except = [] }, /** @type {string} */ address) {
  const type = address.includes(':') ? 'ipv6' : 'ipv4';
  if (cidr.includes(':') !== (type === 'ipv6')) return false;
  /** @param {string[]} ranges */
  const covered = (ranges) => {
    const list = new BlockList();
    for (const range of ranges) {
      const [net, bits] = range.split('/');
      list.addSubnet(String(net), Number(bits), net?.includes(':') ? 'ipv6' : 'ipv4');
    }
    return list.check(address, type);
  };
  return covered([cidr]) && !covered(except);
}

/**
 * Returns whether the API server accepts `except` as an exception from `cidr`: it must be inside `cidr`, and smaller. The server reads an IPv4-mapped
 * IPv6 range as IPv4, so `::ffff:0:0/96` is not inside `::/0`. Packets to mapped addresses travel as IPv4, so the IPv4 block applies to them.
 *
 * @param {string} except @param {string} cidr
 */
function isStrictSubset(except, cidr) {
  if (!ipaddr.isValidCIDR(except) || !ipaddr.isValidCIDR(cidr)) return false;
  const [inner, innerBits] = ipaddr.parseCIDR(except);
  const [outer, outerBits] = ipaddr.parseCIDR(cidr);
  const mapped = inner.kind() === 'ipv6' && /** @type {import('ipaddr.js').IPv6} */ (inner).isIPv4MappedAddress();
  return !mapped && inner.kind() === outer.kind() && innerBits > outerBits && inner.match(outer, outerBits);
}

/** @param {any} block */
const isInternet = ({ cidr }) => cidr === '0.0.0.0/0' || cidr === '::/0';
/** @param {any} policy */
const blocksOf = ({ spec }) =>
  (spec.egress ?? []).flatMap((/** @type {any} */ rule) =>
    // A rule without `to` allows every destination.
    (rule.to ?? [{ ipBlock: { cidr: '0.0.0.0/0' } }]).flatMap((/** @type {any} */ to) => to.ipBlock ?? []),
  );
/** @param {any} policy @param {number} port */
const opens = ({ spec }, port) =>
  (spec.egress ?? []).some(
    (/** @type {any} */ { ports, to }) => to && ports?.some((/** @type {any} */ p) => p.port === port),
  );

const firstOf = (/** @type {any[]} */ objects, /** @type {string} */ kind) => ofKind(objects, kind)[0];

/** @type {Rule[]} */
export const rules = [
  {
    name: 'pods are restricted: no root, no privileges, no capabilities, the runtime’s seccomp profile, no host namespaces',
    faults: ({ objects }) =>
      each(workloads(objects), (object) => {
        const pod = podOf(object);
        const containers = [...pod.containers, ...(pod.initContainers ?? [])];
        return [
          // Without a user in the manifest, the user of the image applies, or the user that OpenShift assigns to the namespace.
          ...unless(
            pod.securityContext?.runAsNonRoot === true && (pod.securityContext.runAsUser ?? 1000) > 0,
            'may run as root',
          ),
          ...unless(pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'),
          ...unless(!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'shares a namespace of the host'),
          ...unless(!pod.volumes?.some((/** @type {any} */ volume) => volume.hostPath), 'mounts the host'),
          ...containers.flatMap(({ securityContext: own }) => [
            ...unless(own?.allowPrivilegeEscalation === false && !own.privileged, 'may gain privileges'),
            ...unless(own?.capabilities?.drop?.includes('ALL') && !own.capabilities.add, 'keeps capabilities'),
            ...unless(own?.runAsUser !== 0 && own?.runAsNonRoot !== false, 'may run as root'),
          ]),
        ];
      }),
    breaks: (objects) => delete appOf(firstOf(objects, 'Deployment')).securityContext.capabilities,
  },
  {
    name: 'the root file system is read-only',
    faults: ({ objects }) =>
      each(workloads(objects), (object) =>
        unless(appOf(object).securityContext?.readOnlyRootFilesystem === true, 'can write to its root'),
      ),
    breaks: (objects) => (appOf(firstOf(objects, 'Deployment')).securityContext.readOnlyRootFilesystem = false),
  },
  {
    name: 'each workload has its own service account, without a token, and no service links',
    faults: ({ objects }) =>
      each(workloads(objects), (object) => {
        const pod = podOf(object);
        const account = ofKind(objects, 'ServiceAccount').find(
          ({ metadata }) => metadata.name === pod.serviceAccountName,
        );
        return [
          ...unless(pod.serviceAccountName === label(templateOf(object)), 'uses another’s service account'),
          ...unless(account?.automountServiceAccountToken === false, 'has no service account without token'),
          ...unless(pod.automountServiceAccountToken === false, 'mounts a token'),
          ...unless(pod.enableServiceLinks === false, 'has service links, which add unwanted variables'),
        ];
      }),
    breaks: (objects) => (podOf(firstOf(objects, 'Deployment')).automountServiceAccountToken = true),
  },
  {
    name: 'our images have one exact tag or a digest, never latest',
    faults: ({ objects }) =>
      each(workloads(objects), (object) =>
        podOf(object).containers.flatMap((/** @type {any} */ container) => [
          ...unless(isExact(imageOf(container)), `has the image ${container.image}`),
          ...unless(
            /(^|\/)millwright\/[a-z-]+$/.test(imageOf(container).path) || foreignImages.includes(imageName(container)),
            `has the image ${container.image}, which is not ours`,
          ),
        ]),
      ),
    breaks: (objects) => (appOf(firstOf(objects, 'Deployment')).image = 'millwright/runtime-api:latest'),
  },
  {
    name: 'startup, readiness and liveness probes use the admin port, which no Service exposes',
    faults: ({ objects }) => [
      ...each(ofKind(objects, 'Deployment'), (object) => {
        const container = appOf(object);
        const adminPort = container.ports?.find((/** @type {any} */ port) => port.name === 'admin')?.containerPort;
        const paths = { startupProbe: '/livez', readinessProbe: '/readyz', livenessProbe: '/livez' };
        return [
          ...unless(
            adminPort === numberOf(container, objects, 'ADMIN_PORT'),
            'names another admin port than ADMIN_PORT',
          ),
          ...Object.entries(paths).flatMap(([probe, path]) =>
            unless(
              container[probe]?.httpGet?.port === 'admin' && container[probe].httpGet.path === path,
              `has no ${probe}`,
            ),
          ),
        ];
      }),
      ...each(ofKind(objects, 'Service'), ({ spec }) =>
        unless(
          !spec.ports.some((/** @type {any} */ { targetPort }) => targetPort === 'admin' || targetPort === 9090),
          'exposes it',
        ),
      ),
    ],
    breaks: (objects) => (appOf(firstOf(objects, 'Deployment')).readinessProbe.httpGet.port = 'http'),
  },
  {
    name: 'a Service, its port and its container agree with PORT',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Deployment'), (object) => {
        const port = numberOf(appOf(object), objects, 'PORT');
        const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === object.metadata.name);
        const httpPort = appOf(object).ports?.find((/** @type {any} */ { name }) => name === 'http')?.containerPort;
        return [
          ...unless(httpPort === port, 'serves another port than it names'),
          ...unless(
            selects({ matchLabels: service?.spec.selector }, object.spec.template.metadata.labels),
            'is no Service’s',
          ),
          ...unless(service?.spec.selector && service.spec.ports[0].targetPort === 'http', 'has no Service'),
        ];
      }),
    breaks: (objects) => (firstOf(objects, 'Service').spec.selector = { 'app.kubernetes.io/name': 'other' }),
  },
  {
    name: 'the grace period covers announcing, draining and closing, and draining covers a model’s longest call',
    faults: ({ objects, schemas }) =>
      each(ofKind(objects, 'Deployment'), (object) => {
        const app = appOf(object);
        const settings = { ...schemas[imageName(app)]?.defaults, ...environmentOf(app, objects) };
        const drain = Number(settings['SHUTDOWN_GRACE_MS']);
        const longest = callsModels.includes(object.metadata.name) ? Number(settings['MODEL_TIMEOUT_MS']) : 0;
        const needed = Number(settings['SHUTDOWN_ANNOUNCE_MS']) + drain + CLOSE_MS;
        return [
          ...unless(podOf(object).terminationGracePeriodSeconds * 1000 >= needed, `is killed before ${needed} ms`),
          ...unless(drain >= longest, `drains less than the ${longest} ms a model may take`),
        ];
      }),
    breaks: (objects) => (podOf(firstOf(objects, 'Deployment')).terminationGracePeriodSeconds = 30),
  },
  {
    name: 'production refuses connections to PostgreSQL and Redis without TLS',
    faults: ({ objects, schemas, environment }) =>
      environment === 'production'
        ? each(workloads(objects), (object) => {
            const env = environmentOf(appOf(object), objects);
            const database = 'postgresql://u:p@h/d';
            const addresses = { DATABASE_URL: database, DATABASE_DIRECT_URL: database, DATABASE_REPLICA_URL: database };
            const plain = { ...addresses, REDIS_URL: 'redis://h' };
            const used = Object.entries(plain).filter(([name]) => name in env);
            const refused = schemas[imageName(appOf(object))]?.faultsOf({ ...env, ...Object.fromEntries(used) });
            return used.flatMap(([name]) => unless(refused?.includes(name) === true, `accepts ${name} without TLS`));
          })
        : [],
    breaks: (objects) => delete firstOf(objects, 'ConfigMap').data.DATA_TLS,
  },
  {
    name: 'in production only agents whose authors publish them have a public card',
    faults: ({ objects, schemas, environment }) =>
      environment === 'production'
        ? each(workloads(objects), (object) => {
            const name = 'AGENTS_PUBLISHED_BY_DEFAULT';
            const makesAgents = schemas[imageName(appOf(object))]?.known.includes(name) === true;
            return unless(!makesAgents || environmentOf(appOf(object), objects)[name] === 'false', 'publishes all');
          })
        : [],
    breaksIn: 'areas/prompt-api/overlays/production',
    breaks: (objects) => delete firstOf(objects, 'ConfigMap').data.AGENTS_PUBLISHED_BY_DEFAULT,
  },
  {
    name: 'a rollout never reduces the number of pods, which the autoscaler sets',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Deployment'), ({ spec }) => [
        ...unless(spec.strategy?.rollingUpdate?.maxUnavailable === 0, 'takes pods away first'),
        ...unless(spec.strategy?.rollingUpdate?.maxSurge >= 1, 'cannot add a pod'),
        ...unless(spec.replicas === undefined, 'sets replicas'),
      ]),
    breaks: (objects) => (firstOf(objects, 'Deployment').spec.strategy.rollingUpdate.maxUnavailable = 1),
  },
  {
    name: 'each Deployment has a PodDisruptionBudget',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Deployment'), ({ spec }) =>
        unless(
          ofKind(objects, 'PodDisruptionBudget').some(
            (budget) => budget.spec.selector && selects(budget.spec.selector, spec.template.metadata.labels),
          ),
          'has none',
        ),
      ),
    breaks: (objects) => objects.splice(objects.indexOf(firstOf(objects, 'PodDisruptionBudget')), 1),
  },
  {
    name: 'pods are spread over nodes and zones',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Deployment'), (object) =>
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].flatMap((key) =>
          unless(
            podOf(object).topologySpreadConstraints?.some(
              (/** @type {any} */ { topologyKey, labelSelector }) =>
                topologyKey === key && labelSelector && selects(labelSelector, object.spec.template.metadata.labels),
            ),
            `is not spread over ${key}`,
          ),
        ),
      ),
    breaks: (objects) => podOf(firstOf(objects, 'Deployment')).topologySpreadConstraints.pop(),
  },
  {
    name: 'requests and limits of CPU and memory are set',
    faults: ({ objects }) =>
      each(workloads(objects), (object) =>
        podOf(object).containers.flatMap((/** @type {any} */ { resources }) =>
          ['requests', 'limits'].flatMap((kind) =>
            unless(resources?.[kind]?.cpu && resources[kind].memory, `has no ${kind}`),
          ),
        ),
      ),
    breaks: (objects) => delete appOf(firstOf(objects, 'Deployment')).resources.limits.memory,
  },
  {
    name: 'an autoscaler keeps each Deployment between bounds, in production at least two',
    faults: ({ objects, environment }) =>
      each(ofKind(objects, 'Deployment'), ({ metadata }) => {
        const { least, most } = boundsOf(objects, metadata.name);
        return [
          ...unless(least >= (environment === 'production' ? 2 : 1), 'may have too few pods'),
          ...unless(most > least, 'cannot grow'),
        ];
      }),
    breaks: (objects) => (firstOf(objects, 'HorizontalPodAutoscaler').spec.minReplicas = 1),
  },
  {
    name: 'the namespace is restricted and denies all traffic that no policy allows',
    faults: ({ path, objects }) => {
      if (!path.startsWith('platform/')) return [];
      const [namespace] = ofKind(objects, 'Namespace');
      const deny = ofKind(objects, 'NetworkPolicy').find(({ spec }) => Object.keys(spec.podSelector).length === 0);
      return [
        ...unless(
          namespace?.metadata.labels['pod-security.kubernetes.io/enforce'] === 'restricted',
          'it is not restricted',
        ),
        ...unless(
          deny?.spec.policyTypes.length === 2 && !deny.spec.ingress && !deny.spec.egress,
          'it does not deny by default',
        ),
      ];
    },
    breaksIn: 'platform/overlays/production',
    breaks: (objects) => (firstOf(objects, 'NetworkPolicy').spec.egress = [{}]),
  },
  {
    name: 'the namespace bounds each container: resources for one that has none, and a maximum',
    faults: ({ path, objects }) => {
      if (!path.startsWith('platform/')) return [];
      const bounds = containerBounds(objects);
      return [
        ...['defaultRequest', 'default', 'max'].flatMap((kind) =>
          unless(bounds?.[kind]?.cpu && bounds[kind].memory, `it has no ${kind} for containers`),
        ),
        ...each(workloads(objects), (object) => beyondBounds(object, bounds)),
      ];
    },
    breaksIn: 'platform/overlays/production',
    breaks: (objects) => delete containerBounds(objects).max,
  },
  {
    name: 'each workload has policies for both directions that open DNS, and PostgreSQL and Redis exactly where they are used',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Deployment', 'Job', 'CronJob'), (object) => {
        const policies = policiesFor(objects, templateOf(object).metadata.labels);
        const names = Object.keys(environmentOf(appOf(object), objects));
        /** @param {number} port @param {string} variable */
        const agrees = (port, variable) => policies.some((policy) => opens(policy, port)) === names.includes(variable);
        return [
          ...['Ingress', 'Egress'].flatMap((type) =>
            unless(
              policies.some(({ spec }) => spec.policyTypes.includes(type)),
              `has no ${type} policy`,
            ),
          ),
          ...unless(
            policies.some((policy) => opens(policy, 53)),
            'cannot resolve names',
          ),
          ...unless(agrees(5432, 'DATABASE_URL'), 'has a way to PostgreSQL and no need, or the need and no way'),
          ...unless(agrees(6379, 'REDIS_URL'), 'has a way to Redis and no need, or the need and no way'),
          ...unless(
            agrees(4318, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
            'has a way to a collector and no need, or the need and no way',
          ),
        ];
      }),
    breaks: (objects) => {
      const redis = objects.find((object) => idOf(object) === 'NetworkPolicy/runtime-api-redis');
      objects.splice(objects.indexOf(redis), 1);
    },
  },
  {
    name: 'only monitoring namespaces reach the admin port',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Deployment'), ({ spec }) => {
        const rules = policiesFor(objects, spec.template.metadata.labels).flatMap(
          (policy) => policy.spec.ingress ?? [],
        );
        const ofPort = (/** @type {any} */ { ports }) =>
          !ports || ports.some((/** @type {any} */ { port }) => port === 'admin' || port === 9090);
        const from = rules.filter(ofPort).flatMap((rule) => rule.from ?? [{ everyone: true }]);
        const isMonitoring = (/** @type {any} */ peer) =>
          peer.namespaceSelector?.matchLabels?.['millwright/monitoring'] === 'true';
        return [
          ...unless(from.some(isMonitoring), 'cannot be scraped'),
          ...unless(from.every(isMonitoring), 'lets others in'),
        ];
      }),
    breaks: (objects) =>
      objects
        .find((object) => idOf(object) === 'NetworkPolicy/runtime-api')
        .spec.ingress.push({ from: [{ podSelector: {} }], ports: [{ port: 'admin' }] }),
  },
  {
    name: 'only the services, and backups of a bucket, reach the internet, over 443',
    faults: ({ objects }) =>
      each(ofKind(objects, 'NetworkPolicy'), (policy) => {
        const reaches = blocksOf(policy).some(isInternet);
        const isMeant = callsOut.includes(policy.metadata.name);
        const internetRules = (policy.spec.egress ?? []).filter(
          (/** @type {any} */ rule) =>
            rule.to === undefined || rule.to.some((/** @type {any} */ to) => to.ipBlock && isInternet(to.ipBlock)),
        );
        const ports = internetRules.flatMap(
          (/** @type {any} */ rule) => rule.ports?.map((/** @type {any} */ p) => p.port) ?? ['any'],
        );
        return [
          ...unless(reaches === isMeant, reaches ? 'reaches the internet' : 'does not reach the internet'),
          ...unless(
            ports.every((/** @type {any} */ port) => port === 443),
            'reaches it over other ports',
          ),
        ];
      }),
    breaksIn: 'areas/gateway/overlays/production',
    breaks: (objects) =>
      objects.find((o) => idOf(o) === 'NetworkPolicy/gateway').spec.egress.push({ ports: [{ port: 443 }] }),
  },
  {
    name: 'internet access excludes every private range',
    faults: ({ objects }) =>
      each(ofKind(objects, 'NetworkPolicy'), (policy) =>
        blocksOf(policy)
          .filter(isInternet)
          .flatMap((/** @type {any} */ block) =>
            [...privateAddresses.ipv4, ...privateAddresses.ipv6].flatMap((address) =>
              unless(!letsThrough(block, address), `reaches ${address}`),
            ),
          ),
      ),
    breaks: (objects) => {
      const internet = blocksOf(objects.find((object) => idOf(object) === 'NetworkPolicy/runtime-api')).find(
        isInternet,
      );
      internet.except = internet.except.filter((/** @type {string} */ range) => range !== '169.254.0.0/16');
    },
  },
  {
    name: 'each exception of an address range is inside the range and smaller, or the API server refuses the policy',
    faults: ({ objects }) =>
      each(ofKind(objects, 'NetworkPolicy'), ({ spec }) =>
        [...(spec.egress ?? []), ...(spec.ingress ?? [])]
          .flatMap(({ to = [], from = [] }) => [...to, ...from])
          .flatMap(({ ipBlock }) =>
            (ipBlock?.except ?? []).flatMap((/** @type {string} */ except) =>
              unless(isStrictSubset(except, ipBlock.cidr), `${except} is no smaller part of ${ipBlock.cidr}`),
            ),
          ),
      ),
    breaks: (objects) => {
      const policy = objects.find((object) => idOf(object) === 'NetworkPolicy/runtime-api');
      blocksOf(policy)
        .find((/** @type {any} */ { cidr }) => cidr === '::/0')
        .except.push('::ffff:0:0/96');
    },
  },
  {
    name: 'secrets come only by reference',
    faults: ({ objects }) => [
      ...each(ofKind(objects, 'Secret'), () => ['is in the manifests']),
      ...each(ofKind(objects, 'ConfigMap'), ({ data }) =>
        Object.entries(data).flatMap(([name, value]) =>
          unless(!isSecretName(name) && !/:\/\/[^/]*@/.test(String(value)), `has ${name} in the clear`),
        ),
      ),
      ...each(workloads(objects), (object) =>
        (appOf(object).env ?? []).flatMap((/** @type {any} */ { name, valueFrom }) =>
          unless(!isSecretName(name) || valueFrom?.secretKeyRef, `has ${name} in the clear`),
        ),
      ),
    ],
    breaks: (objects) =>
      (appOf(firstOf(objects, 'Deployment')).env[0] = { name: 'DATABASE_URL', value: 'postgresql://u:p@h/d' }),
  },
  {
    name: 'a referenced ConfigMap exists or is optional',
    faults: ({ objects }) =>
      each(workloads(objects), (object) => {
        const there = ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name);
        const { env = [], envFrom = [] } = appOf(object);
        const references = [
          ...envFrom.map((/** @type {any} */ from) => from.configMapRef),
          ...env.map((/** @type {any} */ { valueFrom }) => valueFrom?.configMapKeyRef),
        ].filter(Boolean);
        return references.flatMap(({ name, optional }) => unless(optional || there.includes(name), `names ${name}`));
      }),
    breaks: (objects) => (appOf(firstOf(objects, 'Deployment')).envFrom[0].configMapRef.name = 'other'),
  },
  {
    name: 'every variable is known to the app’s config schema',
    faults: ({ objects, schemas }) =>
      each(
        workloads(objects).filter((object) => schemas[imageName(appOf(object))]),
        (object) =>
          Object.keys(environmentOf(appOf(object), objects)).flatMap((name) =>
            unless(
              readByNode.includes(name) || Boolean(schemas[imageName(appOf(object))]?.known.includes(name)),
              `has ${name}, which the app does not read`,
            ),
          ),
      ),
    breaks: (objects) => appOf(firstOf(objects, 'Deployment')).env.push({ name: 'LOGLEVEL', value: 'info' }),
  },
  {
    name: 'every required variable is set, and the app’s schema accepts all values',
    faults: ({ objects, schemas }) =>
      each(
        workloads(objects).filter((object) => !foreignImages.includes(imageName(appOf(object)))),
        (object) => {
          const environment = environmentOf(appOf(object), objects);
          const schema = schemas[imageName(appOf(object))];
          if (!schema) return ['runs an app without a schema'];
          return [
            ...schema.required.filter((name) => !(name in environment)).map((name) => `lacks ${name}`),
            ...schema.faultsOf(environment).map((name) => `has a ${name} that the app refuses`),
          ];
        },
      ),
    breaks: (objects) => delete firstOf(objects, 'ConfigMap').data.RUNTIME_URL,
  },
  {
    name: 'a Secret or file named by a variable is mounted',
    faults: ({ objects }) =>
      each(workloads(objects), (object) =>
        Object.entries(environmentOf(appOf(object), objects))
          .filter(([name]) => name.endsWith('_FILE') || readByNode.includes(name))
          .flatMap(([name, file]) =>
            unless(mountedFiles(object).includes(String(file)), `${name} names a file that is not mounted`),
          ),
      ),
    breaks: (objects) => delete podOf(firstOf(objects, 'Deployment')).volumes,
  },
  {
    name: 'the overlay of one service has no object of another',
    faults: ({ path, objects }) => {
      const [kind, area] = path.split('/');
      if (kind !== 'areas' && kind !== 'migrate') return [];
      const owner = kind === 'migrate' ? 'migrate' : area;
      return each(objects, (object) => [
        ...unless(label(object) === owner, `is of ${label(object) ?? 'nobody'}`),
        ...unless(object.metadata.name === owner || object.metadata.name.startsWith(`${owner}-`), 'has another’s name'),
        ...unless(object.metadata.namespace === 'millwright', 'is in another namespace'),
      ]);
    },
    breaks: (objects) => (firstOf(objects, 'Service').metadata.labels['app.kubernetes.io/name'] = 'prompt-api'),
  },
  {
    name: 'the migrate Job carries its release in its name',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Job'), (object) => {
        const { tag } = imageOf(appOf(object));
        const release = object.metadata.labels['millwright/release'];
        return [
          ...unless(object.metadata.name === `migrate-${release}`, `is of release ${release}`),
          ...unless(tag === undefined || tag.replaceAll('.', '-') === release, `runs release ${tag}`),
        ];
      }),
    breaksIn: 'migrate/overlays/production',
    breaks: (objects) => (firstOf(objects, 'Job').metadata.name = 'migrate-release'),
  },
  {
    name: 'each service’s route has one hostname, that of its base address; admin-auth and the platform API share one',
    faults: ({ objects }) =>
      each(ofKind(objects, 'HTTPRoute'), ({ metadata, spec }) => {
        const settings = ofKind(objects, 'ConfigMap').find((map) => label(map) === metadata.name)?.data ?? {};
        const base = settings[baseOf(metadata.name)];
        return [
          ...unless(spec.hostnames.length === 1 && base === `https://${spec.hostnames[0]}`, 'has another hostname'),
          ...unless(
            spec.rules.every((/** @type {any} */ rule) =>
              rule.backendRefs.every((/** @type {any} */ to) => to.name === metadata.name),
            ),
            'leads to another area',
          ),
        ];
      }),
    breaks: (objects) => (firstOf(objects, 'HTTPRoute').spec.hostnames = ['other.example.com']),
  },
  {
    name: 'in production each service has its own HTTPRoute or Ingress, for its base address only',
    faults: ({ environment, objects }) => {
      if (environment !== 'production') return [];
      const served = ofKind(objects, 'Deployment').filter(({ metadata }) => metadata.name !== 'gateway');
      return each(served, ({ metadata }) => {
        const routes = ofKind(objects, 'HTTPRoute', 'Ingress').filter((object) => label(object) === metadata.name);
        return unless(routes.length === 1, `has ${routes.length} routes`);
      });
    },
    breaks: (objects) => objects.splice(objects.indexOf(firstOf(objects, 'HTTPRoute')), 1),
  },
  {
    name: 'an Ingress has the hostname of its service’s base address with TLS, and routes to that service only',
    faults: ({ objects }) =>
      each(ofKind(objects, 'Ingress'), ({ metadata, spec }) => {
        const settings = ofKind(objects, 'ConfigMap').find((map) => label(map) === metadata.name)?.data ?? {};
        const host = new URL(settings[baseOf(metadata.name)] ?? 'https://none').host;
        return spec.rules.flatMap((/** @type {any} */ rule) => [
          ...unless(rule.host === host, 'has another hostname'),
          ...unless(
            spec.tls?.some((/** @type {any} */ tls) => tls.hosts.includes(host)),
            'has no TLS',
          ),
          ...rule.http.paths.flatMap((/** @type {any} */ { backend }) =>
            unless(backend.service.name === metadata.name, 'leads to another area'),
          ),
        ]);
      }),
    breaksIn: 'overlays/production with ingress',
    breaks: (objects) => (firstOf(objects, 'Ingress').spec.rules[0].host = 'other.example.com'),
  },
  {
    name: 'the runtime runs 3 to 20 pods, and the services that call models scale by requests in flight and event-loop utilisation where that can be had',
    faults: ({ path, environment, objects }) => {
      if (environment !== 'production') return [];
      const deployed = ofKind(objects, 'Deployment').filter(({ metadata }) => callsModels.includes(metadata.name));
      return each(deployed, ({ metadata: { name } }) => {
        const scaler = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject').filter(
          ({ spec }) => spec.scaleTargetRef.name === name,
        );
        const signals = scaler.flatMap(({ spec }) => spec.metrics ?? spec.triggers).map(signalOf);
        const wanted =
          path.includes('hpa-custom-metrics') || path.includes('keda')
            ? ['cpu', 'http_requests_in_flight', 'nodejs_eventloop_utilization']
            : ['cpu'];
        const { least, most } = boundsOf(objects, name);
        return [
          ...unless(scaler.length === 1, `has ${scaler.length} autoscalers`),
          ...unless(name !== 'runtime-api' || (least === 3 && most === 20), 'has other bounds'),
          ...wanted.flatMap((signal) => unless(signals.includes(signal), `does not look at ${signal}`)),
        ];
      });
    },
    breaksIn: 'overlays/production with hpa-custom-metrics',
    breaks: (objects) =>
      ofKind(objects, 'HorizontalPodAutoscaler')
        .find(({ metadata }) => metadata.name === 'runtime-api')
        .spec.metrics.pop(),
  },
  {
    name: 'External Secrets, where used, create every required Secret',
    faults: ({ path, objects }) => {
      if (!path.includes('external-secrets')) return [];
      const made = ofKind(objects, 'ExternalSecret').map(({ spec }) => spec.target.name);
      return each(ofKind(objects, 'Deployment'), (object) =>
        secretsOf(object).flatMap((name) => unless(made.includes(name), `needs ${name}`)),
      );
    },
    breaksIn: 'overlays/production with external-secrets',
    breaks: (objects) => objects.splice(objects.indexOf(firstOf(objects, 'ExternalSecret')), 1),
  },
  {
    name: 'every field is known to the Kubernetes API',
    faults: ({ objects }) => each(objects, (object) => unknownFields(object).map((field) => `has ${field}`)),
    breaks: (objects) => (podOf(firstOf(objects, 'Deployment')).terminationGracePeriodSecond = 90),
  },
  {
    name: 'connections go to PostgreSQL itself, because a pooler would break LISTEN',
    faults: ({ objects }) =>
      each(ofKind(objects, 'NetworkPolicy'), (policy) => unless(!opens(policy, 6432), 'opens the port of a pooler')),
    breaks: (objects) => {
      const policy = objects.find((object) => idOf(object) === 'NetworkPolicy/runtime-api-postgres');
      policy.spec.egress[0].ports = [{ port: 6432 }];
    },
  },
  {
    name: 'all routes together share hostnames only between admin-auth and the platform API, and have no path twice',
    faults: ({ objects }) => {
      const claims = ofKind(objects, 'HTTPRoute').flatMap(({ metadata, spec }) =>
        spec.rules.flatMap((/** @type {any} */ { matches }) =>
          matches.map((/** @type {any} */ { path }) => ({
            name: metadata.name,
            host: spec.hostnames[0],
            path: path.value,
          })),
        ),
      );
      return claims.flatMap((one, index) =>
        claims.slice(index + 1).flatMap((other) => {
          const mayShare =
            ['admin-auth', 'platform-api'].includes(one.name) && ['admin-auth', 'platform-api'].includes(other.name);
          const clash = one.name !== other.name && one.host === other.host && (!mayShare || one.path === other.path);
          return unless(!clash, `${one.name} and ${other.name} both claim ${one.host}${one.path}`);
        }),
      );
    },
    breaksIn: 'overlays/production',
    breaks: (objects) => ofKind(objects, 'HTTPRoute').forEach((route) => (route.spec.hostnames = ['one.example.com'])),
  },
  {
    name: 'the connections of all pods, a surge included, fit into 80 % of PostgreSQL’s limit',
    faults: ({ path, environment, objects }) => {
      if (!path.startsWith('overlays/')) return [];
      const limit = 0.8 * maxConnections[/** @type {'dev' | 'production'} */ (environment)];
      const used = connectionsOf(objects).reduce((sum, { connections }) => sum + connections, 0);
      return unless(used > 0 && used <= limit, `${used} connections of ${limit}`);
    },
    breaksIn: 'overlays/production',
    breaks: (objects) => (ofKind(objects, 'HorizontalPodAutoscaler').at(-1).spec.maxReplicas = 60),
  },
];

/** Returns the limits for containers in the LimitRange of the namespace. @param {any[]} objects */
export const containerBounds = (objects) =>
  ofKind(objects, 'LimitRange')
    .flatMap(({ spec }) => spec.limits)
    .find(({ type }) => type === 'Container');

/** Returns a text for each limit of a workload's containers that exceeds the maximum of the namespace. @param {any} object @param {any} bounds */
export function beyondBounds(object, bounds) {
  const { containers, initContainers = [] } = podOf(object);
  return [...containers, ...initContainers].flatMap(({ name, resources }) =>
    ['cpu', 'memory'].flatMap((resource) =>
      unless(
        amountOf(resources.limits[resource]) <= amountOf(bounds?.max?.[resource]),
        `${name} has more ${resource} than a container may have`,
      ),
    ),
  );
}

/**
 * Returns the smallest and largest number of pods of a Deployment, from its autoscaler or from KEDA's ScaledObject.
 *
 * @param {any[]} objects @param {string} name
 */
export function boundsOf(objects, name) {
  const { spec } = ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject').find(
    (object) => object.spec.scaleTargetRef.name === name,
  ) ?? { spec: {} };
  return {
    least: spec.minReplicas ?? spec.minReplicaCount ?? 0,
    most: spec.maxReplicas ?? spec.maxReplicaCount ?? 0,
  };
}

/**
 * Returns the maximum number of PostgreSQL connections of each service: (most pods + surge) × (pool + one LISTEN connection + other connections).
 * Draining pods are not counted, because they have closed their idle connections.
 *
 * @param {any[]} objects
 */
export function connectionsOf(objects) {
  return ofKind(objects, 'Deployment')
    .filter((object) => 'DATABASE_URL' in environmentOf(appOf(object), objects))
    .map((object) => {
      const pods = boundsOf(objects, object.metadata.name).most + object.spec.strategy.rollingUpdate.maxSurge;
      const each = numberOf(appOf(object), objects, 'DATABASE_POOL_MAX') + 1 + besides(object.metadata.name);
      return { area: object.metadata.name, pods, each, connections: pods * each };
    });
}

/**
 * Returns the sum of the resources of these Deployments at their maximum number of pods, with a surge and the same number of draining pods: CPU in
 * cores, memory in MiB. Draining pods count, because a quota counts a pod until the pod has ended.
 *
 * @param {any[]} objects
 */
export function mostOf(objects) {
  const sum = { pods: 0, cpu: 0, memory: 0, memoryLimit: 0 };
  for (const object of ofKind(objects, 'Deployment')) {
    const { most } = boundsOf(objects, object.metadata.name);
    const pods = 2 * most + object.spec.strategy.rollingUpdate.maxSurge;
    const { requests, limits } = appOf(object).resources;
    sum.pods += pods;
    sum.cpu += pods * amountOf(requests.cpu);
    sum.memory += pods * amountOf(requests.memory);
    sum.memoryLimit += pods * amountOf(limits.memory);
  }
  return sum;
}

/** Returns the name of the measured value in a metric of an autoscaler or a trigger of KEDA. @param {any} signal @returns {string} */
const signalOf = ({ resource, pods, type, metadata }) =>
  resource?.name ?? pods?.metric.name ?? /[a-z_]{10,}(?=\{)/.exec(metadata?.query)?.[0] ?? type;

/** Converts a quantity of Kubernetes to a number: of cores, or of MiB. @param {string} quantity */
export function amountOf(quantity) {
  const [, number, unit = ''] = /^([\d.]+)(m|Mi|Gi)?$/.exec(String(quantity)) ?? [];
  return Number(number) * ({ m: 0.001, Mi: 1, Gi: 1024 }[unit] ?? 1);
}

/** Returns the name of the variable with the base address of a service. @param {string} area */
const baseOf = (area) => ({ 'runtime-api': 'RUNTIME_URL', 'prompt-api': 'PROMPT_API_URL' })[area] ?? 'BASE_URL';

/**
 * Returns the paths of the files that a container gets from Secrets and ConfigMaps. A ConfigMap has one file, `ca.crt`: the certificates of the data
 * stores' authority.
 *
 * @param {any} object
 */
const mountedFiles = (object) =>
  (appOf(object).volumeMounts ?? []).flatMap((/** @type {any} */ { name, mountPath }) => {
    const volume = podOf(object).volumes?.find((/** @type {any} */ { name: own }) => own === name);
    const paths = volume?.configMap
      ? ['ca.crt']
      : (volume?.secret?.items ?? []).map((/** @type {any} */ { path }) => path);
    return paths.map((/** @type {string} */ path) => `${mountPath}/${path}`);
  });

/** Returns the names of the Secrets without which a container does not start. @param {any} object @returns {string[]} */
const secretsOf = (object) => [
  ...(appOf(object).env ?? []).flatMap((/** @type {any} */ { valueFrom }) =>
    valueFrom?.secretKeyRef && !valueFrom.secretKeyRef.optional ? [valueFrom.secretKeyRef.name] : [],
  ),
  ...(podOf(object).volumes ?? []).flatMap((/** @type {any} */ { secret }) => (secret ? [secret.secretName] : [])),
];

/**
 * Returns the number of connections for scheduled jobs, which each process needs in addition to the pool and the connection for LISTEN.
 *
 * @param {string} name
 */
const besides = (name) => (name === 'admin-auth' ? 2 : 0);

/** @param {string} name */
function isSecretName(name) {
  return /PASSWORD|SECRET|API_KEY|OTLP_HEADERS|^DATABASE_(DIRECT_)?URL$|^REDIS_URL$/.test(name);
}
