import { invalidField } from '@millwright/errors';
import { reply, requireFound, route, type Route } from '@millwright/http';
import { nextZonedTimes } from '@millwright/jobs/schedules';
import { listReply } from '../lists/list-reply.js';
import type { FiringStore } from './firings.store.js';
import * as contract from './triggers.contract.js';
import type { TriggerService } from './triggers.service.js';
import type { TriggerStore } from './triggers.store.js';

/** Number of times in a preview. */
const SHOWN_TIMES = 5;

export function triggerRoutes(triggers: TriggerStore, firings: FiringStore, service: TriggerService): Route[] {
  return [
    route(contract.listTriggers, async ({ caller, query }) =>
      listReply('/api/v1/triggers', query, await triggers.list(caller.project, query)),
    ),

    route(
      contract.createTrigger,
      ({ caller, body, commit }) => commit((tx) => service.create(tx, caller, body)),
      undefined,
      (stored) => service.restore(stored),
    ),

    route(contract.listTriggerTimes, ({ query }) => {
      const { schedule, timezone, starts_at, ends_at } = query;
      const [startsAt, endsAt] = [starts_at, ends_at].map((text) => (text === undefined ? undefined : new Date(text)));
      if (startsAt && endsAt && endsAt <= startsAt) throw invalidField('query.ends_at', 'must be later than starts_at');
      const times = nextZonedTimes({ schedule, timezone, startsAt, endsAt }, new Date(), SHOWN_TIMES);
      return Promise.resolve({ body: { times: times.map((time) => time.toISOString()) } });
    }),

    route(contract.getTrigger, async ({ caller, params }) =>
      reply(requireFound(await triggers.find(caller.project, params.trigger_id))),
    ),

    route(contract.updateTrigger, ({ caller, params, body, ifMatch, commit }) =>
      commit((tx) => service.change(tx, caller, { id: params.trigger_id, ifMatch }, body)),
    ),

    route(contract.deleteTrigger, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await triggers.remove(tx, caller, { id: params.trigger_id, ifMatch });
        return {};
      }),
    ),

    route(
      contract.rotateTriggerSecret,
      ({ caller, params, body, ifMatch, commit }) =>
        commit((tx) => service.rotate(tx, caller, { id: params.trigger_id, ifMatch }, body.secret)),
      undefined,
      (stored) => service.restore(stored),
    ),

    route(contract.fireTrigger, ({ caller, params, body, commit }) =>
      commit(async (tx) => {
        const current = await triggers.lock(tx, caller, { id: params.trigger_id, ifMatch: undefined });
        return { body: await firings.test(tx, caller, current, body) };
      }),
    ),

    route(contract.listTriggerFirings, async ({ caller, params, query }) => {
      requireFound(await triggers.find(caller.project, params.trigger_id));
      return { body: await firings.list(params.trigger_id, query) };
    }),
  ];
}
