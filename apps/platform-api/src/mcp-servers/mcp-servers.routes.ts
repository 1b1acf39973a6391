import type { Project } from '@millwright/auth';
import { decodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './mcp-servers.contract.js';
import type { McpServerService } from './mcp-servers.service.js';
import { needsProbe, type McpServerStore } from './mcp-servers.store.js';
import type { McpToolStore } from './mcp-tools.store.js';
import type { McpProbes } from './probes.js';

export function mcpServerRoutes(
  servers: McpServerStore,
  tools: McpToolStore,
  service: McpServerService,
  probes: McpProbes,
): Route[] {
  async function requireServer(project: Project, id: string) {
    const server = await servers.find(project, id);
    if (!server) throw new AppError('not_found');
    return server;
  }
  const uuidOf = (id: string) => decodeId('ms', id) ?? '';

  return [
    route(contract.listMcpServers, async ({ caller, query }) => ({ body: await servers.list(caller.project, query) })),

    route(contract.registerMcpServer, async ({ principal, caller, body, commit }) => {
      if (!body.pin_tools) await service.requireAdmin(principal, caller, 'mcp_server.unpin', 'mcp/servers');
      service.requireUsable(body.auth);
      await service.requireReachable(body.url);
      let id = '';
      const reply = await commit(async (tx) => {
        const { record, version } = await service.create(tx, caller, body);
        id = record.id;
        return { body: record, version, headers: { Location: `/api/v1/mcp/servers/${record.id}` } };
      });
      probes.start(caller.actor, uuidOf(id));
      return reply;
    }),

    route(contract.getMcpServer, async ({ caller, params }) => {
      const { record, version } = await requireServer(caller.project, params.server_id);
      return { body: record, version };
    }),

    route(contract.updateMcpServer, async ({ principal, caller, params, body, ifMatch, commit }) => {
      const { record } = await requireServer(caller.project, params.server_id);
      // Whether it is pinned is seen again under the lock; here, a refusal can be recorded.
      const mayUnpin = principal.roles.includes('admin');
      if (body.pin_tools === false && record.pin_tools)
        await service.requireAdmin(principal, caller, 'mcp_server.unpin', params.server_id);
      service.requireUsable(body.auth);
      if (body.url !== undefined && body.url !== record.url) await service.requireReachable(body.url);
      const reply = await commit(async (tx) => {
        const changed = await service.change(tx, caller, { id: params.server_id, ifMatch, mayUnpin }, body);
        return { body: changed.record, version: changed.version };
      });
      if (needsProbe(body)) probes.start(caller.actor, uuidOf(params.server_id));
      return reply;
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
      return commit(async (tx) => {
        const { record, version } = await servers.read(tx, uuid);
        return { body: record, version };
      });
    }),

    route(contract.listMcpServerTools, async ({ caller, params, query }) => {
      await requireServer(caller.project, params.server_id);
      return { body: await tools.listOffered(params.server_id, query) };
    }),

    route(contract.listQuarantinedTools, async ({ caller, params, query }) => {
      await requireServer(caller.project, params.server_id);
      return { body: await tools.listQuarantined(params.server_id, query) };
    }),

    route(contract.approveTool, async ({ principal, caller, params, body, ifMatch, commit }) => {
      await service.requireAdmin(principal, caller, 'mcp_server.approve_tool', params.server_id);
      const target = { id: params.server_id, ifMatch };
      return commit(async (tx) => ({ body: await tools.approve(tx, caller, target, params.name, body.hash) }));
    }),
  ];
}
