import { issueApiKey, listApiKeys, requireRights, revokeApiKey, rotateApiKey } from '@millwright/accounts';
import { describeScopes } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import * as contract from './api-keys.contract.js';

const DAY_MS = 86_400_000;

export function apiKeyRoutes(db: Database): Route[] {
  return [
    route(contract.listScopes, ({ principal }) =>
      Promise.resolve({ body: { items: describeScopes(principal.roles.includes('admin')) } }),
    ),

    route(contract.listKeys, async ({ principal }) => ({ body: { items: await listApiKeys(db, principal.user.id) } })),

    route(contract.createKey, ({ principal: { user, roles }, caller: { actor }, body, commit }) => {
      const { kind, name, expires_in_days: days, ...wanted } = body;
      return commit(async (tx) => {
        const rights = await requireRights(tx, user.id, wanted, { byAdmin: roles.includes('admin') });
        const expiresAt = days === null ? undefined : new Date(Date.now() + days * DAY_MS);
        return { body: await issueApiKey(tx, { ...rights, kind, name, expiresAt }, actor) };
      });
    }),

    route(contract.rotateKey, ({ principal, caller: { actor }, params, body, commit }) => {
      const rotation = { userId: principal.user.id, overlapHours: body.overlap_hours };
      return commit(async (tx) => ({ body: await rotateApiKey(tx, params.key_id, actor, rotation) }));
    }),

    route(contract.revokeKey, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        await revokeApiKey(tx, params.key_id, caller.actor, principal.user.id);
        return {};
      }),
    ),
  ];
}
