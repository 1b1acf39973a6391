import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDatabase,
  createMetricCounts,
  directUrl,
  isPooled,
  type Database,
  type MetricCounts,
} from '@millwright/db';
import type { Listener } from '@millwright/db/notifications';
import { renderers, type Area } from '@millwright/errors';
import { createRateLimiter, type RateLimiter } from '@millwright/rate-limit';
import { startTracing, type TracingConfig } from '@millwright/telemetry';
import type { Express } from 'express';
import {
  createLogger,
  createMetrics,
  createWork,
  loggedReadiness,
  runMain,
  serviceVersion,
  startService,
  type Logger,
  type Metrics,
  type Work,
} from '../process/index.js';
import { followRevocations, type AreaListeners } from './revocations.js';

/** The dependencies of every service's app. */
export interface AreaDeps {
  db: Database;
  limiter: RateLimiter;
  logger: Logger;
  metrics: Metrics;
  /** Tracks the work for clients that have disconnected. The process finishes this work before it exits. */
  work?: Work;
  /** Counts for analytics. When it is missing, nothing is counted. */
  counts?: MetricCounts;
}

/** The dependencies that a service's process has when it starts. */
export interface StartDeps extends AreaDeps {
  /** Resolves when the database can serve this build. Until then, the start waits and the process is not ready. */
  databaseReady: () => Promise<void>;
}

/** Settings of every service's process: serviceConfig, databaseConfig and rateLimitConfig together. */
export interface AreaConfig extends TracingConfig {
  HOST: string;
  PORT: number;
  ADMIN_PORT: number;
  LOG_LEVEL: string;
  SHUTDOWN_ANNOUNCE_MS: number;
  SHUTDOWN_GRACE_MS: number;
  DATABASE_URL: string;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_REPLICA_URL?: string | undefined;
  DATABASE_POOL_MAX: number;
  REDIS_URL?: string | undefined;
  RATE_LIMIT_MULTIPLIER: number;
  RATE_LIMIT_WITHOUT_REDIS: 'count' | 'refuse';
}

export interface AreaService<Config extends AreaConfig> {
  name: string;
  area: Area;
  loadConfig: () => Config;
  /**
   * Builds the app. It may read files, and also the database once the database is ready. `close` closes what `create`
   * created, after the last answer. `listeners` receive the notifications of other processes. `onDrain` ends streams
   * that clients can continue at another replica.
   */
  create: (
    config: Config,
    deps: StartDeps,
  ) => Promise<{ app: Express; close?: () => Promise<void>; onDrain?: () => void; listeners?: AreaListeners }>;
}

/** Interval in milliseconds at which a starting process checks its database. */
const LOOK_MS = 500;

/** Runs a service's process: reads the environment, creates the dependencies, listens, and drains. */
export function runArea<Config extends AreaConfig>({ name, area, loadConfig, create }: AreaService<Config>): void {
  runMain(name, async () => {
    const config = loadConfig();
    // Tracing starts first, because the later steps depend on whether it is enabled.
    const tracing = await startTracing({
      service: name,
      version: serviceVersion,
      config,
      onError: (err) => logger.warn({ err }, 'traces are lost until the collector answers again'),
    });
    const logger = createLogger({ service: name, level: config.LOG_LEVEL, version: serviceVersion });
    const metrics = createMetrics({ service: name, version: serviceVersion });
    const db = createDatabase({
      url: config.DATABASE_URL,
      pooled: isPooled(config),
      replicaUrl: config.DATABASE_REPLICA_URL,
      poolMax: config.DATABASE_POOL_MAX,
      onIdleError: (err) => logger.warn({ err }, 'an idle database connection failed'),
    });
    metrics.readPoolFrom(() => ({ ...db.poolState(), max: config.DATABASE_POOL_MAX }));
    // Until Redis has answered, each process counts requests in its own memory.
    metrics.setLimitBackend('memory', config.REDIS_URL !== undefined);
    const limiter = createRateLimiter({
      redisUrl: config.REDIS_URL,
      multiplier: config.RATE_LIMIT_MULTIPLIER,
      withoutRedis: config.RATE_LIMIT_WITHOUT_REDIS,
      onDecision: (budget, { admitted }, backend) =>
        metrics.countLimitDecision({ budget: budget.name, admitted, backend }),
      onBackend: (backend, cause) => {
        metrics.setLimitBackend(backend, config.REDIS_URL !== undefined);
        if (config.REDIS_URL === undefined) return;
        if (backend === 'redis') logger.info('rate limits are counted in Redis, for all processes together');
        else if (config.RATE_LIMIT_WITHOUT_REDIS === 'refuse')
          logger.warn({ cause }, 'requests with a rate limit are refused until Redis answers');
        else logger.warn({ cause }, 'rate limits are counted in each process alone until Redis answers');
      },
    });
    const work = createWork();
    const counts = createMetricCounts({
      db,
      area,
      onError: (err) => logger.warn({ err }, 'what was counted could not be written, and is kept'),
    });
    const notReady = loggedReadiness(() => db.notReady(), logger);
    async function databaseReady(): Promise<void> {
      while ((await notReady()) !== undefined) await sleep(LOOK_MS);
    }

    let started: Awaited<ReturnType<typeof create>> | undefined;
    const deps = { db, limiter, logger, metrics, work, counts, databaseReady };
    const starting = create(config, deps).then((made) => (started = made));

    let revocations: Listener | undefined = undefined;
    const { traffic } = await startService({
      name,
      config,
      app: starting.then(({ app }) => app),
      renderClientError: renderers[area],
      logger,
      metrics,
      ready: notReady,
      onDrain: () => {
        db.releaseIdle();
        started?.onDrain?.();
      },
      settled: () => work.settled(),
      close: async () => {
        await revocations?.close();
        await started?.close?.();
        await counts.close();
        await limiter.close();
        await db.close();
        await tracing.close();
      },
    });
    const { listeners: also } = await starting;
    revocations = followRevocations({ databaseUrl: directUrl(config), db, traffic, logger, also });
  });
}
