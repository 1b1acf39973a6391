import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type Database } from '@millwright/db';
import type { Listener } from '@millwright/db/notifications';
import { followRevocations } from '@millwright/http';
import { createLogger, trackTraffic, type Traffic } from '@millwright/http/process';
import { createTestDatabase, listen, type ListeningApp, type TestDatabase } from '@millwright/testing';
import express, { type Response } from 'express';
import { createUser, disableUser, revokeUser } from '../index.js';

const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
const actorOf = (userId: string) => ({ userId, kind: 'user', label: 'u' }) as const;
const anyone = () => undefined;

let database: TestDatabase;
let db: Database;
let traffic: Traffic;
let server: ListeningApp;
let listener: Listener;
/** Responses of the path `/later/:user` that the test answers itself, by user. */
let waiting: Map<string, Response>;

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  waiting = new Map();
  const app = express();
  app.get('/events/:user', (request, response) => {
    response.locals.principalId = request.params.user;
    response.write('data: 1\n\n');
  });
  app.get('/later/:user', (request, response) => {
    response.locals.principalId = request.params.user;
    waiting.set(request.params.user, response);
  });
  traffic = trackTraffic(app);
  server = await listen(traffic.listener);
});
afterEach(async () => {
  await listener.close();
  await server.close();
  await db.close();
  await database.drop();
});

async function follow(): Promise<void> {
  const connected = Promise.withResolvers<undefined>();
  const watched: Pick<Traffic, 'closeStreamsOf' | 'users'> = {
    closeStreamsOf: (user) => traffic.closeStreamsOf(user),
    users: () => {
      connected.resolve(undefined);
      return traffic.users();
    },
  };
  listener = followRevocations({ databaseUrl: database.url, db, traffic: watched, logger });
  await connected.promise;
}

async function newUser(email: string): Promise<string> {
  await db.transaction((tx) =>
    createUser(tx, { email, name: 'u', role: 'user', platformAdmin: false, project: 'Core' }),
  );
  return (await db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
}

async function openStream(user: string): Promise<IncomingMessage> {
  const [response] = (await once(get(`${server.url}/events/${user}`), 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

/** Resolves when the stream is cut off; rejects when it ends normally. */
function cut(response: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('error', () => resolve());
    response.once('end', () => reject(new Error('it ended in order')));
  });
}

describe('followRevocations', () => {
  it('closes the open streams of a disabled account, and no other streams', async () => {
    const [ann, bob] = [await newUser('ann@example.com'), await newUser('bob@example.com')];
    await follow();
    const [hers, also, his] = [await openStream(ann), await openStream(ann), await openStream(bob)];
    const closed = Promise.all([cut(hers), cut(also)]);
    await db.transaction((tx) => disableUser(tx, ann, actorOf(bob), anyone));
    await closed;
    expect(his.destroyed).toBe(false);
    expect(traffic.users()).toEqual([bob]);
  });

  it('closes the open streams of an account whose credentials are revoked', async () => {
    const ann = await newUser('ann@example.com');
    await follow();
    const closed = cut(await openStream(ann));
    await db.transaction((tx) => revokeUser(tx, ann, actorOf(ann), anyone));
    await closed;
  });

  it('keeps streams open when the transaction of the revocation is rolled back', async () => {
    const [ann, bob] = [await newUser('ann@example.com'), await newUser('bob@example.com')];
    await follow();
    const [hers, closed] = [await openStream(ann), cut(await openStream(bob))];
    const undone = db.transaction(async (tx) => {
      await disableUser(tx, ann, actorOf(bob), anyone);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await db.transaction((tx) => disableUser(tx, bob, actorOf(ann), anyone));
    await closed; // notifications arrive in order: a notification for Ann would have arrived before this one
    expect(hers.destroyed).toBe(false);
  });

  it('closes the streams of accounts disabled while the connection was interrupted', async () => {
    const ann = await newUser('ann@example.com');
    const stream = await openStream(ann);
    const closed = cut(stream);
    await db.transaction((tx) => disableUser(tx, ann, actorOf(ann), anyone));
    await follow();
    await closed;
  });

  it('closes the streams of accounts whose credentials were revoked while the connection was interrupted, and no other streams', async () => {
    const [ann, bob] = [await newUser('ann@example.com'), await newUser('bob@example.com')];
    const [hers, his] = [await openStream(ann), await openStream(bob)];
    const closed = cut(hers);
    await db.transaction((tx) => revokeUser(tx, bob, actorOf(bob), anyone));
    await db.prisma.$executeRaw`
      UPDATE users SET credentials_revoked_at = now() - interval '1 minute' WHERE id = ${bob}::uuid`;
    await db.transaction((tx) => revokeUser(tx, ann, actorOf(ann), anyone));
    await follow();
    await closed;
    expect(his.destroyed).toBe(false);
    expect(traffic.users()).toEqual([bob]);
  });

  it('closes the streams of an account whose credentials were revoked while the connection for notifications ended', async () => {
    const ann = await newUser('ann@example.com');
    await follow();
    const closed = cut(await openStream(ann));
    await db.transaction(async (tx) => {
      await tx.$executeRaw`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'listen %'`;
      await revokeUser(tx, ann, actorOf(ann), anyone);
    });
    await closed;
  });

  it.each([
    ['a part of the body', (response: Response) => response.write('data: 1\n\n')],
    ['the headers of the answer', (response: Response) => response.flushHeaders()],
  ])('closes a stream that starts after the revocation, as soon as the server sends %s', async (_case, begin) => {
    const ann = await newUser('ann@example.com');
    listener = { close: () => Promise.resolve() };
    const request = get(`${server.url}/later/${ann}`);
    const failed = once(request, 'error');
    while (!waiting.has(ann)) await sleep(5);
    traffic.closeStreamsOf(ann);
    const response = waiting.get(ann);
    if (response) begin(response);
    await failed;
  });

  it('does not cut off an answer that is sent completely after the revocation', async () => {
    const ann = await newUser('ann@example.com');
    listener = { close: () => Promise.resolve() };
    const answered = once(get(`${server.url}/later/${ann}`), 'response') as Promise<[IncomingMessage]>;
    while (!waiting.has(ann)) await sleep(5);
    traffic.closeStreamsOf(ann);
    waiting.get(ann)?.json({ done: true });
    const [response] = await answered;
    expect(String(((await once(response, 'data')) as [Buffer])[0])).toBe('{"done":true}');
  });
});
