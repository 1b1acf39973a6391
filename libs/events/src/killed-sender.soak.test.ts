import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import { recordEvent } from './index.js';
import { makeAdmin, makeWebhook, pollUntil, startReceiver, verify, type TestReceiver } from './test-events.js';

const EVENTS = 10_000;
const SUBJECTS = 500;
const KILLS = 50;
/** Share of attempts to which the receiver answers with an error. */
const FAILURES = 0.2;

let folder: string;
let program: string;
let database: TestDatabase;
let db: Database;
let receiver: TestReceiver;
const senders: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-sender-'));
  program = join(folder, 'sender.mjs');
  await bundleProgram(new URL('test-sender.ts', import.meta.url), program);
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 8, acquireTimeoutMs: 60_000 });
  receiver = await startReceiver();
});
afterAll(async () => {
  await Promise.all(senders.map(kill));
  await receiver.close();
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function startSender(place: number): Promise<void> {
  const sender = spawn(process.execPath, [program, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  senders[place] = sender;
  await once(sender.stdout as NodeJS.ReadableStream, 'data');
}
async function kill(sender: ChildProcess): Promise<void> {
  if (sender.exitCode !== null || sender.signalCode !== null) return;
  sender.kill('SIGKILL');
  await once(sender, 'exit');
}

interface Data {
  n: number;
}

describe(`${EVENTS} events to a receiver that fails at random, with ${KILLS} kills of their senders`, () => {
  it(
    'are each delivered at least once, in order for each subject, and duplicates have the same id',
    async () => {
      const owner = await makeAdmin(db);
      const { secret } = await makeWebhook(db, owner, receiver.url);
      const accepted = new Set<string>();
      const last = new Map<string, { n: number; isAccepted: boolean }>();
      const texts = new Map<string, string>();
      const wrong: string[] = [];
      let attempts = 0;

      receiver.answer = (received) => {
        attempts += 1;
        receiver.received.length = 0;
        verify(secret, received);
        const { id, body, message } = received;
        const { n } = message.data as Data;
        const before = last.get(message.subject) ?? { n: -1, isAccepted: true };
        const isNext = n === before.n + 1 && before.isAccepted;
        if (n !== before.n && !isNext) wrong.push(`${message.subject} ${n} after ${before.n}`);
        if ((texts.get(id) ?? body) !== body) wrong.push(`${id} has two bodies`);
        texts.set(id, body);
        const fails = Math.random() < FAILURES;
        const isAccepted = !fails || (n === before.n && before.isAccepted);
        last.set(message.subject, { n, isAccepted });
        if (isAccepted) accepted.add(`${message.subject} ${n}`);
        return { status: isAccepted ? 204 : 500 };
      };

      await Promise.all([startSender(0), startSender(1)]);
      const record = async (subject: number) => {
        for (let n = 0; n < EVENTS / SUBJECTS; n += 1)
          await db.transaction((tx) =>
            recordEvent(tx, { project: 'Core', type: 'run.waiting', subject: `run_${subject}`, data: { n } }),
          );
      };
      const subjects = Array.from({ length: SUBJECTS }, (_, index) => index);
      const writers = Array.from({ length: 6 }, async () => {
        for (let subject = subjects.pop(); subject !== undefined; subject = subjects.pop()) await record(subject);
      });

      const killing = (async () => {
        for (let n = 1; n <= KILLS; n += 1) {
          const from = accepted.size;
          // Waits until further deliveries have arrived since the last kill, so that the next kill interrupts some
          // deliveries.
          await pollUntil(() => (accepted.size >= Math.min(from + 20, EVENTS - 1) ? true : undefined));
          const place = n % 2;
          await kill(senders[place] as ChildProcess);
          await startSender(place);
        }
      })();
      await Promise.all([...writers, killing]);
      // Makes the next attempt of failed deliveries due now instead of minutes later. The times of claims do not
      // change.
      const counts = await pollUntil(async () => {
        await db.prisma.$executeRaw`
          UPDATE event_deliveries SET next_at = now(), last_error = NULL
           WHERE state = 'pending' AND last_error IS NOT NULL`;
        const waiting = await db.prisma.eventDelivery.count({ where: { state: 'pending' } });
        return waiting === 0 ? db.prisma.eventDelivery.groupBy({ by: ['state'], _count: true }) : undefined;
      });

      process.stdout.write(
        `${EVENTS} events of ${SUBJECTS} subjects, ${KILLS} kills: ${attempts} attempts, ${accepted.size} accepted, ` +
          `${texts.size} ids, ${wrong.length} out of order\n`,
      );
      expect(counts).toEqual([{ state: 'delivered', _count: EVENTS }]);
      expect([accepted.size, texts.size, wrong]).toEqual([EVENTS, EVENTS, []]);
      expect(attempts).toBeGreaterThan(EVENTS);
    },
    60 * 60_000,
  );
});
