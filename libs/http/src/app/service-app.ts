import { runOwnedBy } from '@millwright/db';
import { AppError, type Area } from '@millwright/errors';
import { ipKey } from '@millwright/rate-limit';
import express, { type Express, type RequestHandler } from 'express';
import { requestLog, type Logger, type Metrics } from '../process/index.js';
import { refuseAmbiguousMessages } from './ambiguous-messages.js';
import { sendError } from './send-error.js';

export interface AppOptions {
  /** The service. Its error envelope is used when no handler has answered an error. */
  area: Area;
  logger: Logger;
  metrics: Metrics;
  trustedProxyHops: number;
  /** The handlers of the service, in order. */
  handlers: readonly RequestHandler[];
}

/**
 * Creates an Express app with the functions that every service needs: request ids, a log, the refusal of ambiguous
 * messages, and no default headers. The app itself does no I/O.
 */
export function createServiceApp({ area, logger, metrics, trustedProxyHops, handlers }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // ETags are made from the versions of records
  app.set('trust proxy', trustedProxyHops);
  app.set('query parser', 'simple');
  app.use(requestLog({ logger, metrics, isBehindOurProxy: trustedProxyHops > 0 }));
  app.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.use(refuseAmbiguousMessages((response) => sendError(response, area, new AppError('bad_request'))));
  // Until the account is known, the queue for database connections treats the address of the client as the owner of the request's
  // statements.
  app.use((request, _response, next) => runOwnedBy(ipKey(request.ip ?? ''), next));
  for (const handler of handlers) app.use(handler);
  return app;
}
