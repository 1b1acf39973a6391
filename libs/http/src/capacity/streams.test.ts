import { setTimeout as sleep } from 'node:timers/promises';
import {
  createHttpClient,
  createTestDatabase,
  listen,
  startRedis,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { createRateLimiter, type RateLimiter } from '@millwright/rate-limit';
import { createNotesArea, openNotes, type Notes } from '../endpoint/test-notes-area.js';

let database: TestDatabase;
let notes: Notes;
let ada: string;
let grace: string;
let server: ListeningApp;
let leaving: AbortController;

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  ada = await notes.issueKey('*');
  grace = await (await notes.addUser('grace@example.com'))('*');
});
beforeEach(() => {
  leaving = new AbortController();
});
afterEach(async () => {
  leaving.abort();
  await server.close();
});
afterAll(async () => {
  await notes.db.close();
  await database.drop();
});

async function listenWith(capacity: object, limiter?: RateLimiter): Promise<ListeningApp> {
  const never = new Promise<void>(() => undefined);
  const during = (word: string) => (word === 'never' ? never : undefined);
  return listen(createNotesArea({ db: notes.db, capacity, during, ...(limiter && { limiter }) }));
}

async function serve(capacity: object) {
  server = await listenWith(capacity);
}

/** Opens a stream that has sent its first event and never ends. */
async function openStream(key: string, signal = leaving.signal, { url } = server): Promise<Response> {
  const response = await fetch(`${url}/notes/tell`, {
    method: 'POST',
    body: JSON.stringify({ text: 'once never', tone: 'warm', stream: true }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    signal,
  });
  if (response.ok) await response.body?.getReader().read();
  return response;
}
const statusesOf = async (responses: readonly Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status);

describe('event streams', () => {
  it('do not count against the limits of concurrent requests', async () => {
    await serve({ MAX_IN_FLIGHT: 2, MAX_IN_FLIGHT_PER_USER: 2 });
    for (let n = 0; n < 10; n += 1) expect((await openStream(ada)).status).toBe(200);
    const client = createHttpClient(server.url, { authorization: `Bearer ${ada}` });
    expect((await client('GET', '/notes/none')).status).toBe(404);
  });

  it('are refused with 429 while their account has as many streams as its limit; other accounts are not affected', async () => {
    await serve({ MAX_STREAMS_PER_USER: 3 });
    const first = new AbortController();
    await openStream(ada, first.signal);
    expect(await statusesOf([openStream(ada), openStream(ada)])).toEqual([200, 200]);
    const refused = await openStream(await notes.issueKey('*'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await openStream(grace)).status).toBe(200);
    first.abort();
    while ((await openStream(ada)).status === 429) await sleep(5);
  });

  it('are refused with 429 while their project has as many streams as its limit', async () => {
    await serve({ MAX_STREAMS_PER_USER: 3, MAX_STREAMS_PER_PROJECT: 4 });
    await statusesOf([openStream(ada), openStream(ada), openStream(ada), openStream(grace)]);
    expect((await openStream(grace)).status).toBe(429);
  });

  it('of one account count against the same limit in all processes', async () => {
    const redis = await startRedis();
    const limiters = [1, 2, 3].map(() =>
      createRateLimiter({ redisUrl: redis.url, multiplier: 10_000, deadlineMs: 60_000 }),
    );
    const processes = await Promise.all(limiters.map((limiter) => listenWith({ MAX_STREAMS_PER_USER: 4 }, limiter)));
    const [first, ...others] = processes as [ListeningApp, ...ListeningApp[]];
    server = first;
    const own = new AbortController();
    expect((await openStream(ada, own.signal, first)).status).toBe(200);
    const opened = await statusesOf(
      [...others, ...others, ...others].map((other) => openStream(ada, leaving.signal, other)),
    );
    expect(opened.filter((status) => status === 200)).toHaveLength(3);
    expect(opened.filter((status) => status === 429)).toHaveLength(3);
    expect((await openStream(grace, leaving.signal, first)).status).toBe(200);
    own.abort();
    while ((await openStream(ada, leaving.signal, others[0])).status === 429) await sleep(5);
    leaving.abort();
    await Promise.all([...others.map((other) => other.close()), ...limiters.map((limiter) => limiter.close())]);
    await redis.stop();
  });

  it('are refused with 503 while the process has as many streams as its limit', async () => {
    await serve({ MAX_STREAMS: 2 });
    expect(await statusesOf([openStream(ada), openStream(grace)])).toEqual([200, 200]);
    const refused = await openStream(grace);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  });
});
