import { AppError } from '@millwright/errors';
import type { RequestHandler } from 'express';
import type { Metrics } from './metrics.js';

/** Refuses what comes on top of `maxInFlight` requests at once, so that those already taken are still answered in time. */
export function loadShedding({ maxInFlight, metrics }: { maxInFlight: number; metrics: Metrics }): RequestHandler {
  let inFlight = 0;
  return (_request, response, next) => {
    if (inFlight >= maxInFlight) {
      metrics.countShed();
      next(new AppError('unavailable'));
      return;
    }
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    next();
  };
}
