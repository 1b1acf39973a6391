import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, startRedis, startSentinel, type RedisServer } from '@millwright/testing';

/** Several Redis servers of which one may fail. */
export interface RedisGroup {
  url: string;
  /** Kills the server that stores the keys. */
  killPrimary: () => Promise<void>;
  stop: () => Promise<void>;
}

const run = promisify(execFile);

/** Sends a command to one server. @returns its answer as text */
const command = async ({ port }: Pick<RedisServer, 'port'>, ...args: (string | number)[]): Promise<string> =>
  (await run('redis-cli', ['-p', String(port), ...args.map(String)])).stdout.trim();

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

/** Starts a primary with a replica, watched by one Sentinel. The first Sentinel in the URL does not answer. */
export async function startSentinelGroup(): Promise<RedisGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-sentinel-'));
  const primary = await startRedis();
  const replica = await startRedis(undefined, ['--replicaof', `127.0.0.1 ${primary.port}`]);
  await until(async () => (await command(replica, 'info', 'replication')).includes('master_link_status:up'));
  const file = join(folder, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 2000',
    ].join('\n'),
  );
  const sentinel = await startSentinel(file);
  await until(async () => (await command(sentinel, 'info', 'sentinel')).includes('slaves=1'));
  return {
    url: `redis+sentinel://127.0.0.1:${await freePort()},127.0.0.1:${sentinel.port}?master=main`,
    killPrimary: primary.stop,
    async stop() {
      await Promise.all([primary, replica, sentinel].map((server) => server.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

const SLOTS = 16_384;

/** Starts a Cluster of three primaries. The primary that stores the keys has a replica. */
export async function startCluster(): Promise<RedisGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-cluster-'));
  const start = async () => {
    const port = await freePort();
    const files = ['--dir', folder, '--cluster-config-file', `nodes-${port}.conf`];
    // The port of the cluster bus is set, because its default would not be a valid port.
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort()), ...files];
    return startRedis(port, [...cluster, '--cluster-node-timeout', '1000']);
  };
  const nodes = await Promise.all([start(), start(), start(), start()]);
  const [first, second, third, replica] = nodes;
  const primaries = [first, second, third];
  for (const node of nodes.slice(1)) {
    const bus = await command(node, 'config', 'get', 'cluster-port');
    await command(first, 'cluster', 'meet', '127.0.0.1', node.port, bus.split('\n')[1] ?? '');
  }
  const share = Math.ceil(SLOTS / primaries.length);
  for (const [index, node] of primaries.entries())
    await command(node, 'cluster', 'addslotsrange', index * share, Math.min(SLOTS, (index + 1) * share) - 1);
  await until(async () => {
    const known = await Promise.all(nodes.map((node) => command(node, 'cluster', 'info')));
    return known.every((text) => text.includes('cluster_state:ok') && text.includes('cluster_known_nodes:4'));
  });
  const owner = primaries[Math.floor(Number(await command(first, 'cluster', 'keyslot', '{mw}')) / share)] ?? first;
  await command(replica, 'cluster', 'replicate', await command(owner, 'cluster', 'myid'));
  await until(async () => (await command(replica, 'info', 'replication')).includes('master_link_status:up'));
  const others = primaries.filter((node) => node !== owner);
  return {
    url: `redis+cluster://${others.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    killPrimary: owner.stop,
    async stop() {
      await Promise.all(nodes.map((server) => server.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}
