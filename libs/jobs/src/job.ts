import type { Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';

/** A scheduled job, its owner resolved. */
export interface Job {
  name: string;
  /** Which of the installation's extensions it runs. */
  extension: string;
  /** The accountable user: an active admin at the start, looked at again in every transaction of every run. */
  owner: { id: string; email: string };
  /** Five fields of cron, in UTC. */
  schedule: string;
  enabled: boolean;
}

/** What a run did, as it is shown and recorded. Never a secret. */
export type RunDetail = Record<string, string | number | boolean | null>;

/** Only {@link JobCall.commit} makes one: an extension that returns it has ended its run. */
export class RunEnd {
  constructor(readonly detail: RunDetail) {}
}

/** One run of a job, as its extension sees it. */
export interface JobCall {
  job: string;
  /** When it was due: what the run is about, however late it runs. */
  tick: Date;
  /** The owner, through the surface `job`. */
  actor: Actor;
  /** Aborted when the process stops or another one took the run over. */
  signal: AbortSignal;
  /**
   * A part of the work that is safe to repeat, in one transaction of at most 3.8 s. Rejects when another process took the run over or
   * the owner is no active admin any more.
   */
  step: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** The change that must happen once a tick: in the transaction that ends the run and records it. */
  commit: (work: (tx: Tx) => Promise<RunDetail>) => Promise<RunEnd>;
}

/** The code behind a job. What it throws is tried again, at most three times. */
export type Extension = (call: JobCall) => Promise<RunEnd>;
export type Extensions = Readonly<Record<string, Extension>>;
