import type { Principal } from '@millwright/auth';
import { route, type Reply, type Route } from '@millwright/http';
import * as contract from './users.contract.js';
import type { UserStore } from './users.store.js';

export function userRoutes(users: UserStore): Route[] {
  async function own({ principal }: { principal: Principal }): Promise<Reply> {
    const { status, version } = await users.status(principal);
    return { body: status, version, digest: true };
  }

  return [
    route(contract.getOwnUser, own),
    route(contract.getMcpUser, own),

    route(contract.updateOwnUser, async ({ caller, principal, params, body, ifMatch, commit }) => {
      const { status } = await users.status(principal);
      const name = body.user?.name;
      return commit(async (tx) => {
        const version = await users.rename(tx, caller, params.uuid, ifMatch, name);
        const user = { ...status.user, name: name ?? status.user.name };
        return { body: { ...status, user }, version, digest: true };
      });
    }),
  ];
}
