import {
  issueOAuthClient,
  listOAuthClients,
  requireRights,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
} from '@millwright/accounts';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import * as contract from './clients.contract.js';

export function clientRoutes(db: Database): Route[] {
  return [
    route(contract.listClients, async ({ principal }) => ({
      body: { items: await listOAuthClients(db, principal.user.id) },
    })),

    route(contract.createClient, ({ principal: { user, roles }, caller: { actor }, body, commit }) => {
      const { name, redirect_uris: redirectUris, mcp_tools: mcpTools, ...wanted } = body;
      return commit(async (tx) => {
        const rights = await requireRights(tx, user.id, wanted, { byAdmin: roles.includes('admin') });
        return { body: await issueOAuthClient(tx, { ...rights, name, redirectUris, mcpTools }, actor) };
      });
    }),

    route(contract.updateClient, ({ principal, caller, params, body, commit }) =>
      commit(async (tx) => {
        const { name, redirect_uris: redirectUris, mcp_tools: mcpTools } = body;
        const changes = { name, redirectUris, mcpTools };
        return {
          body: await updateOAuthClient(tx, params.client_id, changes, caller.actor, { userId: principal.user.id }),
        };
      }),
    ),

    route(contract.rotateClient, ({ principal, caller: { actor }, params, body, commit }) => {
      const rotation = { userId: principal.user.id, overlapHours: body.overlap_hours };
      return commit(async (tx) => ({ body: await rotateOAuthClient(tx, params.client_id, actor, rotation) }));
    }),

    route(contract.revokeClient, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        await revokeOAuthClient(tx, params.client_id, caller.actor, { userId: principal.user.id });
        return {};
      }),
    ),
  ];
}
