import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { LATENCY_BUCKETS_S } from './latency-buckets.js';
import { showEventLoop, showPool, showReadiness, type PoolSample } from './gauges.js';
import { countTelemetryEvents } from './telemetry-metrics.js';

export interface RequestSample {
  method: string;
  /** Template of the route, never the path: `/api/v1/skills/{id}`. */
  route: string;
  status: number;
  seconds: number;
}

export interface LimitDecision {
  budget: string;
  admitted: boolean;
  backend: string;
}

/** The metrics of one process. Further metrics are added to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  observeRequest(sample: RequestSample): void;
  countShed(): void;
  countLimitDecision(decision: LimitDecision): void;
  /** Sets the current backend of limits, and whether Redis is configured. */
  setLimitBackend(backend: 'redis' | 'memory', hasRedis: boolean): void;
  /** Sets the function that returns the number of requests in flight. It is called at each scrape. */
  readInFlightFrom(count: () => number): void;
  /** Sets the function that returns the state of the database's connection pool. It is called at each scrape. */
  readPoolFrom(state: () => PoolSample): void;
  /** Sets the function that returns whether the process is ready. It is called at each scrape. */
  readReadinessFrom(ready: () => Promise<boolean>): void;
}

export function createMetrics({ service, version }: { service: string; version: string }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });

  let countInFlight = () => 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests being answered',
    registers,
    collect() {
      this.set(countInFlight());
    },
  });
  new Gauge({ name: 'build_info', help: 'Always 1', labelNames: ['version'], registers }).set({ version }, 1);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused to protect the others',
    registers,
  });
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests counted against a budget',
    labelNames: ['budget', 'admitted', 'backend'],
    registers,
  });
  const backend = new Gauge({
    name: 'rate_limit_backend_redis',
    help: '1 while limits are shared through Redis, 0 while each process counts for itself',
    registers,
  });
  const redisConfigured = new Gauge({
    name: 'rate_limit_redis_configured',
    help: '1 where limits are meant to be shared through Redis',
    registers,
  });

  showEventLoop(registry);
  countTelemetryEvents(registry);

  return {
    registry,
    observeRequest: ({ method, route, status, seconds }) => duration.observe({ method, route, status }, seconds),
    countShed: () => shed.inc(),
    countLimitDecision: ({ budget, admitted, backend: by }) =>
      decisions.inc({ budget, admitted: String(admitted), backend: by }),
    setLimitBackend(current, hasRedis) {
      backend.set(current === 'redis' ? 1 : 0);
      redisConfigured.set(hasRedis ? 1 : 0);
    },
    readInFlightFrom: (count) => {
      countInFlight = count;
    },
    readPoolFrom: (state) => showPool(registry, state),
    readReadinessFrom: (ready) => showReadiness(registry, ready),
  };
}
