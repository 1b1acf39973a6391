import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@millwright/errors';
import { createRateLimiter } from '@millwright/rate-limit';
import { listen } from '@millwright/testing';
import type { Principal } from '@millwright/auth';
import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { createMetrics } from '../process/metrics.js';
import { admitRequests, type Admission } from './admission.js';
import { capacityWith } from '../process/service-config.js';

describe('admitRequests', () => {
  it('answers 503 beyond the limit of the process, counts the refusal, and admits requests again after a client has left', async () => {
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

  it('frees the place of a request whose client disconnects while the request is being admitted', async () => {
    const options = { area: 'platform', metrics: createMetrics({ service: 'demo', version: '0' }) } as const;
    const capacity = capacityWith({ MAX_IN_FLIGHT_PER_ADDRESS: 1 });
    const app = express().use(
      admitRequests({ ...options, limiter: createRateLimiter(), capacity }),
      async (request, response) => {
        const admitted = response.locals.admission?.admitAnonymous();
        if (request.path === '/leaving') response.emit('close');
        await admitted;
        response.end();
      },
    );
    const { url, close } = await listen(app);
    expect((await fetch(`${url}/leaving`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
    await close();
  });

  it('admits four large bodies of a user, eight of a project and twelve of the process at a time; further bodies wait', async () => {
    const open: Response[] = [];
    const began = new EventEmitter();
    const options = { area: 'prompt', metrics: createMetrics({ service: 'demo', version: '0' }) } as const;
    const app = express().use(
      admitRequests({ ...options, limiter: createRateLimiter(), capacity: capacityWith({}) }),
      async (request, response) => {
        const [id = '', project = ''] = (request.get('x-user') ?? '').split('@');
        const { admission } = response.locals;
        await admission?.admit({ user: { id }, project } as Pick<Principal, 'user' | 'project'>);
        if (request.path === '/small') {
          response.end();
          return;
        }
        await admission?.admitLargeBody();
        response.locals.user = `${id}@${project}`;
        open.push(response);
        began.emit('large');
      },
    );
    const { url, close } = await listen(app);
    const sent: Promise<unknown>[] = [];
    const send = (user: string, path = '/') => fetch(`${url}${path}`, { headers: { 'x-user': user } });
    const begin = async (...users: string[]) => {
      for (const user of users) {
        const started = once(began, 'large');
        sent.push(send(user));
        await started;
      }
    };
    const wait = async (user: string) => {
      const before = open.length;
      sent.push(send(user));
      await send(user, '/small'); // by now, the earlier request has asked for its place
      expect(open.length).toBe(before);
    };
    const endFirst = async (of: string) => {
      const next = once(began, 'large');
      const [ended] = open.splice(
        open.findIndex(({ locals }) => locals.user === of),
        1,
      );
      ended?.end();
      await next;
      return String(open.at(-1)?.locals.user);
    };
    await begin(...Array.from({ length: 4 }, () => 'ann@Core'));
    await wait('ann@Core');
    expect(await endFirst('ann@Core')).toBe('ann@Core');
    await begin(...Array.from({ length: 4 }, () => 'bob@Core'));
    await wait('cleo@Core');
    expect(await endFirst('bob@Core')).toBe('cleo@Core');
    await begin(...Array.from({ length: 4 }, () => 'dan@Commerce'));
    await wait('eve@Commerce');
    expect(await endFirst('ann@Core')).toBe('eve@Commerce');
    for (const response of open) response.end();
    await Promise.all(sent);
    await close();
  });

  it('runs one expensive read per user and three per project concurrently; further reads wait', async () => {
    const running: Response[] = [];
    const began = new EventEmitter();
    const options = { area: 'platform', metrics: createMetrics({ service: 'demo', version: '0' }) } as const;
    const app = express().use(
      admitRequests({ ...options, limiter: createRateLimiter(), capacity: capacityWith({}) }),
      async (request, response) => {
        const id = request.get('x-user') ?? '';
        await response.locals.admission?.admit({ user: { id }, project: 'Core' } as Pick<
          Principal,
          'user' | 'project'
        >);
        if (request.path === '/cheap') {
          response.end(id);
          return;
        }
        response.locals.endRead = await response.locals.admission?.admitExpensive();
        response.locals.user = id;
        running.push(response);
        began.emit('read');
      },
    );
    const { url, close } = await listen(app);
    const read = (user: string, path = '/') => fetch(`${url}${path}`, { headers: { 'x-user': user } });
    const users = () => running.map(({ locals }) => String(locals.user));
    const end = (response: Response | undefined) => {
      (response?.locals.endRead as () => void)();
      response?.end();
    };
    const next = async () => {
      const read = once(began, 'read');
      end(running.shift());
      await read;
    };
    const reads = [read('ann')];
    await once(began, 'read');
    for (const user of ['bob', 'cleo']) {
      const started = once(began, 'read');
      reads.push(read(user));
      await started;
    }
    reads.push(read('ann'));
    expect(await (await read('ann', '/cheap')).text()).toBe('ann'); // by now, the earlier read has asked for its place
    expect(users()).toEqual(['ann', 'bob', 'cleo']);
    await next();
    expect(users()).toEqual(['bob', 'cleo', 'ann']);
    reads.push(read('dan'));
    expect(await (await read('dan', '/cheap')).text()).toBe('dan');
    expect(users()).toEqual(['bob', 'cleo', 'ann']);
    await next();
    expect(users()).toEqual(['cleo', 'ann', 'dan']);
    for (const response of running.splice(0)) end(response);
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await close();
  });

  /** Starts a service behind a proxy, which can send requests for any client address. */
  const listenBehindProxy = (
    handle: (request: Request, response: Response, admission: Admission) => Promise<void>,
    capacity: Parameters<typeof capacityWith>[0] = {},
  ) => {
    const options = { area: 'runtime', metrics: createMetrics({ service: 'demo', version: '0' }) } as const;
    const app = express().set('trust proxy', 1);
    app.use(admitRequests({ ...options, limiter: createRateLimiter(), capacity: capacityWith(capacity) }));
    app.use(async (request, response) => {
      const { admission } = response.locals;
      if (admission) await handle(request, response, admission);
    });
    return listen(app);
  };

  it('authenticates at most four requests with one credential at a time, even from different addresses; further requests wait', async () => {
    const checks = new Map<string, number>();
    const most = new Map<string, number>();
    const { url, close } = await listenBehindProxy(async (request, response, admission) => {
      const name = request.get('authorization') ?? '';
      await admission.authenticate();
      const count = (checks.get(name) ?? 0) + 1;
      checks.set(name, count);
      most.set(name, Math.max(count, most.get(name) ?? 0));
      await sleep(20);
      checks.set(name, (checks.get(name) ?? 0) - 1);
      await admission.admit({ user: { id: name }, project: 'Core' } as Pick<Principal, 'user' | 'project'>);
      response.end();
    });
    const statuses = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const headers = { authorization: n < 20 ? 'crowd' : 'single', 'x-forwarded-for': `192.0.2.${n}` };
        return (await fetch(url, { headers })).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(Object.fromEntries(most)).toEqual({ crowd: 4, single: 4 });
    await close();
  });

  it('authenticates a request with another credential while requests with one credential from the same address wait', async () => {
    const checked = Promise.withResolvers<undefined>();
    const begun = new EventEmitter();
    const { url, close } = await listenBehindProxy(
      async (request, response, admission) => {
        begun.emit('request');
        await admission.authenticate();
        if (request.get('authorization') === 'crowd') await checked.promise;
        response.end();
      },
      { MAX_IN_FLIGHT_PER_ADDRESS: 5 },
    );
    const ask = (authorization: string) => fetch(url, { headers: { authorization } });
    const crowd = Array.from({ length: 10 }, () => ask('crowd'));
    for (let n = 0; n < crowd.length; n += 1) await once(begun, 'request');
    expect((await ask('single')).status).toBe(200);
    checked.resolve(undefined);
    expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([200]));
    await close();
  });

  it('runs only one expensive read of anonymous callers at a time, and serves the addresses of these callers in turn', async () => {
    const running: { address: string; endRead: () => void; end: () => void }[] = [];
    const began = new EventEmitter();
    let endsAtOnce = false;
    const { url, close } = await listenBehindProxy(async (request, response, admission) => {
      await admission.admitAnonymous();
      const endRead = await admission.admitExpensive();
      const end = () => {
        endRead();
        response.end();
      };
      running.push({ address: request.ip ?? '', endRead, end });
      if (endsAtOnce) end();
      began.emit('read');
    });
    const read = (address: string) => fetch(url, { headers: { 'x-forwarded-for': address } });
    const addresses = () => running.map(({ address }) => address);
    const first = once(began, 'read');
    const reads = [read('192.0.2.1')];
    await first;
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) reads.push(read(address));
    await sleep(50);
    expect(addresses()).toEqual(['192.0.2.1']);
    // The read has ended, but its client has not received the answer yet.
    const second = once(began, 'read');
    running[0]?.endRead();
    const ended = performance.now();
    await second;
    expect(addresses()).toEqual(['192.0.2.1', '192.0.2.2']);
    // After its end, the read still uses its place for as long as the read took.
    expect(performance.now() - ended).toBeGreaterThanOrEqual(48);
    endsAtOnce = true;
    for (const { end } of [...running]) end();
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await close();
  });

  describe('an expensive read', () => {
    const OPTIONS = { area: 'platform', limiter: createRateLimiter(), capacity: capacityWith({}) } as const;
    const ANN = { user: { id: 'ann' }, project: 'Core' } as Pick<Principal, 'user' | 'project'>;

    /** Starts a service for requests of one account, and counts the expensive reads that have begun. */
    async function listenFor(read: (response: Response, endRead: () => void, turn: number) => void) {
      const begun = new EventEmitter();
      let count = 0;
      const metrics = createMetrics({ service: 'demo', version: '0' });
      const app = express().use(admitRequests({ ...OPTIONS, metrics }), async (_request, response) => {
        const { admission } = response.locals;
        await admission?.admit(ANN);
        const endRead = await admission?.admitExpensive();
        count += 1;
        read(response, endRead ?? (() => undefined), count);
        begun.emit('read');
      });
      return { ...(await listen(app)), begun, count: () => count };
    }

    it('counts as one running read until it ends, even after the client has disconnected', async () => {
      const ends: (() => void)[] = [];
      const left = new EventEmitter();
      const { url, close, begun, count } = await listenFor((response, endRead, turn) => {
        response.once('close', () => left.emit(String(turn)));
        if (turn === 1) ends.push(endRead);
        else {
          endRead();
          response.end();
        }
      });
      const leaving = new AbortController();
      const first = once(begun, 'read');
      void fetch(url, { signal: leaving.signal }).catch(() => undefined);
      await first;
      const gone = once(left, '1');
      leaving.abort();
      await gone;
      const second = fetch(url);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(count()).toBe(1);
      for (const end of ends) end();
      expect((await second).status).toBe(200);
      await close();
    });

    it('still counts as a running read of its account after its end, for as long as the read took', async () => {
      const times: number[] = [];
      const { url, close } = await listenFor((response, endRead) => {
        times.push(performance.now());
        setTimeout(() => {
          times.push(performance.now());
          endRead();
          response.end();
        }, 300);
      });
      for (let turn = 0; turn < 2; turn += 1) await fetch(url);
      const [began = 0, ended = 0, next = 0] = times;
      // Timers may end a millisecond early.
      expect(next - ended).toBeGreaterThanOrEqual(ended - began - 2);
      await close();
    });

    it('still counts as a running read of its account after its end, for an eighth of a second per MiB of its answer', async () => {
      const MIB = 1_048_576;
      const began: number[] = [];
      const { url, close } = await listenFor((response, endRead) => {
        began.push(performance.now());
        endRead();
        response.set('Content-Length', String(4 * MIB)).end(Buffer.alloc(4 * MIB));
      });
      for (let turn = 0; turn < 2; turn += 1) await (await fetch(url)).arrayBuffer();
      const [first = 0, second = 0] = began;
      // Timers may end a millisecond early.
      expect(second - first).toBeGreaterThanOrEqual(498);
      await close();
    });
  });
});
