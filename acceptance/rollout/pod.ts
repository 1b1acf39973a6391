import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Endpoint } from './endpoints.js';
import type { PodTemplate, Probe } from './manifests.js';

/** Milliseconds for which a pod may still receive new connections after it began to stop or died. */
export const ENDPOINTS_LAG_MS = 1_000;

export interface PodPlan {
  template: PodTemplate;
  /** Environment variables of the process on this machine. */
  env: Record<string, string>;
  ports: { http: number; admin: number };
  /** Folder with the files of its image. */
  folder: string;
}

export interface Ended {
  code: number | null;
  ms: number;
}

/** One process, which is started, probed, stopped and restarted as its manifest states. */
export interface Pod extends Endpoint {
  readonly ready: boolean;
  /** Number of starts of its process. */
  readonly starts: number;
  readonly pid: number | undefined;
  output(): string;
  /** Deletes the pod: preStop, SIGTERM, and SIGKILL after the grace period. */
  remove(): Promise<Ended>;
  /** Kills the pod's process. */
  kill(): void;
}

export function startPod({ template, env, ports, folder }: PodPlan): Pod {
  let child: ChildProcess;
  let written = '';
  let starts = 0;
  let listed = false;
  let removed = false;
  const state = { ready: false };

  function run() {
    starts += 1;
    const [program = '', ...args] = template.command;
    child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (written += chunk.toString()));
    const running = child;
    void probe(running);
    child.once('exit', () => {
      if (!removed) void restart();
    });
  }

  async function restart() {
    setReady(false);
    await delay(starts > 1 ? 10_000 : 0);
    if (!removed) run();
  }

  /**
   * Stores whether the pod is ready. A pod that is no longer ready stays listed by its Service for some time, because other nodes get the change
   * later.
   */
  function setReady(value: boolean) {
    state.ready = value;
    if (value) listed = true;
    else
      void delay(ENDPOINTS_LAG_MS, undefined, { ref: false }).then(() => {
        listed = state.ready;
      });
  }

  async function probe(running: ChildProcess) {
    const goesOn = () => !removed && running === child && running.exitCode === null && running.signalCode === null;
    if ((await every(template.startup, goesOn, (ok) => (ok ? 'enough' : undefined))) !== 'enough') {
      running.kill('SIGKILL');
      return;
    }
    void every(template.readiness, goesOn, (ok, failures) => {
      if (ok && !state.ready) setReady(true);
      else if (state.ready && failures >= template.readiness.failureThreshold) setReady(false);
      return undefined;
    });
    const end = await every(template.liveness, goesOn, () => undefined);
    if (end === 'failed') running.kill('SIGKILL');
  }

  /** Runs the probe at once, then after every period. */
  async function every(
    { path, periodMs, timeoutMs, failureThreshold }: Probe,
    goesOn: () => boolean,
    judge: (ok: boolean, failures: number) => 'enough' | undefined,
  ): Promise<'enough' | 'failed' | 'over'> {
    const url = `http://127.0.0.1:${ports.admin}${path}`;
    for (let failures = 0; goesOn();) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (!goesOn()) break;
      failures = answer?.ok ? 0 : failures + 1;
      if (judge(answer?.ok === true, failures) === 'enough') return 'enough';
      if (failures >= failureThreshold && path !== template.readiness.path) return 'failed';
      await delay(periodMs, undefined, { ref: false });
    }
    return 'over';
  }

  let removal: Promise<Ended> | undefined;
  const remove = () => (removal ??= end());

  async function end(): Promise<Ended> {
    removed = true;
    setReady(false);
    const began = performance.now();
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    const overdue = setTimeout(() => void child.kill('SIGKILL'), template.graceMs);
    const [program, ...args] = template.preStop ?? [];
    if (program !== undefined) await promisify(execFile)(program, args, { cwd: folder });
    child.kill('SIGTERM');
    await gone;
    clearTimeout(overdue);
    return { code: child.exitCode, ms: Math.round(performance.now() - began) };
  }

  run();
  return {
    port: ports.http,
    get listed() {
      return listed;
    },
    get ready() {
      return state.ready;
    },
    get starts() {
      return starts;
    },
    get pid() {
      return child.pid;
    },
    output: () => written,
    remove,
    kill: () => void child.kill('SIGKILL'),
  };
}
