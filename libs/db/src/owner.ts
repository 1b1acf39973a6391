import { AsyncLocalStorage } from 'node:async_hooks';

interface Ownership {
  owner: string;
}

const ownerships = new AsyncLocalStorage<Ownership>();

/** Owner of work without a request, such as jobs. */
const PROCESS = 'process';

/** Runs work whose statements belong to `owner`, such as a request's address, in the round-robin queue for connections. */
export function runOwnedBy<Result>(owner: string, work: () => Result): Result {
  return ownerships.run({ owner }, work);
}

/** Changes the owner for the rest of the work, such as to the account of a request after the check of its credential. */
export function changeOwner(owner: string): void {
  const ownership = ownerships.getStore();
  if (ownership) ownership.owner = owner;
}

export const currentOwner = (): string => ownerships.getStore()?.owner ?? PROCESS;
