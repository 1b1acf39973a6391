import { recordDenial } from '@millwright/audit';
import type { Caller, Scope } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** A run that goes on from what was said before. */
export interface Continuing {
  /** The operation, in the audit trail. */
  action: string;
  /** The conversation, or the response that stands in one. */
  resource: string;
  /** Whether what is said now is kept there. */
  kept: boolean;
}

export type MayContinue = (caller: Caller, continuing: Continuing) => Promise<void>;

/**
 * A run tells its caller what a conversation holds, and adds to it: for those only who could do both by themselves.
 *
 * @throws AppError forbidden, which is recorded
 */
export function createMayContinue(db: Database): MayContinue {
  return async (caller, { action, resource, kept }) => {
    const needed: Scope[] = kept ? ['conversations:read', 'conversations:write'] : ['conversations:read'];
    const missing = needed.find((scope) => !caller.scopes?.has(scope));
    if (missing === undefined) return;
    const { actor, project } = caller;
    await recordDenial(db, { actor, action, resource, project }, `scope ${missing} is missing`);
    throw new AppError('forbidden');
  };
}
