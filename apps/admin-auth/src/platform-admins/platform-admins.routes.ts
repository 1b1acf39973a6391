import { recordDenial } from '@millwright/audit';
import { decodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './platform-admins.contract.js';
import {
  confirmPlatformAdmin,
  listPending,
  refusePlatformAdmin,
  requestPlatformAdmin,
} from './platform-admins.store.js';

/**
 * Makes the endpoints for requests to make an account a platform admin. A second platform admin decides a request. Unless `enabled`, only
 * an operator can make platform admins.
 */
export function platformAdminRoutes(db: Database, { enabled }: { enabled: boolean }): Route[] {
  function requireEnabled(): void {
    if (enabled) return;
    const reason = 'is off: an operator makes platform admins';
    throw new AppError('conflict', { fields: [{ field: 'SECURITY_PLATFORM_ADMIN_FOUR_EYES', reason }] });
  }
  return [
    route(contract.listRequests, async () => ({ body: { enabled, items: enabled ? await listPending(db) : [] } })),

    route(contract.createRequest, ({ params, caller, commit }) => {
      const id = decodeId('usr', params.user_id);
      if (!id) throw new AppError('not_found');
      return commit(async (tx) => {
        requireEnabled();
        return { body: await requestPlatformAdmin(tx, id, caller.actor) };
      });
    }),

    route(contract.confirmRequest, async ({ params, caller, commit }) => {
      try {
        return await commit(async (tx) => {
          requireEnabled();
          await confirmPlatformAdmin(tx, params.request_id, caller.actor);
          return {};
        });
      } catch (error) {
        if (error instanceof AppError && error.code === 'forbidden') {
          const { actor, project } = caller;
          const entry = { actor, project, action: 'platform_admin.confirm', resource: params.request_id };
          await recordDenial(db, entry, 'a request is confirmed by neither its requester nor its account');
        }
        throw error;
      }
    }),

    route(contract.refuseRequest, ({ params, caller, commit }) =>
      commit(async (tx) => {
        await refusePlatformAdmin(tx, params.request_id, caller.actor);
        return {};
      }),
    ),
  ];
}
