import type { Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';

/** A scheduled job, its owner resolved. */
export interface Job {
  name: string;
  /** Name of the handler it runs. */
  extension: string;
  /** The accountable user: an active admin at the start, checked again in every transaction of every run. */
  owner: { id: string; email: string };
  /** Five fields of cron, in UTC. */
  schedule: string;
  enabled: boolean;
}

/** Result of a run, for the console and the audit row. Never a secret. */
export type RunDetail = Record<string, string | number | boolean | null>;

/** Created by {@link JobCall.commit} only: a handler that returns it has ended its run. */
export class RunEnd {
  readonly detail: RunDetail;

  constructor(detail: RunDetail) {
    this.detail = detail;
  }
}

/** One run of a job, for its handler. */
export interface JobCall {
  job: string;
  /** When the run was due. It may start later. */
  scheduledAt: Date;
  /** The owner, acting through the job. */
  actor: Actor;
  /** Aborted when the process stops or another process took the run over. */
  signal: AbortSignal;
  /**
   * A part of the work that is safe to repeat, in one transaction of at most 3.8 s. Rejects when another process took the run over or
   * the owner is not an active admin any more.
   */
  step: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** The change that must happen once per scheduled time, in the transaction that ends the run and writes its audit row. */
  commit: (work: (tx: Tx) => Promise<RunDetail>) => Promise<RunEnd>;
}

/** The code of a job. A run that throws is tried again, at most three times in all. */
export type JobHandler = (call: JobCall) => Promise<RunEnd>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;
