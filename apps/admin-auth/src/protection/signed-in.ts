import { recordDenial, type Actor } from '@millwright/audit';
import type { Caller, Principal } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { contextOf, type UserContext } from '../sessions/user-context.js';

/** Who asks at an endpoint for one's own things. */
export interface SignedIn extends Pick<Principal, 'user' | 'project' | 'roles'> {
  context: UserContext;
  actor: Actor;
}

interface Asking {
  principal: Principal | undefined;
  caller: Caller | undefined;
}

/** Any session will do for one's own things: there is no scope to name. @throws AppError unauthorized */
export function requireUser({ principal, caller }: Asking): SignedIn {
  const context = principal && contextOf(principal);
  if (!context || !caller) throw new AppError('unauthorized');
  const { user, project, roles } = principal;
  return { user, project, roles, context, actor: caller.actor };
}

/** The same, and the person has just proved who they are; the attempt of one who has not is recorded. */
export type RequireFresh = (call: Asking, action: string) => Promise<SignedIn>;

/** @throws AppError unauthorized, step_up_required */
export function createRequireFresh(db: Database): RequireFresh {
  return async (call, action) => {
    const signedIn = requireUser(call);
    if (signedIn.context.fresh) return signedIn;
    const { actor, project, user } = signedIn;
    await recordDenial(db, { actor, action, resource: encodeId('usr', user.id), project }, 'no fresh passkey proof');
    throw new AppError('step_up_required');
  };
}
