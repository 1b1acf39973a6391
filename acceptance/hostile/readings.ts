import { setTimeout as delay } from 'node:timers/promises';
import type { Platform } from '../harness/platform.js';
import type { ServiceName } from '../harness/service.js';

/** What a process used at most during one phase. */
export interface Reading {
  memoryMib: number;
  /** The longest time for which its event loop was late. */
  delayMs: number;
}

const EVERY_MS = 500;

const valueOf = (page: string, name: string) => Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(page)?.[1]);

/** Reads every process's metrics until the end is awaited. Each reading of the delay begins at the one before. */
export function beginReadings({ services }: Platform): () => Promise<Record<ServiceName, Reading>> {
  let isOver = false;
  async function readUntilOver(adminUrl: string): Promise<Reading> {
    const most = { memoryMib: 0, delayMs: 0 };
    for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
      isLast = isOver;
      const page = await (await fetch(`${adminUrl}/metrics`)).text();
      most.memoryMib = Math.max(most.memoryMib, valueOf(page, 'process_resident_memory_bytes') / 2 ** 20);
      // The first one also covers the time before this phase.
      if (!isFirst) most.delayMs = Math.max(most.delayMs, valueOf(page, 'nodejs_eventloop_lag_max_seconds') * 1_000);
      if (!isLast) await delay(EVERY_MS);
    }
    return most;
  }
  const running = services.map(({ name, adminUrl }) => ({ name, reading: readUntilOver(adminUrl) }));
  return async () => {
    isOver = true;
    const read = await Promise.all(running.map(async ({ name, reading }) => [name, await reading] as const));
    return Object.fromEntries(read) as Record<ServiceName, Reading>;
  };
}
