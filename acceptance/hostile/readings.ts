import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Platform } from '../harness/platform.js';
import type { ServiceName } from '../harness/service.js';

/** Resources used by a process during one phase. */
export interface Reading {
  memoryMib: number;
  /** Longest delay of the process's event loop in milliseconds. */
  delayMs: number;
  /** Longest time in milliseconds for which the process's event loop was blocked. Time in which the process waited for a core is not counted. */
  blockedMs: number;
  /** Share of one core that the process used. */
  cores: number;
}

export interface Readings {
  services: Record<ServiceName, Reading>;
  /** The share of one core that the connections to the database used. */
  databaseCores: number;
  /** The share of one core that everything on this machine used, attackers and other programs included. */
  machineCores: number;
}

const EVERY_MS = 500;
const probe = pathToFileURL(fileURLToPath(new URL('loop-probe.mjs', import.meta.url))).href;

/** Environment variables that load loop-probe.mjs into a service. It writes to `folder` for how long the event loop was blocked. */
export const probeEnv = (folder: string, nodeOptions = '') => ({
  LOOP_PROBE_DIR: folder,
  NODE_OPTIONS: `--import ${probe} ${nodeOptions}`.trim(),
});

const valueOf = (page: string, name: string) => Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(page)?.[1]);

const metricsOf = async (adminUrl: string) => (await fetch(`${adminUrl}/metrics`)).text();

/**
 * Reads every process's metrics until the returned function is called. Each reading contains the longest delay of the event loop since the
 * previous reading.
 */
export function beginReadings(platform: Platform, folder: string): () => Promise<Readings> {
  const [since, cpuBefore, busyBefore] = [Date.now(), databaseCpuSeconds(platform), busySeconds()];
  let isOver = false;

  async function readUntilOver(name: ServiceName, adminUrl: string): Promise<Reading> {
    const most = { memoryMib: 0, delayMs: 0 };
    const cpu: number[] = [];
    for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
      isLast = isOver;
      const page = await metricsOf(adminUrl);
      cpu.push(valueOf(page, 'process_cpu_seconds_total'));
      most.memoryMib = Math.max(most.memoryMib, valueOf(page, 'process_resident_memory_bytes') / 2 ** 20);
      // The first reading also covers the time before this phase.
      if (!isFirst) most.delayMs = Math.max(most.delayMs, valueOf(page, 'nodejs_eventloop_lag_max_seconds') * 1_000);
      if (!isLast) await delay(EVERY_MS);
    }
    const used = (cpu.at(-1) ?? 0) - (cpu[0] ?? 0);
    return { ...most, blockedMs: longestStop(join(folder, name), since), cores: used / secondsSince(since) };
  }
  const running = platform.services.map(({ name, adminUrl }) => ({ name, reading: readUntilOver(name, adminUrl) }));
  return async () => {
    isOver = true;
    const read = await Promise.all(running.map(async ({ name, reading }) => [name, await reading] as const));
    return {
      services: Object.fromEntries(read) as Record<ServiceName, Reading>,
      databaseCores: (databaseCpuSeconds(platform) - cpuBefore) / secondsSince(since),
      machineCores: (busySeconds() - busyBefore) / secondsSince(since),
    };
  };
}

/** Resolves when no service is answering a request. @throws Error when a service still answers requests after a minute */
export async function untilIdle({ services }: Platform): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const pages = await Promise.all(services.map(({ adminUrl }) => metricsOf(adminUrl)));
    if (pages.every((page) => valueOf(page, 'http_requests_in_flight') === 0)) return;
    await delay(EVERY_MS);
  }
  throw new Error('requests of an attack are still being answered');
}

/** Returns the seconds for which the cores of this machine were busy, added up over the cores. */
const busySeconds = () =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;

const secondsSince = (since: number) => (Date.now() - since) / 1_000;

/** Returns the largest value that a probe has written since the given time. */
function longestStop(file: string, since: number): number {
  const written = readIfThere(file).trimEnd().split('\n');
  const stops = written.map((line) => line.split(' ').map(Number)).filter(([at = 0]) => at >= since);
  return Math.max(0, ...stops.map(([, blocked = 0]) => blocked));
}

/** Returns the CPU time in seconds of all server processes that serve this database. Processes that have ended are not counted. */
function databaseCpuSeconds({ databaseUrl }: Platform): number {
  const database = new URL(databaseUrl).pathname.slice(1);
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const serving = processes.filter((id) => readIfThere(`/proc/${id}/cmdline`).includes(` ${database} `));
  // Fields 14 and 15 of stat: user and system time in hundredths of a second. The name before them may contain blanks.
  const hundredths = serving.map((id) => readIfThere(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ').slice(11, 13));
  return hundredths.flat().reduce((total, used) => total + Number(used ?? 0), 0) / 100;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
