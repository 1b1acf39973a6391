import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './enterprises.contract.js';
import type { EnterprisesStore } from './enterprises.store.js';

export function enterprisesRoutes(store: EnterprisesStore): Route[] {
  return [
    route(contract.listEnterprises, async () => ({ body: { items: await store.list(new Date()) } })),

    route(contract.getEnterprise, async ({ params: { project } }) => {
      const [items, member_list] = await Promise.all([store.list(new Date()), store.members(project)]);
      const enterprise = items.find((item) => item.project === project);
      if (!enterprise) throw new AppError('not_found');
      return { body: { ...enterprise, member_list } };
    }),
  ];
}
