import { EventEmitter } from 'node:events';
import { AppError } from '@millwright/errors';
import type { Database } from '@millwright/db';
import { createTestDatabase, listen, type ListeningApp, type TestDatabase } from '@millwright/testing';
import express, { type Response } from 'express';
import { z } from 'zod';
import { createWork } from '../process/index.js';
import { openEventStream, openFeed } from './event-stream.js';
import { createNotesArea, openNotes } from './test-notes-area.js';

let database: TestDatabase;
let db: Database;
let key: string;
let server: ListeningApp;
let during: (text: string) => Promise<void> | void;
const work = createWork();

beforeAll(async () => {
  database = await createTestDatabase();
  const notes = await openNotes(database.url);
  db = notes.db;
  key = await notes.issueKey('skills:write');
  server = await listen(createNotesArea({ db, area: 'prompt', work, during: (text) => during(text) }));
});
afterAll(async () => {
  await server.close();
  await db.close();
  await database.drop();
});
beforeEach(() => {
  during = () => undefined;
});

const tell = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${server.url}/notes/tell`, {
    method: 'POST',
    body: JSON.stringify({ tone: 'warm', text: 'once upon', stream: true, ...body }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(signal && { signal }),
  });
const count = async () => Number((await db.prisma.$queryRaw<[{ n: bigint }]>`SELECT count(*) AS n FROM notes`)[0].n);

describe('an endpoint with events', () => {
  it('answers JSON unless the body requests a stream', async () => {
    for (const body of [{ stream: false }, { stream: undefined }]) {
      const answer = await tell(body);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(await answer.json()).toMatchObject({ text: 'told' });
    }
  });

  it('sends each event as it occurs, then the answer as its contract describes it', async () => {
    const gate = Promise.withResolvers<undefined>();
    during = (word) => (word === 'upon' ? gate.promise : undefined);
    const answer = await tell({});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('data: {"word":"once"}\n\n');
    gate.resolve(undefined);
    let rest = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value;
    expect(rest).toMatch(
      /^data: \{"word":"upon"\}\n\nevent: note\ndata: \{"id":"\d+","text":"told","tone":"warm"\}\n\n$/,
    );
  });

  it('answers a failure before the first event with the status of the failure', async () => {
    during = () => {
      throw new AppError('unavailable');
    };
    const answer = await tell({});
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await tell({ tone: 'hot' })).status).toBe(400);
  });

  it('answers a failure after the first event with an error event, stores nothing, and accepts the idempotency key again', async () => {
    during = (word) => {
      if (word === 'upon') throw new Error('the secret of the house');
    };
    const before = await count();
    const headers = { 'idempotency-key': 'fails-late' };
    const text = await (await tell({}, headers)).text();
    const [first, last] = text.trim().split('\n\n');
    expect(first).toBe('data: {"word":"once"}');
    expect(last).toMatch(/^event: error\ndata: \{"error":\{"code":"internal_error",/);
    expect(text).not.toContain('secret');
    expect(await count()).toBe(before);
    during = () => undefined;
    const again = await tell({}, headers);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(await again.text()).toContain('event: note');
  });

  it('answers a repeated request with the stored answer as a stream, and does not run the handler again', async () => {
    const headers = { 'idempotency-key': 'told-twice' };
    const first = await (await tell({}, headers)).text();
    during = () => {
      throw new Error('worked again');
    };
    const again = await tell({}, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(first.split('\n\n').slice(2).join('\n\n'));
  });

  it('completes a request and stores its answer although the client has disconnected; `settled` resolves only afterwards', async () => {
    const gate = Promise.withResolvers<undefined>();
    during = (word) => (word === 'upon' ? gate.promise : undefined);
    const before = await count();
    const leaving = new AbortController();
    const answer = await tell({}, {}, leaving.signal);
    await answer.body?.getReader().read();
    leaving.abort();
    let settled = false;
    const done = work.settled().then(() => (settled = true));
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    gate.resolve(undefined);
    await done;
    expect(await count()).toBe(before + 1);
  });
});

describe('an idle stream', () => {
  it('sends heartbeats', async () => {
    const written: string[] = [];
    const beaten = Promise.withResolvers<undefined>();
    const response = Object.assign(new EventEmitter(), {
      headersSent: false,
      destroyed: false,
      writableEnded: false,
      status: () => response,
      locals: {},
      set: () => {
        response.headersSent = true;
        return response;
      },
      write: (text: string) => {
        written.push(text);
        if (written.length === 2) beaten.resolve(undefined);
      },
      end: () => (response.writableEnded = true),
    });
    const stream = await openEventStream(
      response as unknown as Response,
      (emit) => ({ end: (data) => emit({ data }), fail: (data) => emit({ data }) }),
      1,
    );
    await beaten.promise;
    stream.end({ body: { last: true } });
    expect(written.slice(0, -1).every((text) => text === ': still running\n\n')).toBe(true);
    expect(written.at(-1)).toBe('data: {"last":true}\n\n');
  });
});

describe('a feed', () => {
  it('resolves the promise of `send` when the client receives the event or has disconnected', async () => {
    const schema = z.object({ text: z.string() });
    const contract = { feed: { part: schema } };
    const app = express();
    let sent = 0;
    let ended = Promise.withResolvers<undefined>();
    app.get('/', async (_request, response) => {
      const feed = await openFeed(contract, response);
      feed.open();
      for (let id = 1; id <= 50 && !response.destroyed; id += 1) {
        await feed.send({ id: String(id), event: 'part', data: { text: 'x'.repeat(1_000_000), other: 1 } });
        sent += 1;
      }
      response.end();
      ended.resolve(undefined);
    });
    const feeding = await listen(app);
    const read = async (leave: boolean) => {
      [sent, ended] = [0, Promise.withResolvers()];
      const leaving = new AbortController();
      const { body, headers } = await fetch(feeding.url, { signal: leaving.signal });
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      while (sent === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(sent).toBeLessThan(50);
      if (leave) leaving.abort();
      const text = leave ? '' : await new Response(body).text();
      await ended.promise;
      return text;
    };
    const text = await read(false);
    expect(text.match(/^id: (\d+)\nevent: part\ndata: \{"text":"x+"\}$/gm)).toHaveLength(50);
    await read(true);
    await feeding.close();
  });
});
