// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * The cluster's network: a network namespace for the control plane and the drill, and a namespace for each node, joined by a bridge. The
 * machine's own network stays unchanged.
 */

/** Network namespace of the control plane, the drill and its clients. */
export const NAMESPACE = 'millwright-cluster';
/** Address of the control plane, from every node. */
export const CONTROL_ADDRESS = '10.200.0.1';
/** An address that stands for the internet (TEST-NET-3). It is in none of the private ranges that the policies exclude. */
export const PUBLIC_ADDRESS = '203.0.113.10';
export const SERVICE_RANGE = '10.96.0.0/16';
export const DNS_ADDRESS = '10.96.0.10';
const BRIDGE = 'cluster';

/**
 * @typedef {object} NodeNetwork
 * @property {string} name name of the node; `namespaceOf` returns the name of its network namespace
 * @property {string} address
 * @property {string} pods address range of the node's pods
 */

/** @param {number} count @returns {NodeNetwork[]} */
export const nodeNetworks = (count) =>
  Array.from({ length: count }, (_none, index) => ({
    name: `node-${index + 1}`,
    address: `10.200.0.${11 + index}`,
    pods: `10.201.${index + 1}.0/24`,
  }));

/** @param {string} name of a node @returns {string} */
export const namespaceOf = (name) => `${NAMESPACE}-${name}`;

/**
 * First words of a command that runs in a network namespace. `ip netns exec` is not used, because it mounts another /sys, which lacks the control
 * groups.
 *
 * @param {string} namespace
 */
export const inNamespace = (namespace) => ['nsenter', `--net=/run/netns/${namespace}`];

/** @param {string} namespace @param {string[]} args of `ip` */
function ip(namespace, ...args) {
  const [program = '', ...rest] = [...inNamespace(namespace), 'ip', ...args];
  execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** @param {string} namespace @param {string} name @param {string} value */
function setting(namespace, name, value) {
  const [program = '', ...rest] = [...inNamespace(namespace), 'sh', '-c', `echo ${value} > /proc/sys/${name}`];
  execFileSync(program, rest);
}

/** @param {string} namespace */
function addNamespace(namespace) {
  if (existsSync(`/run/netns/${namespace}`)) removeNamespace(namespace);
  execFileSync('ip', ['netns', 'add', namespace]);
  ip(namespace, 'link', 'set', 'lo', 'up');
}

/** @param {string} namespace */
const removeNamespace = (namespace) => void spawnSync('ip', ['netns', 'del', namespace], { stdio: 'ignore' });

/** @param {NodeNetwork[]} nodes */
export function createNetwork(nodes) {
  addNamespace(NAMESPACE);
  setting(NAMESPACE, 'net/ipv4/ip_forward', '1');
  ip(NAMESPACE, 'link', 'add', BRIDGE, 'type', 'bridge');
  ip(NAMESPACE, 'addr', 'add', `${CONTROL_ADDRESS}/24`, 'dev', BRIDGE);
  ip(NAMESPACE, 'addr', 'add', `${PUBLIC_ADDRESS}/32`, 'dev', 'lo');
  ip(NAMESPACE, 'link', 'set', BRIDGE, 'up');
  // Packets to Services need this route, because the kernel looks for a route before the destination of a packet is replaced.
  ip(NAMESPACE, 'route', 'add', SERVICE_RANGE, 'dev', BRIDGE);
  for (const { name, address, pods } of nodes) {
    const namespace = namespaceOf(name);
    addNamespace(namespace);
    setting(namespace, 'net/ipv4/ip_forward', '1');
    ip(NAMESPACE, 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip(NAMESPACE, 'link', 'set', name, 'master', BRIDGE, 'up');
    ip(namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip(namespace, 'link', 'set', 'eth0', 'up');
    ip(namespace, 'route', 'add', 'default', 'via', CONTROL_ADDRESS);
    ip(NAMESPACE, 'route', 'add', pods, 'via', address);
  }
  for (const { name } of nodes)
    for (const other of nodes.filter((node) => node.name !== name))
      ip(namespaceOf(name), 'route', 'add', other.pods, 'via', other.address);
}

/** @param {NodeNetwork[]} nodes */
export function removeNetwork(nodes) {
  for (const { name } of nodes) removeNamespace(namespaceOf(name));
  removeNamespace(NAMESPACE);
}
