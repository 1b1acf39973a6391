import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram, startApiServer, WITH_PARENT } from '../../k8s/cluster/api-server.mjs';
import { CONTROL_ADDRESS, namespaceOf, NAMESPACE } from '../../k8s/cluster/network.mjs';
import { startNode } from '../../k8s/cluster/node.mjs';
import type { Prepared } from './run.mjs';
import { until } from '../harness/until.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- objects of Kubernetes are read as they are */
/* oxlint-disable typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return -- objects of Kubernetes have no types here */

/** A Kubernetes cluster whose nodes run containers. */
export interface Cluster {
  readonly version: string;
  readonly server: string;
  readonly token: string;
  /** Runs kubectl and returns its output. @throws Error with the standard error of kubectl when kubectl fails */
  kubectl: (args: readonly string[], input?: string) => Promise<string>;
  /** Returns the objects of the namespace `millwright` that `kubectl get` lists for these arguments. */
  list: (...args: string[]) => Promise<any[]>;
  /** Applies objects. The API server refuses unknown and duplicate fields. */
  apply: (objects: readonly object[], ...further: string[]) => Promise<string>;
  /** Returns the warning events of the namespace `millwright`. */
  warnings: () => Promise<string[]>;
  stop: () => Promise<void>;
}

const run = promisify(execFile);
const NODES_WITHIN_MS = 180_000;
const SERVICES = fileURLToPath(new URL('../../k8s/cluster/services.mjs', import.meta.url));

export async function startCluster(prepared: Prepared): Promise<Cluster> {
  const { folder, nodes } = prepared;
  const volumes = join(folder, 'volumes');
  const names = join(volumes, 'names');
  mkdirSync(names, { recursive: true });
  const control = await startApiServer(CONTROL_ADDRESS);
  const stops: (() => unknown)[] = [control.stop];
  async function stop() {
    for (const end of stops.reverse()) await end();
  }

  async function kubectl(args: readonly string[], input?: string): Promise<string> {
    const started = run(prepared.kubectl, ['--kubeconfig', control.kubeconfig, ...args], { maxBuffer: 1 << 26 });
    started.child.stdin?.end(input ?? '');
    try {
      return (await started).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`kubectl ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
    }
  }
  const list = async (...args: string[]) =>
    (JSON.parse(await kubectl(['--namespace', 'millwright', 'get', ...args, '-o', 'json'])) as { items: any[] }).items;

  try {
    const log = openSync(join(folder, 'services.log'), 'w');
    const network = [NAMESPACE, ...nodes.map(({ name }) => namespaceOf(name))];
    const [program = '', ...rest] = [
      ...WITH_PARENT,
      process.execPath,
      '--no-warnings',
      SERVICES,
      names,
      volumes,
      ...network,
    ];
    const services = spawn(program, rest, {
      stdio: ['ignore', log, log],
      env: { ...process.env, API_SERVER: control.server, API_TOKEN: control.token, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    });
    closeSync(log);
    stops.push(() => void services.kill('SIGKILL'));
    const started = nodes.map(async (network, index) => {
      const node = await startNode({
        network,
        folder,
        volumes,
        system: prepared.system,
        programs: dirname(findProgram('kubelet') ?? ''),
        kubeconfig: control.kubeconfig,
        labels: { 'topology.kubernetes.io/zone': `zone-${index + 1}` },
      });
      stops.push(node.stop);
      return node;
    });
    for (const node of await Promise.all(started)) await node.load(prepared.archive);
    await until(async () => {
      const all = JSON.parse(await kubectl(['get', 'nodes', '-o', 'json'])) as { items: any[] };
      const ready = all.items.filter(({ status }) =>
        status.conditions.some(({ type, status: is }: any) => type === 'Ready' && is === 'True'),
      );
      return ready.length === nodes.length ? true : undefined;
    }, NODES_WITHIN_MS).catch((cause: unknown) => {
      const logs = nodes.map(({ name }) => readFileSync(join(folder, name, 'kubelet.log'), 'utf8').slice(-2_000));
      throw new Error(`not all nodes are ready:\n${logs.join('\n')}`, { cause });
    });
  } catch (failure) {
    await stop();
    throw failure;
  }

  return {
    version: control.version,
    server: control.server,
    token: control.token,
    kubectl,
    list,
    apply: (objects, ...further) =>
      kubectl(
        ['apply', '--server-side', '--force-conflicts', '--validate=strict', ...further, '-f', '-'],
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
      ),
    warnings: async () =>
      (await list('events'))
        .filter(({ type }) => type === 'Warning')
        .map(({ reason, message, involvedObject }) => `${reason} ${involvedObject.name}: ${message}`),
    stop,
  };
}
