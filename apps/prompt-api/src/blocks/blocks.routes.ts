import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './blocks.contract.js';
import type { BlockStore } from './blocks.store.js';

export function blockRoutes(blocks: BlockStore): Route[] {
  return [
    route(contract.createBlock, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const block = await blocks.create(tx, caller, body);
        return { body: block, version: block.metadata.version, headers: { Location: block._link } };
      }),
    ),

    route(contract.listBlocks, async ({ caller, query }) => {
      const { blocks: page, total } = await blocks.list(caller.project, query);
      return { body: page, headers: listHeaders('/v1/block', query, total) };
    }),

    route(contract.getBlock, async ({ caller, params }) => {
      const block = await blocks.find(caller.project, params.uuid);
      if (!block) throw new AppError('not_found');
      return { body: block, version: block.metadata.version };
    }),

    route(contract.updateBlock, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const block = await blocks.update(tx, caller, { id: params.uuid, ifMatch }, body);
        return { body: block, version: block.metadata.version };
      }),
    ),

    route(contract.deleteBlock, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await blocks.remove(tx, caller, { id: params.uuid, ifMatch });
        return {};
      }),
    ),
  ];
}
