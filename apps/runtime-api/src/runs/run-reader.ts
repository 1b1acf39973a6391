import type { Caller } from '@millwright/auth';
import type { RunReader } from './list-runs.js';

/** Whether a caller may access all runs of the project. */
export const readsAll = ({ scopes }: Caller): boolean => scopes?.has('runs:read_all') ?? false;

/** The runs that a caller may access. */
export const readerOf = (caller: Caller): RunReader => ({
  project: caller.project,
  userId: readsAll(caller) ? undefined : caller.actor.userId,
});
