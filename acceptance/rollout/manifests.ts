import { fileURLToPath } from 'node:url';
import { readImage } from '../../docker/image.mjs';
import { findKubectl, render } from '../../k8s/verify/kubectl.mjs';
import type { ServiceName } from '../harness/service.js';

export interface Probe {
  path: string;
  periodMs: number;
  timeoutMs: number;
  failureThreshold: number;
}

/** Source of a variable's value: a key of a Secret, or of a ConfigMap created elsewhere. */
export interface Reference {
  name: string;
  key: string;
  optional: boolean;
}

/** The pods of a Deployment. */
export interface PodTemplate {
  command: string[];
  env: Record<string, string>;
  references: Record<string, Reference>;
  /** Files from Secrets. The key is the path in the container; the value names the Secret and the key in the Secret. */
  files: Record<string, Reference>;
  ports: Record<'http' | 'admin', string>;
  startup: Probe;
  readiness: Probe;
  liveness: Probe;
  preStop: string[] | undefined;
  graceMs: number;
}

export interface Workload {
  name: ServiceName;
  template: PodTemplate;
  minReplicas: number;
  maxSurge: number;
  maxUnavailable: number;
  /** Memory limit of the container, in bytes. */
  memoryLimit: number;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- manifests are read as they are; k8s/verify holds them to their shape */
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return -- as above */

/** @throws Error when the manifest uses a feature that this test does not support. */
export function readWorkload(name: ServiceName, environment = 'production'): Workload {
  const folder = fileURLToPath(new URL(`../../k8s/areas/${name}/overlays/${environment}`, import.meta.url));
  const objects: any[] = render(findKubectl(), folder);
  const one = (kind: string) => objects.find((object) => object.kind === kind);
  const { spec } = one('Deployment');
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate;
  if (spec.strategy.type !== 'RollingUpdate' || typeof maxSurge !== 'number' || typeof maxUnavailable !== 'number')
    throw new Error(`${name}: this strategy is not performed`);
  if (pod.containers.length !== 1 || pod.initContainers) throw new Error(`${name}: one container is performed`);
  const map = (reference: string) =>
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === reference);
  const env = Object.assign({}, ...(container.envFrom ?? []).map((from: any) => map(from.configMapRef.name).data));
  const references: PodTemplate['references'] = {};
  for (const { name: variable, value, valueFrom } of container.env ?? []) {
    if (valueFrom === undefined) env[variable] = value;
    else references[variable] = { optional: false, ...(valueFrom.secretKeyRef ?? valueFrom.configMapKeyRef) };
  }
  return {
    name,
    template: {
      command: [...(container.command ?? readImage().entrypoint), ...(container.args ?? [])],
      env: { ...readImage().env, ...env },
      references,
      files: filesOf(pod, container),
      ports: portsOf(container),
      startup: probeOf(container, 'startupProbe'),
      readiness: probeOf(container, 'readinessProbe'),
      liveness: probeOf(container, 'livenessProbe'),
      preStop: preStopOf(container),
      graceMs: pod.terminationGracePeriodSeconds * 1_000,
    },
    minReplicas: one('HorizontalPodAutoscaler').spec.minReplicas,
    maxSurge,
    maxUnavailable,
    memoryLimit: bytesOf(container.resources.limits.memory),
  };
}

function portsOf(container: any): PodTemplate['ports'] {
  const port = (wanted: string) => String(container.ports.find(({ name }: any) => name === wanted).containerPort);
  return { http: port('http'), admin: port('admin') };
}

function filesOf(pod: any, container: any): PodTemplate['files'] {
  const files: PodTemplate['files'] = {};
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const { secret } = pod.volumes.find((volume: any) => volume.name === name);
    for (const { key, path } of secret?.items ?? [])
      files[`${mountPath}/${path}`] = { name: secret.secretName, key, optional: false };
  }
  return files;
}

/** Kubernetes' defaults for omitted fields. */
function probeOf(container: any, kind: string): Probe {
  const { httpGet, periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3, ...others } = container[kind];
  if (httpGet.port !== 'admin' || Object.keys(others).length > 0) throw new Error(`${kind} is not performed as it is`);
  return { path: httpGet.path, periodMs: periodSeconds * 1_000, timeoutMs: timeoutSeconds * 1_000, failureThreshold };
}

function preStopOf(container: any): string[] | undefined {
  const preStop = container.lifecycle?.preStop;
  if (preStop?.sleep) return ['sleep', String(preStop.sleep.seconds)];
  if (preStop && !preStop.exec) throw new Error('this preStop is not performed');
  return preStop?.exec.command;
}

function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  const factors: Record<string, number> = { Mi: 2 ** 20, Gi: 2 ** 30 };
  return Number(number) * (factors[unit] ?? Number.NaN);
}
