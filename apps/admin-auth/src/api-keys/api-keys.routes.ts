import { describeScopes, issueApiKey, listApiKeys, requireRights, revokeApiKey, rotateApiKey } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { requireUser, type RequireFresh } from '../protection/signed-in.js';
import * as contract from './api-keys.contract.js';

const DAY_MS = 86_400_000;

export function apiKeyRoutes(db: Database, requireFresh: RequireFresh): Route[] {
  return [
    route(contract.listScopes, (call) =>
      Promise.resolve({ body: { items: describeScopes(requireUser(call).context.isAdmin) } }),
    ),

    route(contract.listKeys, async (call) => ({ body: { items: await listApiKeys(db, requireUser(call).user.id) } })),

    route(contract.createKey, async (call) => {
      const { user, actor, context } = await requireFresh(call, 'api_key.create');
      const { kind, name, expires_in_days: days, ...wanted } = call.body;
      return call.commit(async (tx) => {
        const rights = await requireRights(tx, user.id, wanted, { byAdmin: context.isAdmin });
        const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS);
        return { body: await issueApiKey(tx, { ...rights, kind, name, expiresAt }, actor) };
      });
    }),

    route(contract.rotateKey, async (call) => {
      const { user, actor } = await requireFresh(call, 'api_key.rotate');
      const rotation = { userId: user.id, overlapHours: call.body.overlap_hours };
      return call.commit(async (tx) => ({ body: await rotateApiKey(tx, call.params.key_id, actor, rotation) }));
    }),

    route(contract.revokeKey, (call) =>
      call.commit(async (tx) => {
        const { user, actor } = requireUser(call);
        await revokeApiKey(tx, call.params.key_id, actor, user.id);
        return {};
      }),
    ),
  ];
}
