import type { Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';

/** A scheduled job with its resolved owner. */
export interface Job {
  name: string;
  /** Name of the job's handler. */
  extension: string;
  /**
   * The accountable user. The process checks at its start, and in every transaction of every run, that this user is an
   * active admin.
   */
  owner: { id: string; email: string };
  /** Cron expression of five fields, in UTC. */
  schedule: string;
  enabled: boolean;
}

/** Result of a run, for the console and the audit row. Contains no secrets. */
export type RunDetail = Record<string, string | number | boolean | null>;

/** Proof that a handler has ended its run: only {@link JobCall.commit} creates it. */
export class RunEnd {
  readonly detail: RunDetail;

  constructor(detail: RunDetail) {
    this.detail = detail;
  }
}

/** One run of a job, for its handler. */
export interface JobCall {
  job: string;
  /** Time at which the run was due; the actual start may be later. */
  scheduledAt: Date;
  /** The actor of the run's changes: the owner of the job, who acts through the job. */
  actor: Actor;
  /** The signal aborts when the process stops or another process has taken over the run. */
  signal: AbortSignal;
  /**
   * Does a part of the work, which may be repeated, in one transaction of at most 3.8 s. Rejects when another process
   * has taken over the run, or when the owner is no longer an active admin.
   */
  step: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Makes the change that must happen once per scheduled time, in the transaction that ends the run and writes its audit row. */
  commit: (work: (tx: Tx) => Promise<RunDetail>) => Promise<RunEnd>;
}

/** The code of a job. A run that throws is retried; a run has at most three attempts. */
export type JobHandler = (call: JobCall) => Promise<RunEnd>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;
