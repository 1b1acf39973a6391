import { until } from '../harness/until.js';
import type { Endpoints } from './endpoints.js';
import type { Workload } from './manifests.js';
import type { Ended, Pod } from './pod.js';

/** Time limit in milliseconds for a pod to become ready, long enough for a busy machine that starts all pods at the same time. */
const READY_WITHIN_MS = 180_000;

/**
 * Simulates a Deployment with its rolling update, which replaces one pod at a time: it starts a new pod, waits until the pod is ready, and stops
 * an old pod.
 */
export interface Deployment {
  readonly name: string;
  readonly pods: readonly Pod[];
  readonly endpoints: Endpoints;
  /** Exits of the pods that were stopped so far. */
  readonly ended: Ended[];
  /** Replaces every pod by a pod of the revision. */
  roll(revision: Revision): Promise<void>;
  /** Begins an update that does not continue: starts the first pod of the revision. */
  beginRoll(revision: Revision): Promise<Pod>;
  /** Stops the pod. */
  remove(pod: Pod): void;
  scale(replicas: number): Promise<void>;
  output(): string;
  /** Waits until all stopped pods have exited. */
  settled(): Promise<void>;
}

/** Environment variables in addition to those of the manifest. They are the only difference between two revisions. */
export type Revision = Record<string, string>;

export interface DeploymentOptions {
  workload: Workload;
  endpoints: Endpoints;
  replicas: number;
  start: (revision: Revision) => Promise<Pod>;
}

export async function createDeployment({
  workload,
  endpoints,
  replicas,
  start,
}: DeploymentOptions): Promise<Deployment> {
  const { name, maxSurge, maxUnavailable } = workload;
  const everyPod: Pod[] = [];
  const ended: Ended[] = [];
  const going: Promise<unknown>[] = [];
  let pods: Pod[] = [];
  let current: Revision = {};

  async function add(revision: Revision): Promise<Pod> {
    const pod = await start(revision);
    everyPod.push(pod);
    pods = [...pods, pod];
    endpoints.pods = everyPod;
    return pod;
  }

  function remove(pod: Pod) {
    pods = pods.filter((other) => other !== pod);
    going.push(pod.remove().then((end) => ended.push(end)));
  }

  const untilReady = (some: readonly Pod[]) =>
    until(() => (some.every(({ ready }) => ready) ? true : undefined), READY_WITHIN_MS).catch((cause: unknown) => {
      throw new Error(`${name} was not ready:\n${some.map((pod) => pod.output().slice(-2_000)).join('\n')}`, { cause });
    });

  async function scale(wanted: number) {
    while (pods.length > wanted) remove(pods.at(-1) as Pod);
    while (pods.length < wanted) await add(current);
    await untilReady(pods);
  }

  async function roll(revision: Revision) {
    const old = pods;
    const fresh: Pod[] = [];
    while (old.some((pod) => pods.includes(pod))) {
      while (pods.length < old.length + maxSurge && fresh.length < old.length) fresh.push(await add(revision));
      const mayGo = () => pods.filter(({ ready }) => ready).length - (old.length - maxUnavailable);
      await until(() => (mayGo() > 0 ? true : undefined), READY_WITHIN_MS);
      remove(old.find((pod) => pods.includes(pod)) as Pod);
    }
    await untilReady(pods);
    current = revision;
  }

  await scale(replicas);
  return {
    name,
    get pods() {
      return pods;
    },
    endpoints,
    ended,
    roll,
    beginRoll: add,
    remove,
    scale,
    output: () => everyPod.map((pod) => pod.output()).join(''),
    async settled() {
      await Promise.all(going);
    },
  };
}
