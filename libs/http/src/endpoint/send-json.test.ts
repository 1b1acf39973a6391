import { createServer } from 'node:http';
import { measureLoopUse, listen } from '@millwright/testing';
import express, { type Response } from 'express';
import { sendJson } from './send-json.js';

/** Sends the body over a connection. @returns the answer */
async function answerOf(body: unknown, before: (response: Response) => void = () => undefined) {
  const app = express();
  app.disable('etag');
  app.get('/', async (_request, response) => {
    before(response);
    await sendJson(response, body);
  });
  const { url, close } = await listen(app);
  const answer = await fetch(url);
  const text = await answer.text();
  await close();
  return { headers: answer.headers, text };
}

const LONG = 'The mill of the miller. '.repeat(20_000);
const item = (n: number) => ({ id: n, body: LONG });

describe('an answer in JSON', () => {
  it.each<[string, unknown]>([
    ['an object', { a: 1, b: [1, 'two', null, { three: [3] }], c: undefined, d: [], e: {}, f: [undefined] }],
    ['an object whose first field is left out', { a: undefined, b: [1] }],
    ['an empty object', {}],
    ['a list', [{ a: 1 }, [2], 'three']],
    ['an empty list', []],
    ['a text', 'text'],
    ['null', null],
    ['dates and lists of dates', { at: new Date(0), all: [new Date(0)] }],
    ['an object with a toJSON method', { toJSON: () => ({ a: [1] }) }],
    ['a long list', { items: [1, 2, 3].map(item), total: 3 }],
    ['a long list of texts outside ASCII', ['ä'.repeat(300_000), '”'.repeat(300_000)]],
  ])('equals the output of JSON.stringify: %s', async (_, body) => {
    const { headers, text } = await answerOf(body);
    expect(text).toBe(JSON.stringify(body));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('has the media type of its endpoint', async () => {
    const { headers } = await answerOf([LONG], (response) => response.set('Content-Type', 'application/a2a+json'));
    expect(headers.get('content-type')).toBe('application/a2a+json');
  });

  it('of 10 MB is written in many turns of the event loop, with at least one turn for each long entry', async () => {
    const items = Array.from({ length: 20 }, (_, n) => item(n));
    const response = await responseOfItsOwn();
    const { turns, cpuMs, longestTurnMs } = await measureLoopUse(() => sendJson(response, { items }));
    expect(turns).toBeGreaterThanOrEqual(items.length);
    expect(longestTurnMs).toBeLessThan(cpuMs / 2);
  });

  it('is not written further after the client has disconnected', async () => {
    const response = await responseOfItsOwn();
    let [read, isLeft] = [0, false];
    const entry = () => ({
      toJSON() {
        read += 1;
        if (isLeft) return '';
        isLeft = true;
        response.destroy();
        return LONG;
      },
    });
    await sendJson(response, Array.from({ length: 10 }, entry));
    expect(read).toBe(1);
  });
});

/** Returns a response whose client does not read. */
async function responseOfItsOwn(): Promise<Response> {
  const app = express();
  const received = Promise.withResolvers<Response>();
  app.get('/', (_request, response) => received.resolve(response));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  void fetch(`http://127.0.0.1:${port}`).catch(() => undefined);
  return received.promise;
}

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});
