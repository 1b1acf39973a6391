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

/** Error for a run that another process has taken over or ended. This process must make no further changes. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}

/** Error for a run whose owner is no longer an active admin: nothing may run in the owner's name. */
export class OwnerGone extends Error {
  override readonly name = 'OwnerGone';
}

/** The owner of the run as the accountable actor, who acts through the job. */
export const actorOf = (run: Pick<Run, 'owner_id' | 'job'>): Actor => ({
  userId: run.owner_id,
  kind: 'job',
  label: run.job,
});

/** Inserts the run of a scheduled time. Returns `undefined` when another process has already inserted that run. */
export async function insertRun(tx: Tx, job: Job, scheduledAt: Date, origin: Origin): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO job_runs (id, job, extension, tick, origin, owner_id)
    VALUES (${newId()}::uuid, ${job.name}, ${job.extension}, ${scheduledAt}, ${origin}, ${job.owner.id}::uuid)
    ON CONFLICT (job, tick) DO NOTHING RETURNING id`;
  return row?.id;
}

/**
 * Reads the latest delivered time of each job, from the newest index entry of the job only. Each row also has the time of the database's
 * clock, so the query returns at least one row, even without any delivered time.
 */
export const LAST_TIMES = `
  SELECT now() AS now, last.job, last.tick FROM (SELECT) one LEFT JOIN (
    SELECT name AS job, run.tick FROM unnest($1::text[]) name, LATERAL (
      SELECT tick FROM job_runs WHERE job = name AND origin = 'schedule' ORDER BY tick DESC LIMIT 1) run) last ON true`;

/** The latest delivered time of each job, and the time of the database's clock, which is the same for all replicas. */
export async function readScheduledTimes(
  db: Database,
  jobs: readonly string[],
): Promise<{ now: Date; last: Map<string, Date> }> {
  const rows = await db.prepared<{ now: Date; job: string | null; tick: Date | null }>(
    'last-scheduled-times',
    LAST_TIMES,
    [jobs],
  );
  const last = rows.flatMap(({ job, tick: time }): [string, Date][] => (job !== null && time ? [[job, time]] : []));
  return { now: rows[0]?.now ?? new Date(), last: new Map(last) };
}

/** Takes an unfinished run. Its previous process can no longer change anything. */
export async function takeRun(db: Database, id: string): Promise<Run | undefined> {
  const [run] = await db.prepared<Run>(
    'take-job-run',
    `UPDATE job_runs SET attempt = attempt + 1, started_at = now() WHERE id = $1 AND finished_at IS NULL
     RETURNING id, job, extension, tick, owner_id, attempt`,
    [id],
  );
  return run;
}

/**
 * Locks the run and its owner until the transaction ends.
 *
 * @throws RunLost when another process has taken over or ended the run; OwnerGone when the owner is no longer an active admin
 */
export async function lockRun(tx: Tx, run: Run): Promise<void> {
  const [locked] = await tx.$queryRaw<{ mine: boolean; allowed: boolean }[]>`
    SELECT r.attempt = ${run.attempt} AND r.finished_at IS NULL AS mine, u.status = 'active' AND u.role = 'admin' AS allowed
      FROM job_runs r JOIN users u ON u.id = r.owner_id WHERE r.id = ${run.id}::uuid FOR UPDATE OF r FOR SHARE OF u`;
  if (!locked?.mine) throw new RunLost();
  if (!locked.allowed) throw new OwnerGone();
}

/** Ends a run in the caller's transaction and writes its audit row. */
export async function endRun(tx: Tx, run: Run, outcome: 'succeeded' | 'failed', detail: RunDetail): Promise<void> {
  await writeEnd(tx, run, outcome, detail);
  await recordDecision(tx, {
    actor: actorOf(run),
    action: 'job.run',
    resource: run.job,
    detail: { tick: run.tick.toISOString(), attempt: run.attempt, outcome, ...detail },
  });
}

/** Ends a run whose owner may not run it, and records the denial. */
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
