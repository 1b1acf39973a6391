import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from './metrics.js';
import type { Readiness } from './readiness.js';

export interface AdminServerOptions {
  metrics: Metrics;
  ready: Readiness;
  draining: () => boolean;
}

/**
 * Serves `/livez`, which succeeds while the process can answer, `/readyz`, which succeeds when the process should get
 * traffic, and `/metrics` for Prometheus.
 */
export function createAdminServer({ metrics, ready, draining }: AdminServerOptions): Server {
  metrics.readReadinessFrom(async () => !draining() && (await ready()) === undefined);

  async function readyz(response: ServerResponse) {
    const reason = draining() ? 'draining' : await ready();
    if (reason === undefined) sendJson(response, 200, { status: 'ready' });
    else sendJson(response, 503, { status: 'unavailable', reason });
  }

  async function scrape(response: ServerResponse) {
    response.setHeader('Content-Type', metrics.registry.contentType);
    response.end(await metrics.registry.metrics());
  }

  return createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/livez') sendJson(response, 200, { status: 'alive' });
    else if (path === '/readyz') void readyz(response);
    else if (path === '/metrics') scrape(response).catch(() => sendJson(response, 500, { status: 'failed' }));
    else sendJson(response, 404, { status: 'not found' });
  });
}

function sendJson(response: ServerResponse, status: number, body: object) {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
