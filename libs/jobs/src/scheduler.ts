import { recordDecision, type Actor } from '@millwright/audit';
import { newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { fromPrisma, PgBoss } from 'pg-boss';
import type { Extensions, Job } from './job.js';
import { createRunner, giveRunUp, type RunReport } from './run-job.js';
import { insertRun, readTicks } from './runs.store.js';
import { dueTicks } from './schedule.js';

/** Delivers the ids of runs; those whose every attempt died go to the second. */
const QUEUE = 'job-runs';
const LOST = 'job-runs-lost';

/** How often each replica looks which ticks are due. */
const LOOK_MS = 5_000;
/** A run is taken over within 10 + 5 + 5 + 1 + 2 s of its process's death: heartbeat, supervision, monitor, delay, poll. */
const DELIVERY = { heartbeatSeconds: 10, retryDelay: 1, retryLimit: 5, expireInSeconds: 900 };
const SUPERVISE_SECONDS = 5;
const POLL_SECONDS = 2;
/** How long a stopping process waits for the run it has; what is not done then is taken over. */
const STOP_MS = 4_000;

export interface SchedulerOptions {
  db: Database;
  /** pg-boss has two connections of its own. */
  databaseUrl: string;
  jobs: readonly Job[];
  extensions: Extensions;
  onRun: (report: RunReport) => void;
  /** Told of what goes wrong around the runs; what was not done is done at the next look. */
  onError: (error: unknown) => void;
  /** Milliseconds. */
  lookEvery?: number;
}

export interface Scheduler {
  readonly jobs: readonly Job[];
  /** Delivers a run now, in the transaction that records who asked for it. @throws AppError not_found, conflict when disabled. */
  request: (tx: Tx, name: string, actor: Actor) => Promise<{ id: string; tick: Date }>;
  stop: () => Promise<void>;
}

/**
 * Delivers each tick of each enabled job once, however many replicas there are, and runs what is delivered. A tick is a row that
 * only one replica can make, written together with its delivery; a replica that dies has its run taken over within 30 s.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { db, databaseUrl, jobs, extensions, onRun, onError, lookEvery = LOOK_MS } = options;
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'millwright-jobs',
    max: 2,
    migrate: false,
    createSchema: false,
    schedule: false, // its own schedules hand on no tick
    reindex: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(LOST);
  await boss.createQueue(QUEUE, { ...DELIVERY, deadLetter: LOST });
  await boss.updateQueue(QUEUE, DELIVERY); // an earlier release may have made it

  const run = createRunner({ db, extensions, onRun });
  const polling = { pollingIntervalSeconds: POLL_SECONDS };
  await boss.work<{ run: string }>(QUEUE, { ...polling, localConcurrency: 2 }, async ([delivery]) => {
    if (delivery) await run(delivery.data.run, delivery.signal);
  });
  await boss.work<{ run: string }>(LOST, polling, async ([delivery]) => {
    const lost = delivery && (await giveRunUp(db, delivery.data.run));
    if (lost) onRun({ job: lost.job, outcome: 'failed', seconds: 0, error: new Error('every attempt died') });
  });

  async function deliver(tx: Tx, job: Job, tick: Date, origin: 'schedule' | 'manual'): Promise<string | undefined> {
    const id = await insertRun(tx, job, tick, origin);
    if (id !== undefined) await boss.send(QUEUE, { run: id }, { id: newId(), db: fromPrisma(tx) });
    return id;
  }

  const enabled = jobs.filter((job) => job.enabled);
  async function look(): Promise<void> {
    const { now, last } = await readTicks(
      db,
      enabled.map(({ name }) => name),
    );
    for (const job of enabled)
      for (const tick of dueTicks(job.schedule, last.get(job.name), now))
        await db.transaction((tx) => deliver(tx, job, tick, 'schedule'));
  }

  const stopping = new AbortController();
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(onError);
      await pause(lookEvery, stopping.signal);
    }
  })();

  return {
    jobs,
    async request(tx, name, actor) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job) throw new AppError('not_found');
      const tick = new Date();
      const id = job.enabled ? await deliver(tx, job, tick, 'manual') : undefined;
      if (id === undefined) throw new AppError('conflict');
      await recordDecision(tx, { actor, action: 'job.request', resource: job.name, detail: { run: id } });
      return { id, tick };
    },
    async stop() {
      stopping.abort();
      await looking;
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

/** Ends early, without an error, when the signal does. */
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
