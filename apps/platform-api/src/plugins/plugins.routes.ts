import { reply, requireFound, route, type Route } from '@millwright/http';
import { listReply } from '../lists/list-reply.js';
import * as contract from './plugins.contract.js';
import type { PluginService } from './plugins.service.js';
import type { PluginStore } from './plugins.store.js';

export function pluginRoutes(plugins: PluginStore, service: PluginService): Route[] {
  return [
    route(contract.listPlugins, async ({ caller, query }) =>
      listReply('/api/v1/plugins', query, await plugins.list(caller.project, query)),
    ),

    route(contract.installPlugin, ({ caller, body, commit }) =>
      commit(
        async (tx, { fields, checked }) => {
          const created = await plugins.create(tx, caller, fields, checked);
          return reply(created, { Location: `/api/v1/plugins/${created.record.id}` });
        },
        () => service.prepare(caller, body),
      ),
    ),

    route(contract.getPlugin, async ({ caller, params }) =>
      reply(requireFound(await plugins.find(caller.project, params.plugin_id))),
    ),

    route(contract.updatePlugin, async ({ caller, params, body, ifMatch, commit }) => {
      const target = { id: params.plugin_id, ifMatch };
      const checked = await service.prepareChange(caller, target, body);
      const { name, description, status } = body;
      return commit(async (tx) => {
        const fields = { name, description, status };
        return reply(await plugins.change(tx, caller, target, fields, checked));
      });
    }),

    route(contract.uninstallPlugin, async ({ caller, params, ifMatch, commit }) => {
      const target = { id: params.plugin_id, ifMatch };
      await service.requireRemovable(caller, target);
      return commit(async (tx) => {
        await plugins.remove(tx, caller, target);
        return {};
      });
    }),

    route(contract.getPluginConfig, async ({ caller, params }) => {
      const plugin = requireFound(await plugins.find(caller.project, params.plugin_id));
      return { body: plugin.record.config, version: plugin.version };
    }),

    route(contract.replacePluginConfig, async ({ caller, params, body, ifMatch, commit }) => {
      const target = { id: params.plugin_id, ifMatch };
      const checked = await service.prepareReplacement(caller, target, body);
      return commit(async (tx) => {
        const { record, version } = await plugins.change(tx, caller, target, {}, checked);
        return { body: record.config, version };
      });
    }),
  ];
}
