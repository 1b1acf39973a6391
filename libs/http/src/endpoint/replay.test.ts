import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import {
  createHttpClient,
  createTestDatabase,
  listen,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { createNotesArea, openNotes } from './test-notes-area.js';

let database: TestDatabase;
let notes: Awaited<ReturnType<typeof openNotes>>;
let app: ListeningApp;
let client: HttpClient;
let during: (text: string) => Promise<void> | void = () => undefined;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  app = await listen(createNotesArea({ db: notes.db, during: (text) => during(text) }));
  client = createHttpClient(app.url, { authorization: `Bearer ${await notes.issueKey('*')}` });
});

afterEach(() => {
  during = () => undefined;
});

afterAll(async () => {
  await app.close();
  await notes.db.close();
  await database.drop();
});

const newKey = () => `key-${keys++}`;
const post = (key: string, text: string, path = '/notes') =>
  client('POST', path, { json: { text, tone: 'warm' }, headers: { 'idempotency-key': key } });
const rowsOf = async (text: string) =>
  Number((await notes.db.prisma.$queryRaw<[{ n: bigint }]>`SELECT count(*) AS n FROM notes WHERE text = ${text}`)[0].n);

describe.each(['/notes', '/notes/ask'])('a service that receives POST %s with Idempotency-Key', (path) => {
  const text = (what: string) => `${path} ${what}`;

  it('replays the stored answer byte for byte, and marks it as a replay', async () => {
    const key = newKey();
    const first = await post(key, text('twice'), path);
    const second = await post(key, text('twice'), path);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    for (const name of ['location', 'etag']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(first.headers.get('etag')).toBe('"b-1"');
    expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await rowsOf(text('twice'))).toBe(1);
  });

  it('stores an answer without the fields that a replay reads from the record; a replay after the record was deleted is answered 404', async () => {
    const key = newKey();
    await post(key, text('read again'), path);
    const bodies = await notes.db.prisma.idempotencyKey.findMany({ orderBy: { created_at: 'desc' }, take: 1 });
    expect(bodies).toMatchObject([{ body: { text: '' } }]);
    await notes.db.prisma.$executeRaw`DELETE FROM notes WHERE text = ${text('read again')}`;
    const again = await post(key, text('read again'), path);
    expect([again.status, await rowsOf(text('read again'))]).toEqual([404, 0]);
  });

  it('answers 409 when a request with the same key has another body', async () => {
    const key = newKey();
    await post(key, text('one'), path);
    const answer = await post(key, text('other'), path);
    expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'conflict', status: 409 } }]);
    expect(await rowsOf(text('other'))).toBe(0);
  });

  it('creates one row for 200 parallel requests with the same key, and answers none of them with 503', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 200 }, () => post(key, text('parallel'), path)));
    expect(await rowsOf(text('parallel'))).toBe(1);
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => [200, 201, 409].includes(status))).toBe(true);
    expect(answers.filter(({ status }) => status === 200 || status === 201).length).toBeGreaterThan(0);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(waiting.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
  });

  it('stores nothing of a failed request; a retry with the same key runs again', async () => {
    const key = newKey();
    during = () => {
      throw new Error('broken');
    };
    expect((await post(key, text('retried'), path)).status).toBe(500);
    expect(await rowsOf(text('retried'))).toBe(0);
    during = () => undefined;
    const again = await post(key, text('retried'), path);
    expect([again.headers.get('idempotent-replayed'), await rowsOf(text('retried'))]).toEqual([null, 1]);
  });

  it('runs a request once, however many retries arrive before its end', async () => {
    const key = newKey();
    const steps: string[] = [];
    during = async (step) => {
      steps.push(step);
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const send = async (): Promise<number> => {
      const { status } = await post(key, text('pressed'), path);
      return status === 409 ? send() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 16 }, send));
    expect(statuses.every((status) => status === 200 || status === 201)).toBe(true);
    expect(steps).toEqual([...(path === '/notes/ask' ? ['asking'] : []), text('pressed')]);
    expect(await rowsOf(text('pressed'))).toBe(1);
  });

  it('treats a key in another project as another key, even when the same credential was moved to this project', async () => {
    const key = newKey();
    await post(key, text('moved'), path);
    const moveTo = async (project: string) => {
      await notes.db.prisma.user.updateMany({ data: { project } });
      await notes.db.prisma.userApiKey.updateMany({ data: { project } });
    };
    await moveTo('Commerce');
    const moved = await post(key, text('moved'), path);
    await moveTo('Core');
    expect([moved.headers.get('idempotent-replayed'), await rowsOf(text('moved'))]).toEqual([null, 2]);
  });

  it('treats the same key from another caller as another key', async () => {
    const key = newKey();
    await post(key, text('shared'), path);
    const other = createHttpClient(app.url, { authorization: `Bearer ${await notes.issueKey('*')}` });
    await other('POST', path, { json: { text: text('shared'), tone: 'warm' }, headers: { 'idempotency-key': key } });
    expect(await rowsOf(text('shared'))).toBe(2);
  });

  it.each(['', 'two words', 'é', 'x'.repeat(256)])('answers 422 for the key %j', async (key) => {
    const answer = await post(
      encodeURIComponent(key) === key ? key : Buffer.from(key).toString('latin1'),
      text('bad key'),
      path,
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Idempotency-Key: must be 1 to 255 visible ASCII characters');
  });

  it('accepts a key of 255 characters', async () => {
    expect((await post('x'.repeat(255 - path.length) + path, text('long key'), path)).status).toBeLessThan(300);
  });
});

describe('Idempotency-Key on a slow endpoint', () => {
  it('answers 409 with Retry-After while the first request runs, and returns the stored answer of this request afterwards', async () => {
    const key = newKey();
    const steps = new EventEmitter();
    during = async (text) => {
      if (text !== 'asking') return;
      steps.emit('asking');
      await once(steps, 'go on');
    };
    const asking = once(steps, 'asking');
    const first = post(key, 'slow', '/notes/ask');
    await asking;
    const second = await post(key, 'slow', '/notes/ask');
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
    steps.emit('go on');
    expect((await first).status).toBe(200);
    expect((await post(key, 'slow', '/notes/ask')).text).toBe((await first).text);
    expect(await rowsOf('slow')).toBe(1);
  });

  it('can be used again immediately when its request ended without a change', async () => {
    const key = newKey();
    expect((await post(key, 'unanswered', '/notes/ask')).status).toBe(200);
    expect((await post(key, 'unanswered', '/notes/ask')).status).toBe(200);
  });
});
