import { recordDecision } from '@millwright/audit';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { responseEvents } from './response-events.js';
import * as contract from './responses.contract.js';
import type { ResponseService } from './responses.service.js';
import type { ResponseStore } from './responses.store.js';

export function responseRoutes(responses: ResponseStore, service: ResponseService): Route[] {
  return [
    route(
      contract.createResponse,
      async ({ caller, principal, body, idempotencyKey, commit, events }) => {
        const answered = await service.answer({ caller, principal }, body, idempotencyKey, events);
        const store = () => commit(async (tx) => ({ body: await service.store(tx, caller, answered) }));
        return answered.outcome.run.store(store);
      },
      responseEvents,
    ),

    route(contract.getResponse, async ({ caller, params }) => {
      const response = await responses.find(caller.project, params.response_id);
      if (!response) throw new AppError('not_found');
      return { body: response, digest: true };
    }),

    route(contract.deleteResponse, ({ caller, params, commit }) =>
      commit(async (tx) => {
        if (!(await responses.remove(tx, caller.project, params.response_id))) throw new AppError('not_found');
        await recordDecision(tx, { ...caller, action: 'response.delete', resource: params.response_id });
        return {};
      }),
    ),
  ];
}
