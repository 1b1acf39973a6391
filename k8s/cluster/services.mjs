// @ts-check
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inNamespace } from './network.mjs';

/**
 * Replaces a cluster's network and storage plugins in the drill. It provides the addresses and names of Services, NetworkPolicies, and volumes.
 * Services and policies become rules of nftables, which are made again whenever an object has changed.
 *
 * The program supports neither IPv6 nor named ports in egress rules to addresses. It does not check traffic between a node and its own pods; plugins
 * let such traffic through too.
 *
 *   node services.mjs <folder of names> <folder of volumes> <network namespace>…    with API_SERVER and API_TOKEN
 */

const PERIOD_MS = 300;
/**
 * Updates that take longer than this number of milliseconds are reported. A stopping pod listens for 5 s; after a slower update, connections would
 * still be sent to pods that no longer listen.
 */
const SLOW_MS = 2_000;
/** The folder of volumes on every node, see node.mjs. */
const VOLUMES = '/var/lib/volumes';

const [names = '', volumes = '', ...namespaces] = process.argv.slice(2);
const { API_SERVER: server = '', API_TOKEN: token = '' } = process.env;

/** @param {string} path @param {object} [body] to create @returns {Promise<any>} */
async function call(path, body) {
  const answer = await fetch(server + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // Status 409 means that an earlier update has created the volume.
  if (!answer.ok && answer.status !== 409) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
/** Lists objects from the API server's cache, as programs that watch objects do. @param {string} path @returns {Promise<any[]>} */
const list = async (path) => (await call(`${path}?resourceVersion=0`)).items;

/** @param {any} selector of labels @param {Record<string, string>} [labels] */
function selects(selector, labels = {}) {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const holds = {
    In: (/** @type {any} */ { key, values }) => values.includes(labels[key]),
    NotIn: (/** @type {any} */ { key, values }) => !values.includes(labels[key]),
    Exists: (/** @type {any} */ { key }) => key in labels,
    DoesNotExist: (/** @type {any} */ { key }) => !(key in labels),
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((/** @type {any} */ term) => holds[/** @type {keyof typeof holds} */ (term.operator)](term))
  );
}

/** @typedef {{ services: any[], slices: any[], pods: any[], policies: any[], namespaces: any[] }} Objects */

/** Makes the rules that replace the address of a Service by the address of a ready pod. @param {Objects} objects */
function serviceRules({ services, slices }) {
  return services.flatMap(({ metadata, spec }) => {
    if (!spec.clusterIP || spec.clusterIP === 'None') return [];
    const own = slices.filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.['kubernetes.io/service-name'] === metadata.name,
    );
    return spec.ports.flatMap((/** @type {any} */ { name = '', port, protocol }) => {
      const pods = own.flatMap(({ ports, endpoints }) => {
        const target = ports?.find((/** @type {any} */ other) => (other.name ?? '') === name)?.port;
        const ready = (endpoints ?? []).filter((/** @type {any} */ { conditions }) => conditions?.ready !== false);
        return target ? ready.map((/** @type {any} */ { addresses }) => `${addresses[0]} . ${target}`) : [];
      });
      const address = `ip daddr ${spec.clusterIP} ${protocol.toLowerCase()} dport ${port}`;
      if (pods.length === 0) return [`${address} reject`];
      const map = pods.map((pod, index) => `${index} : ${pod}`).join(', ');
      return [`${address} dnat ip to numgen random mod ${pods.length} map { ${map} }`];
    });
  });
}

/** @param {any[]} pods */
const withAddress = (pods) =>
  pods.filter(
    ({ spec, status }) => status.podIP && !spec.hostNetwork && !['Succeeded', 'Failed'].includes(status.phase),
  );

/**
 * Makes a chain of rules for each pod and direction to which a policy applies. The chain accepts what a policy allows, and counts and drops the rest.
 *
 * @param {Objects} objects
 */
function policyRules({ pods, policies, namespaces: all }) {
  const live = withAddress(pods);
  const labelsOf = Object.fromEntries(all.map(({ metadata }) => [metadata.name, metadata.labels]));
  const portsOf = (/** @type {any} */ pod, /** @type {string | number} */ port) =>
    typeof port === 'number'
      ? [port]
      : pod.spec.containers
          .flatMap((/** @type {any} */ container) => container.ports ?? [])
          .filter((/** @type {any} */ { name }) => name === port)
          .map((/** @type {any} */ { containerPort }) => containerPort);
  /** @param {any[] | undefined} ports @param {any} [target] pod whose ports have names @returns {string[]} */
  const portMatches = (ports, target) =>
    ports?.flatMap(({ port, protocol = 'TCP' }) =>
      port === undefined
        ? [`meta l4proto ${protocol.toLowerCase()}`]
        : (target || typeof port === 'number' ? portsOf(target, port) : []).map(
            (/** @type {number} */ number) => `${protocol.toLowerCase()} dport ${number}`,
          ),
    ) ?? [''];
  /** @param {any} peer @param {string} namespace of the policy */
  const podsOf = (peer, namespace) =>
    live.filter(
      ({ metadata }) =>
        (peer.namespaceSelector
          ? selects(peer.namespaceSelector, labelsOf[metadata.namespace])
          : metadata.namespace === namespace) && selects(peer.podSelector, metadata.labels),
    );
  /** @param {any} block @param {'saddr' | 'daddr'} side */
  const blockMatch = ({ cidr, except = [] }, side) =>
    `ip ${side} ${cidr}${except.length > 0 ? ` ip ${side} != { ${except.join(', ')} }` : ''}`;
  /** @param {any} rule @param {any} pod that the policy concerns @param {'Ingress' | 'Egress'} type @param {string} namespace */
  function matches(rule, pod, type, namespace) {
    const [side, list] = /** @type {const} */ (type === 'Ingress' ? ['saddr', rule.from] : ['daddr', rule.to]);
    const own = type === 'Ingress' ? pod : undefined;
    if (!list?.length) return portMatches(rule.ports, own);
    return list.flatMap((/** @type {any} */ peer) => {
      if (peer.ipBlock?.cidr.includes(':')) return [];
      if (peer.ipBlock)
        return portMatches(rule.ports, own).map((ports) => `${blockMatch(peer.ipBlock, side)} ${ports}`);
      return podsOf(peer, namespace).flatMap((other) =>
        portMatches(rule.ports, own ?? other).map((ports) => `ip ${side} ${other.status.podIP} ${ports}`),
      );
    });
  }
  return /** @type {const} */ (['Ingress', 'Egress']).map((type) => {
    const chains = live.flatMap((pod) => {
      const own = policies.filter(
        ({ metadata, spec }) =>
          metadata.namespace === pod.metadata.namespace &&
          spec.policyTypes.includes(type) &&
          selects(spec.podSelector, pod.metadata.labels),
      );
      if (own.length === 0) return [];
      const rules = own.flatMap(({ metadata, spec }) =>
        (spec[type.toLowerCase()] ?? []).flatMap((/** @type {any} */ rule) =>
          matches(rule, pod, type, metadata.namespace),
        ),
      );
      return [
        { name: `${type.toLowerCase()}-${pod.status.podIP.replaceAll('.', '-')}`, address: pod.status.podIP, rules },
      ];
    });
    return { type, chains };
  });
}

/** @param {Objects} objects @returns {string} input of nft */
function rulesOf(objects) {
  const services = serviceRules(objects).map((rule) => `    ${rule}`);
  const replaced = services.filter((rule) => !rule.endsWith('reject')).join('\n');
  const refused = services.filter((rule) => rule.endsWith('reject')).join('\n');
  const directions = policyRules(objects);
  const chains = directions.flatMap(({ chains }) => chains);
  const jumps = directions.flatMap(({ type, chains }) =>
    chains.length === 0
      ? []
      : [
          `    ip ${type === 'Ingress' ? 'daddr' : 'saddr'} vmap { ${chains.map(({ name, address }) => `${address} : jump ${name}`).join(', ')} }`,
        ],
  );
  return `table ip millwright {}
delete table ip millwright
table ip millwright {
${chains.map(({ name, rules }) => `  chain ${name} {\n${rules.map((rule) => `    ${rule} return\n`).join('')}    counter drop\n  }`).join('\n')}
  chain prerouting {
    type nat hook prerouting priority dstnat;
${replaced}
  }
  chain local {
    type nat hook output priority -100;
${replaced}
  }
  chain refused {
${refused}
  }
  chain output {
    type filter hook output priority filter;
    jump refused
  }
  chain forward {
    type filter hook forward priority filter;
    jump refused
    ct state established,related accept
${jumps.join('\n')}
  }
}
`;
}

/** @param {string} namespace @param {string} rules @returns {Promise<void>} */
function load(namespace, rules) {
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = [...inNamespace(namespace), 'nft', '-f', '-'];
    const nft = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    let text = '';
    nft.stderr.on('data', (chunk) => (text += String(chunk)));
    nft.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`nft in ${namespace}: ${text}`))));
    nft.stdin.end(rules);
  });
}

