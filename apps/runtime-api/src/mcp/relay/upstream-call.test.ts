import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createSecretBox, createUpstreamFetch } from '@millwright/catalog';
import { createBreakers, createEgress, type Egress } from '@millwright/egress';
import { listen, type ListeningApp } from '@millwright/testing';
import { isEventStream, readEvents } from '../event-stream.js';
import type { RelayedServer } from './relayed-server.js';
import { createUpstreamCaller, type CallUpstream } from './upstream-call.js';

let upstream: ListeningApp;
let egress: Egress;
let serve: (response: ServerResponse) => void;
let call: (silenceMs: number) => ReturnType<CallUpstream>;

beforeAll(async () => {
  upstream = await listen((_request, response) => serve(response));
  egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
  const box = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  const callUpstream = createUpstreamCaller({
    // Without a token there is nothing to look up.
    request: createUpstreamFetch({ db: {} as never, fetch: egress.fetch, secrets: box }).through(egress.request),
    breakerOf: createBreakers('mcp'),
  });
  const server: RelayedServer = {
    id: 's',
    slug: 's',
    name: 's',
    url: upstream.url,
    headers: {},
    auth: { type: 'none' },
    status: 'active',
  };
  const { signal } = new AbortController();
  call = (silenceMs) => callUpstream(server, { method: 'POST', headers: {}, body: '{}', id: 4, signal, silenceMs });
});
afterAll(async () => {
  await upstream.close();
  await egress.close();
});

it('a server that says nothing is given up on', async () => {
  serve = () => undefined;
  await expect(call(50)).rejects.toMatchObject({ status: 503, code: -32603, id: 4 });
});

it('signs of life extend a call, and silence after them ends it', async () => {
  const silenceMs = 400;
  serve = (response) => {
    let said = 0;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => {
      said += 1;
      if (said <= 6) response.write(`data: ${said}\n\n`);
      else clearInterval(timer);
    }, 150);
  };
  const startedAt = performance.now();
  const { response, alive } = await call(silenceMs);
  expect(isEventStream(response)).toBe(true);
  const events: string[] = [];
  const reading = async () => {
    for await (const event of readEvents(response.body ?? [])) {
      alive();
      events.push(event);
    }
  };
  await expect(reading()).rejects.toThrow('silent');
  expect(events).toHaveLength(6);
  expect(performance.now() - startedAt).toBeGreaterThan(2 * silenceMs);
});
