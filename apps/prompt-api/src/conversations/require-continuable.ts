import { recordDenial } from '@millwright/audit';
import type { Caller, Scope } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** A run that continues a conversation. */
export interface Continuing {
  /** Name of the operation in the audit log. */
  action: string;
  /** The conversation, or a response within a conversation. */
  resource: string;
  /** Whether the new messages are stored in the conversation. */
  stored: boolean;
}

export type RequireContinuable = (caller: Caller, continuing: Continuing) => Promise<void>;

/**
 * Refuses a caller without the scope to read the conversation or, when the run is stored, without the scope to write it.
 *
 * @throws AppError forbidden, which is recorded
 */
export function createRequireContinuable(db: Database): RequireContinuable {
  return async (caller, { action, resource, stored }) => {
    const needed: Scope[] = stored ? ['conversations:read', 'conversations:write'] : ['conversations:read'];
    const missing = needed.find((scope) => !caller.scopes?.has(scope));
    if (missing === undefined) return;
    const { actor, project } = caller;
    await recordDenial(db, { actor, action, resource, project }, `scope ${missing} is missing`);
    throw new AppError('forbidden');
  };
}
