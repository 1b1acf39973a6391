import { AsyncLocalStorage } from 'node:async_hooks';

interface Ownership {
  owner: string;
}

const ownerships = new AsyncLocalStorage<Ownership>();

/** Owner of work without a request, such as jobs. */
const PROCESS = 'process';

/**
 * Runs work whose statements belong to `owner`, such as the address of a request. The queue for connections serves
 * owners in turn.
 */
export function runOwnedBy<Result>(owner: string, work: () => Result): Result {
  return ownerships.run({ owner }, work);
}

/**
 * Changes the owner for the rest of the work. Example: once the credential of a request is checked, the owner becomes
 * the account of the request.
 */
export function changeOwner(owner: string): void {
  const ownership = ownerships.getStore();
  if (ownership) ownership.owner = owner;
}

export const currentOwner = (): string => ownerships.getStore()?.owner ?? PROCESS;
