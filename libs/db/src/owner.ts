import { AsyncLocalStorage } from 'node:async_hooks';

interface Ownership {
  owner: string;
}

const ownerships = new AsyncLocalStorage<Ownership>();

/** Owner of work that no request began, such as that of jobs. */
const PROCESS = 'process';

/** Runs work whose statements wait for a connection in the turns of `owner`, such as the address of a request. */
export function runOwnedBy<Result>(owner: string, work: () => Result): Result {
  return ownerships.run({ owner }, work);
}

/** Names another owner for the rest of the work, such as the account of a request whose credential has been checked. */
export function changeOwner(owner: string): void {
  const ownership = ownerships.getStore();
  if (ownership) ownership.owner = owner;
}

export const currentOwner = (): string => ownerships.getStore()?.owner ?? PROCESS;
