import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

export interface PoolSample {
  max: number;
  total: number;
  idle: number;
  /** Number of queries that wait for a connection. */
  waiting: number;
}

/** Adds a metric of the use of the event loop since the last scrape: 1 means that the process is saturated. */
export function showEventLoop(registry: Registry): void {
  let last: EventLoopUtilization | undefined;
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of time since the last scrape that the event loop was busy',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(last ? performance.eventLoopUtilization(now, last).utilization : now.utilization);
      last = now;
    },
  });
}

export function showPool(registry: Registry, state: () => PoolSample): void {
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections to PostgreSQL, by what they do',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle } = state();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'used' }, total - idle);
    },
  });
  new Gauge({
    name: 'db_pool_connections_max',
    help: 'Connections to PostgreSQL that this process may have',
    registers: [registry],
    collect() {
      this.set(state().max);
    },
  });
  new Gauge({
    name: 'db_pool_waiting',
    help: 'Queries that wait for a connection to PostgreSQL',
    registers: [registry],
    collect() {
      this.set(state().waiting);
    },
  });
}

export function showReadiness(registry: Registry, ready: () => Promise<boolean>): void {
  new Gauge({
    name: 'service_ready',
    help: '1 while the process should get traffic, 0 while it is starting, stopping or without its database',
    registers: [registry],
    async collect() {
      this.set((await ready()) ? 1 : 0);
    },
  });
}
