import { listSigningKeys, revokeSigningKey } from '@millwright/accounts/signing-keys';
import { readJwks } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { getJwks } from './jwks.contract.js';
import * as contract from './signing-keys.contract.js';

export function keysRoutes(db: Database): Route[] {
  return [
    route(getJwks, async () => ({ body: await readJwks(db, 'admin-auth') })),
    route(contract.getSigningKeys, async () => ({ body: { items: await listSigningKeys(db) } })),
    route(contract.revokeSigningKey, ({ params, caller, commit }) =>
      commit(async (tx) => {
        await revokeSigningKey(tx, params.kid, caller.actor);
        return {};
      }),
    ),
  ];
}
