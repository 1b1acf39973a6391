import { route, type Route } from '@millwright/http';
import * as contract from './step-up.contract.js';
import type { StepUp } from './step-up.service.js';

export function stepUpRoutes(stepUp: StepUp): Route[] {
  return [
    route(contract.startStepUp, async (call) => ({ body: await stepUp.start(call) })),

    route(contract.finishStepUp, async (call) => {
      const freshUntil = await stepUp.finish(call, call.body.response);
      return { body: { fresh_until: freshUntil.toISOString() } };
    }),
  ];
}
