import { EventEmitter, once } from 'node:events';
import { AppError } from '@millwright/errors';
import { createRateLimiter } from '@millwright/rate-limit';
import { listen } from '@millwright/testing';
import express, { type ErrorRequestHandler } from 'express';
import { createMetrics } from '../process/metrics.js';
import { admitRequests } from './admission.js';
import { capacityWith } from '../process/service-config.js';

describe('admitRequests', () => {
  it('answers 503 beyond the places of the process, counts it, and serves again when a client has left', async () => {
    const steps = new EventEmitter();
    const metrics = createMetrics({ service: 'demo', version: '0' });
    const options = { area: 'platform', metrics, limiter: createRateLimiter() } as const;
    const app = express().use(admitRequests({ ...options, capacity: capacityWith({ MAX_IN_FLIGHT: 2 }) }));
    app.use(async (request, response) => {
      await response.locals.admission?.admitAnonymous();
      if (request.path === '/slow') {
        response.once('close', () => steps.emit('left'));
        steps.emit('begun');
      } else response.end();
    });
    const answerError: ErrorRequestHandler = (error: AppError, _request, response, next) => {
      if (response.headersSent) next(error);
      else response.status(error.status).end();
    };
    const { url, close } = await listen(app.use(answerError));
    const leaving = new AbortController();
    for (let n = 0; n < 2; n += 1) {
      const begun = once(steps, 'begun');
      void fetch(`${url}/slow`, { signal: leaving.signal }).catch(() => undefined);
      await begun;
    }
    expect((await fetch(url)).status).toBe(503);
    expect(await metrics.registry.metrics()).toMatch(/http_requests_shed_total\{.*\} 1/);
    const left = once(steps, 'left');
    leaving.abort();
    await left;
    expect((await fetch(url)).status).toBe(200);
    await close();
  });
});
