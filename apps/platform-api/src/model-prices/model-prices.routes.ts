import { route, type Route } from '@millwright/http';
import * as contract from './model-prices.contract.js';
import type { ModelPriceStore } from './model-prices.store.js';

export function modelPriceRoutes(prices: ModelPriceStore): Route[] {
  return [
    route(contract.listModelPrices, async ({ caller }) => ({
      body: { items: await prices.list(caller.project), models: await prices.models(caller.project) },
    })),

    route(contract.createModelPrice, ({ caller, body, commit }) =>
      commit(async (tx) => ({ body: await prices.create(tx, caller, body) })),
    ),

    route(contract.deleteModelPrice, ({ caller, params, commit }) =>
      commit(async (tx) => {
        await prices.remove(tx, caller, params.price_id);
        return {};
      }),
    ),
  ];
}
