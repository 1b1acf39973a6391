import { revokeToken } from '@millwright/mcp/token-endpoint';
import { encodeId } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { connectUrlOf } from './connect-url.js';
import { endConnection, listConnections } from './connections.contract.js';
import type { ConnectionStore, EndedConnection } from './connections.store.js';

export interface ConnectionRouteDeps {
  connections: ConnectionStore;
  fetch: EgressFetch;
  runtimeUrl: string;
}

/** Routes that list and end a user's connections. */
export function connectionRoutes({ connections, fetch, runtimeUrl }: ConnectionRouteDeps): Route[] {
  return [
    route(listConnections, async ({ caller }) => {
      const rows = await connections.list(caller.project, caller.actor.userId);
      const items = rows.map(({ id, name, slug, scope, connected_at }) => ({
        server_id: encodeId('ms', id),
        name,
        slug,
        connected: connected_at !== null,
        connected_at: connected_at?.toISOString() ?? null,
        scope,
        connect_url: connectUrlOf(runtimeUrl, encodeId('ms', id)),
      }));
      return { body: { connections: items } };
    }),

    route(endConnection, async ({ caller, params, commit }) => {
      const { server_id } = params;
      const ended: EndedConnection[] = [];
      const reply = await commit(async (tx) => {
        const connection = await connections.end(tx, caller.actor, caller.project, server_id);
        if (!connection) throw new AppError('not_found');
        ended.push(connection);
        return { body: { server_id } };
      });
      for (const connection of ended) revokeThere(fetch, connection);
      return reply;
    }),
  ];
}

/** Revokes the token at its issuer. Nothing waits for the result, because the connection is deleted here even when the issuer refuses. */
function revokeThere(fetch: EgressFetch, { client, revocation_endpoint, token }: EndedConnection): void {
  if (revocation_endpoint === null || token === undefined) return;
  revokeToken(fetch, revocation_endpoint, client, token).catch(() => undefined);
}
