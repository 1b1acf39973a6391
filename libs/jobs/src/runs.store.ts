import { recordDecision, recordDenial, type Actor } from '@millwright/audit';
import { newId, type Database, type Tx } from '@millwright/db';
import type { Job, RunDetail } from './job.js';

export interface Run {
  id: string;
  job: string;
  extension: string;
  tick: Date;
  owner_id: string;
  attempt: number;
}

export type Origin = 'schedule' | 'manual';
export type Outcome = 'succeeded' | 'failed' | 'refused';

/** Another process took the run over, or ended it: this one may change nothing any more. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}

/** The owner is no active admin any more: nothing runs in their name. */
export class OwnerGone extends Error {
  override readonly name = 'OwnerGone';
}

/** The run's owner as the one accountable, through the job. */
export const actorOf = (run: Pick<Run, 'owner_id' | 'job'>): Actor => ({
  userId: run.owner_id,
  kind: 'job',
  label: run.job,
});

/** Makes the row of a tick. `undefined` when it is there already, made by whichever process was first. */
export async function insertRun(tx: Tx, job: Job, tick: Date, origin: Origin): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO job_runs (id, job, extension, tick, origin, owner_id)
    VALUES (${newId()}::uuid, ${job.name}, ${job.extension}, ${tick}, ${origin}, ${job.owner.id}::uuid)
    ON CONFLICT (job, tick) DO NOTHING RETURNING id`;
  return row?.id;
}

/** The latest tick of each job that was delivered, and what time it is by the clock that all replicas share. */
export async function readTicks(
  db: Database,
  jobs: readonly string[],
): Promise<{ now: Date; last: Map<string, Date> }> {
  const rows = await db.prepared<{ now: Date; job: string | null; tick: Date | null }>(
    'last-job-ticks',
    `SELECT now() AS now, job, max(tick) AS tick FROM (SELECT) one
       LEFT JOIN job_runs ON job = ANY($1) AND origin = 'schedule' GROUP BY job`,
    [jobs],
  );
  const last = rows.flatMap(({ job, tick }): [string, Date][] => (job !== null && tick ? [[job, tick]] : []));
  return { now: rows[0]?.now ?? new Date(), last: new Map(last) };
}

/** Takes a run that nobody has finished. Whoever took it before can no longer change anything. */
export async function takeRun(db: Database, id: string): Promise<Run | undefined> {
  const [run] = await db.prepared<Run>(
    'take-job-run',
    `UPDATE job_runs SET attempt = attempt + 1, started_at = now() WHERE id = $1 AND finished_at IS NULL
     RETURNING id, job, extension, tick, owner_id, attempt`,
    [id],
  );
  return run;
}

/** Holds the run and its owner until the transaction ends. @throws RunLost, OwnerGone */
export async function holdRun(tx: Tx, run: Run): Promise<void> {
  const [held] = await tx.$queryRaw<{ mine: boolean; allowed: boolean }[]>`
    SELECT r.attempt = ${run.attempt} AND r.finished_at IS NULL AS mine, u.status = 'active' AND u.role = 'admin' AS allowed
      FROM job_runs r JOIN users u ON u.id = r.owner_id WHERE r.id = ${run.id}::uuid FOR UPDATE OF r FOR SHARE OF u`;
  if (!held?.mine) throw new RunLost();
  if (!held.allowed) throw new OwnerGone();
}

/** Ends a run in the caller's transaction, with its row in the trail. */
export async function endRun(tx: Tx, run: Run, outcome: 'succeeded' | 'failed', detail: RunDetail): Promise<void> {
  await writeEnd(tx, run, outcome, detail);
  await recordDecision(tx, {
    actor: actorOf(run),
    action: 'job.run',
    resource: run.job,
    detail: { tick: run.tick.toISOString(), attempt: run.attempt, outcome, ...detail },
  });
}

/** Ends a run that was not allowed to happen. */
export async function refuseRun(db: Database, run: Run, reason: string): Promise<void> {
  const ended = await writeEnd(db.prisma, run, 'refused', { reason });
  if (!ended) return;
  const entry = { actor: actorOf(run), action: 'job.run', resource: run.job, detail: { tick: run.tick.toISOString() } };
  await recordDenial(db, entry, reason);
}

async function writeEnd(tx: Pick<Tx, '$executeRaw'>, run: Run, outcome: Outcome, detail: RunDetail): Promise<boolean> {
  const written = await tx.$executeRaw`
    UPDATE job_runs SET finished_at = now(), outcome = ${outcome}, detail = ${JSON.stringify(detail)}::jsonb
     WHERE id = ${run.id}::uuid AND finished_at IS NULL`;
  return written > 0;
}
