import type { MetricCounts } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listAddress } from '@millwright/records';
import * as contract from './content.contract.js';
import type { ContentStore } from './content.store.js';

export function contentRoutes(content: ContentStore, counts?: Pick<MetricCounts, 'add'>): Route[] {
  return [
    route(contract.listContent, async ({ caller, query }) => {
      const { cut, ...body } = await content.list(caller.project, query);
      const offset = body.offset + body.items.length;
      const rest = `<${listAddress('/api/v1/content', { ...query, offset })}>; rel="next"`;
      const headers: Record<string, string> = cut ? { Link: rest } : {};
      return { body, headers };
    }),

    route(contract.searchContent, async ({ caller, query }) => {
      counts?.add(caller.project, 'content_searches');
      return { body: await content.search(caller, query) };
    }),

    route(contract.getContent, async ({ caller, params }) => {
      const found = await content.find(caller.project, params.content_id);
      if (!found) throw new AppError('not_found');
      return { body: found.record, version: found.version };
    }),

    route(contract.createContent, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const { record, version } = await content.create(tx, caller, body);
        return { body: record, version, headers: { Location: `/api/v1/content/${record.id}` } };
      }),
    ),
  ];
}
