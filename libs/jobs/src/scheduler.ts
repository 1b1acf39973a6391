import { recordDecision, type Actor } from '@millwright/audit';
import { createDirectPool, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { fromPrisma, PgBoss } from 'pg-boss';
import type { JobHandlers, Job } from './job.js';
import { createRunner, giveRunUp, type RunReport } from './run-job.js';
import { insertRun, readScheduledTimes } from './runs.store.js';
import { dueTimes } from './schedule.js';

/**
 * Queues of run ids. A run moves to the second queue when the processes of all its attempts died. The policy of the
 * first queue limits each job to one active run over all processes. Group concurrency would not be enough: two workers
 * that fetch at the same time would both find no active run.
 */
const QUEUE = 'jobs';
const LOST = 'jobs-lost';

/**
 * Number of connections of the pool that pg-boss uses. pg-boss gets this pool because its own pool would wait for a silent server until TCP
 * closes the connection.
 */
const CONNECTIONS = 2;

/** Interval at which each replica checks for due times, in milliseconds. */
const CHECK_MS = 5_000;
/** When the process of a run dies, another one takes over the run within 23 s: heartbeat 10 s, supervision 5 s, monitor 5 s, delay 1 s, poll 2 s. */
const DELIVERY = { heartbeatSeconds: 10, retryDelay: 1, retryLimit: 5, expireInSeconds: 900 };
const SUPERVISE_SECONDS = 5;
const POLL_SECONDS = 2;
/**
 * Time in milliseconds in which a stopping process lets its current runs finish. Another process then takes over the
 * unfinished runs.
 */
const STOP_MS = 4_000;

export interface SchedulerOptions {
  db: Database;
  /** The direct address of PostgreSQL, not that of a pooler, for the two separate connections of pg-boss. */
  databaseUrl: string;
  jobs: readonly Job[];
  handlers: JobHandlers;
  onRun: (report: RunReport) => void;
  /** Called for failures outside of runs. The next check repeats the failed work. */
  onError: (error: unknown) => void;
  /** Interval of the checks in milliseconds. */
  checkEvery?: number;
}

export interface Scheduler {
  readonly jobs: readonly Job[];
  /**
   * Starts a run of a job now, in the transaction that records the request.
   *
   * @throws AppError not_found for an unknown job; conflict for a disabled job
   */
  request: (tx: Tx, name: string, actor: Actor) => Promise<{ id: string; scheduledAt: Date }>;
  stop: () => Promise<void>;
}

/**
 * Delivers each scheduled time of each enabled job once, for any number of replicas, and runs the job. A scheduled time is a row that
 * only one replica can insert, written together with its delivery. The run of a replica that dies is taken over within 30 s.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { db, databaseUrl, jobs, handlers, onRun, onError, checkEvery = CHECK_MS } = options;
  const pool = createDirectPool({ url: databaseUrl, max: CONNECTIONS, applicationName: 'millwright-jobs', onError });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    migrate: false,
    createSchema: false,
    schedule: false, // the schedules of pg-boss itself do not state the scheduled time of a run
    reindex: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(LOST);
  await boss.createQueue(QUEUE, { ...DELIVERY, deadLetter: LOST, policy: 'key_strict_fifo' });
  await boss.updateQueue(QUEUE, DELIVERY); // the queue may exist from an earlier release

  const run = createRunner({ db, handlers, onRun });
  const polling = { pollingIntervalSeconds: POLL_SECONDS };
  // There is one worker for each job, so that a slow job delays only its own runs.
  const localConcurrency = Math.max(1, jobs.length);
  await boss.work<{ run: string }>(QUEUE, { ...polling, localConcurrency }, async ([delivery]) => {
    if (delivery) await run(delivery.data.run, delivery.signal);
  });
  await boss.work<{ run: string }>(LOST, polling, async ([delivery]) => {
    if (!delivery) return;
    const lost = await giveRunUp(db, delivery.data.run);
    await boss.deleteJob(QUEUE, delivery.data.run); // a failed delivery blocks the next runs of its job
    if (lost) onRun({ job: lost.job, outcome: 'failed', seconds: 0, error: new Error('every attempt died') });
  });

  async function deliver(
    tx: Tx,
    job: Job,
    scheduledAt: Date,
    origin: 'schedule' | 'manual',
  ): Promise<string | undefined> {
    const id = await insertRun(tx, job, scheduledAt, origin);
    if (id !== undefined) await boss.send(QUEUE, { run: id }, { id, singletonKey: job.name, db: fromPrisma(tx) });
    return id;
  }

  const enabled = jobs.filter((job) => job.enabled);
  async function check(): Promise<void> {
    const { now, last } = await readScheduledTimes(
      db,
      enabled.map(({ name }) => name),
    );
    for (const job of enabled)
      for (const time of dueTimes(job.schedule, last.get(job.name), now))
        await db.transaction((tx) => deliver(tx, job, time, 'schedule'));
  }

  const stopping = new AbortController();
  const checking = (async () => {
    while (!stopping.signal.aborted) {
      await check().catch(onError);
      await pause(checkEvery, stopping.signal);
    }
  })();

  return {
    jobs,
    async request(tx, name, actor) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job) throw new AppError('not_found');
      const scheduledAt = new Date();
      const id = job.enabled ? await deliver(tx, job, scheduledAt, 'manual') : undefined;
      if (id === undefined) throw new AppError('conflict');
      await recordDecision(tx, { actor, action: 'job.request', resource: job.name, detail: { run: id } });
      return { id, scheduledAt };
    },
    async stop() {
      stopping.abort();
      await checking;
      await boss.stop({ graceful: true, timeout: STOP_MS });
      await pool.end();
    },
  };
}

/** Resolves early, without an error, when the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
