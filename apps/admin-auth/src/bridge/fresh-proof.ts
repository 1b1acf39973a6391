import { recordDenial } from '@millwright/audit';
import type { Caller, Principal } from '@millwright/auth';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

interface Asking {
  principal: Principal | undefined;
  caller: Caller | undefined;
}

const IS_FRESH = `
  SELECT proven_at > now() - (CASE method WHEN 'magic_link' THEN interval '15 minutes' ELSE interval '5 minutes' END) AS fresh
    FROM user_sessions WHERE id = $1`;

/**
 * The signed-in user, who has just proved who they are; the attempt of one who has not is recorded.
 *
 * @throws AppError unauthorized, forbidden
 */
export function createRequireFresh(db: Database) {
  return async ({ principal, caller }: Asking, action: string) => {
    if (!principal || !caller) throw new AppError('unauthorized');
    const session = decodeId('ses', principal.credential.id);
    const [row] = await db.prepared<{ fresh: boolean }>('is-fresh', IS_FRESH, [session ?? null]);
    const { user, roles, project } = principal;
    if (row?.fresh) return { user, roles, project, actor: caller.actor };
    const entry = { actor: caller.actor, action, resource: encodeId('usr', user.id), project };
    await recordDenial(db, entry, 'no fresh passkey proof');
    throw new AppError('forbidden');
  };
}
export type RequireFresh = ReturnType<typeof createRequireFresh>;
