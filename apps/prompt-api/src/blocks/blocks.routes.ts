import { reply, requireFound, route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './blocks.contract.js';
import type { BlockStore } from './blocks.store.js';

export function blockRoutes(blocks: BlockStore): Route[] {
  return [
    route(contract.createBlock, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const block = await blocks.create(tx, caller, body);
        return reply(block, { Location: block.record._link });
      }),
    ),

    route(contract.listBlocks, async ({ caller, query }) => {
      const listed = await blocks.list(caller.project, query);
      return { body: listed.items, headers: listHeaders('/v1/block', query, listed) };
    }),

    route(contract.getBlock, async ({ caller, params }) =>
      reply(requireFound(await blocks.find(caller.project, params.uuid))),
    ),

    route(contract.updateBlock, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await blocks.update(tx, caller, { id: params.uuid, ifMatch }, body))),
    ),

    route(contract.deleteBlock, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await blocks.remove(tx, caller, { id: params.uuid, ifMatch });
        return {};
      }),
    ),
  ];
}
