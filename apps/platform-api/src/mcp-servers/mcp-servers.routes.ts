import type { Project } from '@millwright/auth';
import { decodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { reply, requireFound, route, type Route } from '@millwright/http';
import { listReply } from '../lists/list-reply.js';
import * as contract from './mcp-servers.contract.js';
import { mayApprove, type McpServerService } from './mcp-servers.service.js';
import { needsProbe, type McpServerStore } from './mcp-servers.store.js';
import type { McpToolStore } from './mcp-tools.store.js';
import type { McpProbes } from './probes.js';

export function mcpServerRoutes(
  servers: McpServerStore,
  tools: McpToolStore,
  service: McpServerService,
  probes: McpProbes,
): Route[] {
  const requireServer = async (project: Project, id: string) => requireFound(await servers.find(project, id));
  const uuidOf = (id: string) => decodeId('ms', id) ?? '';

  return [
    route(contract.listMcpServers, async ({ caller, query }) =>
      listReply('/api/v1/mcp/servers', query, await servers.list(caller.project, query)),
    ),

    route(contract.registerMcpServer, async ({ principal, caller, body, commit }) => {
      let id: string | undefined;
      const committed = await commit(
        async (tx) => {
          const created = await service.create(tx, caller, body);
          id = created.record.id;
          return reply(created, { Location: `/api/v1/mcp/servers/${id}` });
        },
        () => service.requireNew(principal, caller, body),
      );
      if (id !== undefined) probes.start(caller.actor, uuidOf(id));
      return committed;
    }),

    route(contract.getMcpServer, async ({ caller, params }) => {
      return reply(await requireServer(caller.project, params.server_id));
    }),

    route(contract.updateMcpServer, async ({ principal, caller, params, body, ifMatch, commit }) => {
      const { record } = await requireServer(caller.project, params.server_id);
      await service.requireChange(principal, caller, { id: params.server_id, current: record }, body);
      const target = { id: params.server_id, ifMatch, isAdmin: mayApprove(principal) };
      const committed = await commit(async (tx) => reply(await service.change(tx, caller, target, body)));
      if (needsProbe(body) || body.agent_card !== undefined) probes.start(caller.actor, uuidOf(params.server_id));
      return committed;
    }),

    route(contract.deleteMcpServer, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await servers.remove(tx, caller, { id: params.server_id, ifMatch });
        return {};
      }),
    ),

    route(contract.refreshMcpServer, async ({ caller, params, commit }) => {
      await requireServer(caller.project, params.server_id);
      const uuid = uuidOf(params.server_id);
      if (!(await probes.run(caller.actor, uuid))) throw new AppError('conflict');
      return commit(async (tx) => reply(await servers.read(tx, uuid)));
    }),

    route(contract.listMcpServerTools, async ({ caller, params, query }) => {
      await requireServer(caller.project, params.server_id);
      const address = `/api/v1/mcp/servers/${params.server_id}/tools`;
      return listReply(address, query, await tools.listOffered(params.server_id, query));
    }),

    route(contract.listQuarantinedTools, async ({ caller, params, query }) => {
      await requireServer(caller.project, params.server_id);
      const address = `/api/v1/mcp/servers/${params.server_id}/tools/quarantined`;
      return listReply(address, query, await tools.listQuarantined(params.server_id, query));
    }),

    route(contract.approveTool, async ({ principal, caller, params, body, ifMatch, commit }) => {
      await service.requireAdmin(principal, caller, 'mcp_server.approve_tool', params.server_id);
      const target = { id: params.server_id, ifMatch };
      return commit(async (tx) => ({ body: await tools.approve(tx, caller, target, params.name, body.hash) }));
    }),
  ];
}
