import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './content.contract.js';
import type { ContentStore } from './content.store.js';

export function contentRoutes(content: ContentStore): Route[] {
  return [
    route(contract.listContent, async ({ caller, query }) => ({ body: await content.list(caller.project, query) })),

    route(contract.createContent, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const { record, version } = await content.create(tx, caller, body);
        return { body: record, version, headers: { Location: `/api/v1/content/${record.id}` } };
      }),
    ),

    route(contract.getContent, async ({ caller, params }) => {
      const item = await content.find(caller.project, params.content_id);
      if (!item) throw new AppError('not_found');
      return { body: item.record, version: item.version };
    }),

    route(contract.replaceContent, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const { record, version } = await content.change(tx, caller, { id: params.content_id, ifMatch }, body);
        return { body: record, version };
      }),
    ),

    route(contract.updateContent, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const { record, version } = await content.change(tx, caller, { id: params.content_id, ifMatch }, body);
        return { body: record, version };
      }),
    ),

    route(contract.deleteContent, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await content.remove(tx, caller, { id: params.content_id, ifMatch });
        return {};
      }),
    ),
  ];
}
