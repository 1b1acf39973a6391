import {
  lastSeal,
  readVerification,
  recordDecision,
  saveVerification,
  startVerification,
  storeVerification,
  verifyPart,
  type Actor,
  type TrustedKeys,
} from '@millwright/audit';
import type { Database, Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { JobCall, RunDetail, Scheduler } from '@millwright/jobs';

/** Handler of the job that verifies the rows that a request left unverified. */
export const VERIFY_JOB = 'verify-audit';

/** Limit of the rows that a request verifies itself, which takes some seconds; the job verifies the rest. */
const ROWS_OF_REQUEST = 20_000;
/** Number of rows after which the job stores its progress. After a process dies, at most this number of rows is verified again. */
const ROWS_OF_PART = 50_000;
/** Limit of one run of the job in milliseconds, below the limit of the job queue; the next run of the job continues the verification. */
const RUN_MS = 600_000;

/**
 * Verifies as much of the audit log as one request may. Stores the faults or, for a longer log, the place at which the job
 * continues.
 * @returns the writes of the request's transaction
 * @throws AppError conflict when the log is longer and no enabled job continues
 */
export async function verifyFirstPart(
  db: Database,
  { source, findKey }: TrustedKeys,
  scheduler: Pick<Scheduler, 'jobs' | 'request'>,
  rows = ROWS_OF_REQUEST,
): Promise<(tx: Tx, actor: Actor) => Promise<void>> {
  const job = scheduler.jobs.find(({ extension, enabled }) => enabled && extension === VERIFY_JOB);
  const seals = await lastSeal(db);
  const part = (await readVerification(db)) ?? (await verifyPart(db, findKey, undefined, (done) => done >= rows));
  if ('findings' in part) {
    const { faults } = part.findings;
    const detail = { verified: faults.length > 0 ? 'broken' : 'ok', faults: faults.length, keys: source };
    return async (tx, actor) => {
      await storeVerification(tx, part.findings, { keys: source, seals });
      await recordDecision(tx, { actor, action: 'audit.verify', resource: 'audit', detail });
    };
  }
  if (!job) throw new AppError('conflict', { fields: [{ field: 'job', reason: `no enabled job runs ${VERIFY_JOB}` }] });
  return async (tx, actor) => {
    // Requests the job only for a new verification: for a verification in progress, the job was requested before.
    if (await startVerification(tx, part.state, seals)) await scheduler.request(tx, job.name, actor);
    await recordDecision(tx, {
      actor,
      action: 'audit.verify',
      resource: 'audit',
      detail: { verified: 'later', seals },
    });
  };
}

/** Continues a verification in progress. Stores the progress after each part. Does nothing when no verification is in progress. */
export async function verifyNextParts(
  db: Database,
  { source, findKey }: TrustedKeys,
  { step, commit, signal }: Pick<JobCall, 'step' | 'commit' | 'signal'>,
  rows = ROWS_OF_PART,
) {
  const ends = (detail: RunDetail, work: (tx: Tx) => Promise<void> = () => Promise.resolve()) =>
    commit(async (tx) => {
      await work(tx);
      return detail;
    });
  const until = performance.now() + RUN_MS;
  for (;;) {
    const current = await readVerification(db);
    if (!current) return ends({ verified: null });
    const part = await verifyPart(db, findKey, current.state, (done) => done >= rows || signal.aborted);
    if ('findings' in part) {
      const { faults, rows: verified } = part.findings;
      const detail = {
        verified: faults.length > 0 ? 'broken' : 'ok',
        faults: faults.length,
        rows: verified,
        keys: source,
      };
      return ends(detail, (tx) => storeVerification(tx, part.findings, { keys: source, seals: current.seals }));
    }
    await step((tx) => saveVerification(tx, part.state));
    if (performance.now() > until) return ends({ verified: 'later', rows: part.state.walk?.verifier.rows ?? 0 });
  }
}
