import type { Caller } from '@millwright/auth';
import type { RunReader } from './list-runs.js';

/** Whether a caller has a say in all runs of the project. */
export const readsAll = ({ scopes }: Caller): boolean => scopes?.has('runs:read_all') ?? false;

/** Which runs a caller reaches. */
export const readerOf = (caller: Caller): RunReader => ({
  project: caller.project,
  userId: readsAll(caller) ? undefined : caller.actor.userId,
});
