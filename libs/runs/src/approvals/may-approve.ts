import { recordDenial } from '@millwright/audit';
import type { Caller, Scope } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

const SCOPE: Scope = 'runs:approve';

/**
 * Refuses an action that only a person may take, if the credential acts for an agent or a client. Records the refusal.
 * @throws AppError forbidden for such a credential
 */
export async function requirePerson(db: Database, caller: Caller, action: string, resource: string): Promise<void> {
  if (!caller.delegation) return;
  await recordDenial(db, { ...caller, action, resource }, 'the credential acts for other actors');
  throw new AppError('forbidden');
}

/**
 * Refuses a decision by a credential without the scope for decisions, and records the refusal. Needed where no contract checks the scope.
 * @throws AppError forbidden for such a credential
 */
export async function requireMayApprove(db: Database, caller: Caller, resource: string): Promise<void> {
  if (caller.scopes?.has(SCOPE)) return;
  await recordDenial(db, { ...caller, action: 'approval.decide', resource }, `scope ${SCOPE} is missing`);
  throw new AppError('forbidden', {
    fields: [{ field: 'scope', reason: `${SCOPE} is missing` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${SCOPE}"` },
  });
}
