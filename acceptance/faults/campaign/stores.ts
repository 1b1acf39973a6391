import { setTimeout as delay } from 'node:timers/promises';
import { startRedis, type RedisServer } from '@millwright/testing';
import pg from 'pg';
import { startTemporaryPostgres } from '../../../tools/temporary-postgres.mjs';
import { operator } from '../../harness/operator.js';
import type { Service } from '../../harness/service.js';

/** Maximum time in milliseconds for which a store is down. It is shorter than a lease, which ends after 10 s. */
const LONGEST_ABSENCE_MS = 4_000;
/** Milliseconds between two faults: enough for runs to continue, and for some of them to end. */
const PAUSE_MS = { least: 1_000, spread: 5_000 };

/** The PostgreSQL server and the Redis server of one campaign. No other test uses them. */
export interface Stores {
  /** Address of a migrated database, and a function that drops the database. */
  database: { url: string; drop: () => Promise<void> };
  redisUrl: string;
  /** Kills PostgreSQL (SIGKILL), and starts it again after `absenceMs` milliseconds. */
  killPostgres: (absenceMs: number) => Promise<void>;
  /** Kills Redis, which keeps nothing on disk, and starts it again after `absenceMs` milliseconds. */
  killRedis: (absenceMs: number) => Promise<void>;
  close: () => Promise<void>;
}

export async function startStores(): Promise<Stores> {
  // Temporary servers acknowledge a commit before it is on disk. This server is killed, and must not lose an acknowledged commit.
  const postgres = await startTemporaryPostgres({ synchronous_commit: 'on' });
  let redis: RedisServer = await startRedis();
  const url = await createMigrated(postgres.url);
  return {
    database: { url, drop: () => Promise.resolve() },
    redisUrl: redis.url,
    async killPostgres(absenceMs) {
      await postgres.crash();
      await delay(absenceMs);
      await postgres.restart();
    },
    async killRedis(absenceMs) {
      await redis.stop();
      await delay(absenceMs);
      redis = await startRedis(redis.port);
    },
    close: () => Promise.all([postgres.stop(), redis.stop()]).then(() => undefined),
  };
}

async function createMigrated(server: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query('CREATE DATABASE campaign');
  await client.end();
  const url = new URL(server);
  url.pathname = '/campaign';
  await operator(url.href, 'db', 'migrate');
  return url.href;
}

export interface StoreFaults {
  postgres: number;
  redis: number;
  /** Number of kills of a process that executed runs, each together with a kill of a store. */
  processes: number;
}

/**
 * Kills PostgreSQL and Redis in turn, each `kills` times. With every second kill of each, a process that executes runs dies as well. Then
 * waits until all processes are ready.
 */
export async function killStores(
  stores: Stores,
  services: readonly Service[],
  kills: number,
  onKill: (faults: StoreFaults) => void,
): Promise<StoreFaults> {
  const faults: StoreFaults = { postgres: 0, redis: 0, processes: 0 };
  const absence = () => LONGEST_ABSENCE_MS * Math.random();

  async function loseProcess(): Promise<void> {
    const service = services[Math.floor(Math.random() * services.length)] as Service;
    faults.processes += 1;
    service.kill('SIGKILL');
    await service.start();
  }

  for (let round = 0; round < kills; round += 1) {
    for (const store of ['postgres', 'redis'] as const) {
      await delay(PAUSE_MS.least + PAUSE_MS.spread * Math.random());
      faults[store] += 1;
      const absent = store === 'postgres' ? stores.killPostgres(absence()) : stores.killRedis(absence());
      await Promise.all([absent, ...(round % 2 === 0 ? [loseProcess()] : [])]);
      onKill(faults);
    }
  }
  return faults;
}
