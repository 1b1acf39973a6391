import { expiryIn, issueApiKey, listApiKeys, requireRights, revokeApiKey, rotateApiKey } from '@millwright/accounts';
import { describeScopes, type Role } from '@millwright/auth';
import { describeKeyScopes } from '@millwright/auth/key-scopes';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import * as contract from './api-keys.contract.js';

export function apiKeyRoutes(db: Database): Route[] {
  return [
    route(contract.listScopes, ({ principal }) => Promise.resolve({ body: { items: scopesOfKeys(principal.roles) } })),

    route(contract.listKeys, async ({ principal }) => ({ body: { items: await listApiKeys(db, principal.user.id) } })),

    route(contract.createKey, ({ principal: { user, roles }, caller: { actor }, body, commit }) => {
      const { kind, name, expires_in_days: days, ...wanted } = body;
      return commit(async (tx) => {
        const rights = await requireRights(tx, user.id, wanted, { byAdmin: roles.includes('admin') });
        return { body: await issueApiKey(tx, { ...rights, kind, name, expiresAt: expiryIn(days) }, actor) };
      });
    }),

    route(contract.rotateKey, ({ principal, caller: { actor }, params, body, commit }) => {
      const { overlap_hours: overlapHours, expires_in_days: lifeDays } = body;
      const rotation = { userId: principal.user.id, overlapHours, lifeDays };
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

const scopesOfKeys = (roles: readonly Role[]) => [
  ...describeScopes(roles).map((one) => ({ ...one, keys_only: false })),
  ...describeKeyScopes().map((one) => ({ ...one, keys_only: true })),
];
