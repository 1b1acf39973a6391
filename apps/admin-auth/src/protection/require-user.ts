import type { Caller, Principal } from '@millwright/auth';
import { AppError } from '@millwright/errors';

/** Who asks, where the path's row of the route table is all that is to be checked: there is no scope to name. @throws AppError unauthorized */
export function requireUser({ principal, caller }: { principal: Principal | undefined; caller: Caller | undefined }) {
  if (!principal || !caller) throw new AppError('unauthorized');
  return { ...principal, actor: caller.actor };
}
