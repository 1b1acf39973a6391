import { listSigningKeys } from '@millwright/accounts';
import { readJwks } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { getJwks } from './jwks.contract.js';
import { getSigningKeys } from './signing-keys.contract.js';

export function keysRoutes(db: Database): Route[] {
  return [
    route(getJwks, async () => ({ body: await readJwks(db, 'admin-auth') })),
    route(getSigningKeys, async () => ({ body: { items: await listSigningKeys(db) } })),
  ];
}
