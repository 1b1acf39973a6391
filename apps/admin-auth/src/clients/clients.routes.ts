import {
  issueOAuthClient,
  listOAuthClients,
  requireRights,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
} from '@millwright/auth';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { requireUser, type RequireFresh } from '../protection/signed-in.js';
import * as contract from './clients.contract.js';

export function clientRoutes(db: Database, requireFresh: RequireFresh): Route[] {
  return [
    route(contract.listClients, async (call) => ({
      body: { items: await listOAuthClients(db, requireUser(call).user.id) },
    })),

    route(contract.createClient, async (call) => {
      const { user, actor, context } = await requireFresh(call, 'oauth_client.create');
      const { name, redirect_uris: redirectUris, mcp_tools: mcpTools, ...wanted } = call.body;
      return call.commit(async (tx) => {
        const rights = await requireRights(tx, user.id, wanted, { byAdmin: context.isAdmin });
        return { body: await issueOAuthClient(tx, { ...rights, name, redirectUris, mcpTools }, actor) };
      });
    }),

    route(contract.updateClient, (call) =>
      call.commit(async (tx) => {
        const { user, actor } = requireUser(call);
        const { name, redirect_uris: redirectUris, mcp_tools: mcpTools } = call.body;
        const changes = { name, redirectUris, mcpTools };
        return { body: await updateOAuthClient(tx, call.params.client_id, changes, actor, user.id) };
      }),
    ),

    route(contract.rotateClient, async (call) => {
      const { user, actor } = await requireFresh(call, 'oauth_client.rotate');
      const rotation = { userId: user.id, overlapHours: call.body.overlap_hours };
      return call.commit(async (tx) => ({ body: await rotateOAuthClient(tx, call.params.client_id, actor, rotation) }));
    }),

    route(contract.revokeClient, (call) =>
      call.commit(async (tx) => {
        const { user, actor } = requireUser(call);
        await revokeOAuthClient(tx, call.params.client_id, actor, user.id);
        return {};
      }),
    ),
  ];
}
