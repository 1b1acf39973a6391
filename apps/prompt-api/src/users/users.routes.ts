import { route, type Route } from '@millwright/http';
import * as contract from './users.contract.js';
import type { UserStore } from './users.store.js';

export function userRoutes(users: UserStore): Route[] {
  return [
    route(contract.getOwnUser, async ({ principal }) => ({ body: await users.status(principal) })),
    route(contract.getMcpUser, async ({ principal }) => ({ body: await users.status(principal) })),

    route(contract.updateOwnUser, async ({ caller, principal, params, body, ifMatch, commit }) => {
      const status = await users.status(principal);
      const name = body.user?.name;
      return commit(async (tx) => {
        await users.rename(tx, caller, params.uuid, ifMatch, name);
        return { body: { ...status, user: { ...status.user, name: name ?? status.user.name } } };
      });
    }),
  ];
}
