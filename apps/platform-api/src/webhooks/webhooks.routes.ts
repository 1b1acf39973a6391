import { reply, requireFound, route, type Route } from '@millwright/http';
import { listReply } from '../lists/list-reply.js';
import type { DeliveryStore } from './deliveries.store.js';
import * as contract from './webhooks.contract.js';
import type { WebhookService } from './webhooks.service.js';
import type { WebhookStore } from './webhooks.store.js';

export function webhookRoutes(webhooks: WebhookStore, deliveries: DeliveryStore, service: WebhookService): Route[] {
  return [
    route(contract.listWebhooks, async ({ caller, query }) =>
      listReply('/api/v1/webhooks', query, await webhooks.list(caller.project, query)),
    ),

    route(
      contract.createWebhook,
      ({ caller, body, commit }) =>
        commit(
          (tx) => service.create(tx, caller, body),
          () => service.requireReachable(body.url),
        ),
      undefined,
      (stored) => service.restore(stored),
    ),

    route(contract.getWebhook, async ({ caller, params }) =>
      reply(requireFound(await webhooks.find(caller.project, params.webhook_id))),
    ),

    route(contract.updateWebhook, async ({ caller, params, body, ifMatch, commit }) => {
      const { record } = requireFound(await webhooks.find(caller.project, params.webhook_id));
      if (body.url !== undefined && body.url !== record.url) await service.requireReachable(body.url);
      return commit(async (tx) => {
        const current = await webhooks.lock(tx, caller, { id: params.webhook_id, ifMatch });
        return reply(await webhooks.change(tx, caller, current, body));
      });
    }),

    route(contract.deleteWebhook, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await webhooks.remove(tx, caller, { id: params.webhook_id, ifMatch });
        return {};
      }),
    ),

    route(
      contract.rotateWebhookSecret,
      ({ caller, params, ifMatch, commit }) =>
        commit((tx) => service.rotate(tx, caller, { id: params.webhook_id, ifMatch })),
      undefined,
      (stored) => service.restore(stored),
    ),

    route(contract.testWebhook, ({ caller, params, commit }) =>
      commit(async (tx) => ({ body: await deliveries.test(tx, caller, params.webhook_id) })),
    ),

    route(contract.replayWebhook, ({ caller, params, body, commit }) =>
      commit(async (tx) => ({ body: await deliveries.replayPeriod(tx, caller, params.webhook_id, body) })),
    ),

    route(contract.listDeliveries, async ({ caller, params, query }) => {
      requireFound(await webhooks.find(caller.project, params.webhook_id));
      return { body: await deliveries.list(params.webhook_id, query) };
    }),

    route(contract.getDelivery, async ({ caller, params }) => ({
      body: requireFound(await deliveries.find(caller.project, params.webhook_id, params.delivery_id)),
    })),

    route(contract.replayDelivery, ({ caller, params, commit }) =>
      commit(async (tx) => ({
        body: await deliveries.replay(tx, caller, params.webhook_id, params.delivery_id),
      })),
    ),
  ];
}
