import express, { type Express, type RequestHandler } from 'express';
import { requestLog, type Logger, type Metrics } from '../process/index.js';

export interface AppOptions {
  logger: Logger;
  metrics: Metrics;
  trustedProxyHops: number;
  /** What the area serves, in order. */
  handlers: readonly RequestHandler[];
}

/** An Express app with what every service has: request ids and log, no surprises in headers. No I/O. */
export function createServiceApp({ logger, metrics, trustedProxyHops, handlers }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // entity tags are made of record versions
  app.set('trust proxy', trustedProxyHops);
  app.set('query parser', 'simple');
  app.use(requestLog({ logger, metrics }));
  app.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  for (const handler of handlers) app.use(handler);
  return app;
}