/** Creates a volume for each claim that waits for one. A volume is a folder that all nodes have. @param {any[]} claims */
async function createVolumes(claims) {
  for (const { metadata, spec, status } of claims) {
    if (status.phase !== 'Pending' || spec.volumeName) continue;
    const name = `volume-${metadata.uid}`;
    const folder = join(volumes, name);
    mkdirSync(folder, { recursive: true });
    // Every user may write to the folder, because it does not belong to the pod's `fsGroup`.
    chmodSync(folder, 0o777);
    await call('/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        accessModes: spec.accessModes,
        capacity: spec.resources.requests,
        claimRef: { namespace: metadata.namespace, name: metadata.name, uid: metadata.uid },
        hostPath: { path: `${VOLUMES}/${name}` },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: spec.storageClassName ?? '',
      },
    });
  }
}

let loaded = '';
let named = '';

async function update() {
  const [services = [], slices = [], pods = [], policies = [], all = [], claims = []] = await Promise.all(
    [
      '/api/v1/services',
      '/apis/discovery.k8s.io/v1/endpointslices',
      '/api/v1/pods',
      '/apis/networking.k8s.io/v1/networkpolicies',
      '/api/v1/namespaces',
      '/api/v1/persistentvolumeclaims',
    ].map(list),
  );
  await createVolumes(claims);
  const hosts = services
    .filter(({ spec }) => spec.clusterIP && spec.clusterIP !== 'None')
    .map(({ metadata, spec }) => `${spec.clusterIP} ${metadata.name}.${metadata.namespace}.svc.cluster.local\n`)
    .join('');
  if (hosts !== named) {
    // The file is renamed when it is complete, because the name server reads it as soon as it appears.
    writeFileSync(join(names, '..', 'names.new'), hosts);
    renameSync(join(names, '..', 'names.new'), join(names, 'services'));
    named = hosts;
  }
  const rules = rulesOf({ services, slices, pods, policies, namespaces: all });
  if (rules === loaded) return;
  await Promise.all(namespaces.map((namespace) => load(namespace, rules)));
  loaded = rules;
}

for (;;) {
  const since = performance.now();
  await update().catch((error) => console.error(String(error)));
  const ms = Math.round(performance.now() - since);
  if (ms > SLOW_MS) console.error(`${new Date().toISOString()} an update took ${ms} ms`);
  await delay(PERIOD_MS);
}
