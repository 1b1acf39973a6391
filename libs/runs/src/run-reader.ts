import type { Caller } from '@millwright/auth';

/** The runs that a caller may access. */
export interface RunReader {
  project: string;
  /** Id of the user whose runs are read; undefined for all users. */
  userId: string | undefined;
}

/** Whether a caller may access all runs of the project. */
export const readsAll = ({ scopes }: Caller): boolean => scopes?.has('runs:read_all') ?? false;

export const readerOf = (caller: Caller): RunReader => ({
  project: caller.project,
  userId: readsAll(caller) ? undefined : caller.actor.userId,
});
