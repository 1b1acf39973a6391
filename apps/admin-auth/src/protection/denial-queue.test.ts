import { encodeId } from '@millwright/db';
import { createLogger } from '@millwright/http/process';
import { createHttpClient, createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import type { Response } from 'express';
import express from 'express';
import { startConsole, type TestConsole } from '../test-console.js';
import { createDenialQueue, type DenialQueue } from './denial-queue.js';

let database: TestDatabase;
let site: TestConsole;
let lines: object[];

beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  lines = [];
});
afterEach(async () => {
  await site.close();
  await database.drop();
});

function queueOf(most?: number): DenialQueue {
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as object) };
  const logger = createLogger({ service: 'test', level: 'trace', version: 'test', destination });
  return createDenialQueue({ db: site.db, logger }, most);
}
const denials = () => site.db.prisma.governanceDecision.findMany({ where: { decision: 'deny' } });

/** Sends a request to a server that calls `act` before it answers. */
async function answerAfter(act: (response: Response) => void): Promise<void> {
  const app = express().use((_request, response) => {
    act(response);
    response.json({});
  });
  const server = await listen(app);
  await createHttpClient(server.url)('GET', '/');
  await server.close();
}

describe('createDenialQueue', () => {
  const entryOf = async (email: string) => {
    const user = await site.addUser({ email });
    const actor = { userId: user.id, kind: 'user', label: user.name } as const;
    return { actor, action: 'session.create', resource: encodeId('usr', user.id) };
  };

  it('writes each row after its response, and resolves settled() when all rows are written', async () => {
    const queue = queueOf();
    const entries = await Promise.all(Array.from({ length: 20 }, (_, n) => entryOf(`user${n}@example.com`)));
    let isOver = false;
    await answerAfter((response) => {
      for (const entry of entries) queue.record(response, entry, 'passkey not verified');
      response.once('close', () => (isOver = true));
    });
    await queue.settled();
    expect(isOver).toBe(true);
    expect(await denials()).toHaveLength(20);
    expect((await denials())[0]).toMatchObject({ reason: 'passkey not verified', detail: { by: 'stranger' } });
  });

  it('answers 503 to every attempt while the queue is full, and loses no queued row', async () => {
    const queue = queueOf(2);
    const entries = [await entryOf('one@example.com'), await entryOf('two@example.com')];
    await answerAfter((response) => {
      for (const entry of entries) {
        queue.requireRoom();
        queue.record(response, entry, 'passkey not verified');
      }
      expect(() => queue.requireRoom()).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
    });
    await queue.settled();
    queue.requireRoom();
    expect(await denials()).toHaveLength(2);
  });

  it('logs a row that could not be written', async () => {
    const queue = queueOf();
    const entry = await entryOf('lost@example.com');
    const missing = { ...entry, actor: { ...entry.actor, userId: '00000000-0000-7000-8000-000000000000' } };
    await answerAfter((response) => queue.record(response, missing, 'passkey not verified'));
    await queue.settled();
    expect(lines).toMatchObject([{ event: 'audit.denial_lost', action: 'session.create', resource: entry.resource }]);
  });
});
