import { generateKeyPairSync } from 'node:crypto';
import { recordDecision, sealAuditLog } from '@millwright/audit';
import { createUser } from '@millwright/accounts';
import { asRole, createDatabase, decodeId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { z } from 'zod';
import { requireSealWebhookSecret, sealWebhookConfig } from '../audit/seal-webhook-config.js';
import { sendOutSeals } from './send-out-seals.js';

let database: TestDatabase;
let db: Database;
let user: string;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeEach(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
  const ann = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  user = decodeId('usr', (await db.transaction((tx) => createUser(tx, ann))).id) ?? '';
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

async function seal(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const actor = { userId: user, kind: 'user', label: 'Ann' } as const;
    await db.transaction((tx) => recordDecision(tx, { actor, action: 'a.b', resource: 'x' }));
    await sealAuditLog(db, { kid: 'seal-key', privateKey });
  }
}

interface Logged {
  event: string;
  seal: number;
}

/** Creates receivers that store the seals which they get. The webhook fails while `isAway` is true, the bucket while `isFull` is true. */
function receivers() {
  const logged: Logged[] = [];
  const posted: { type: string; seals: number[] }[] = [];
  const locked: number[] = [];
  const state = { isAway: false, isFull: false };
  const send = (withWebhook = true, withBucket = false) =>
    sendOutSeals(db, (work) => db.transaction(work), {
      logger: { info: (entry: unknown) => void logged.push(entry as Logged) },
      webhook: withWebhook
        ? (type, data) => {
            if (state.isAway) return Promise.reject(new Error('the webhook refused the message'));
            posted.push({ type, seals: (data as { seals: { number: number }[] }).seals.map(({ number }) => number) });
            return Promise.resolve();
          }
        : undefined,
      lock: withBucket
        ? (seals) => {
            if (state.isFull) return Promise.reject(new Error('the bucket refused the object'));
            locked.push(...seals.map(({ number }) => number));
            return Promise.resolve();
          }
        : undefined,
    });
  return { logged, posted, locked, state, send };
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('sendOutSeals', () => {
  it('sends each seal once, with its hash, key and number of rows', async () => {
    const { logged, posted, send } = receivers();
    await seal(2);
    expect(await send()).toEqual({ logged: 2, posted: 2, locked: 0 });
    await seal(1);
    expect(await send()).toEqual({ logged: 1, posted: 1, locked: 0 });
    expect(await send()).toEqual({ logged: 0, posted: 0, locked: 0 });
    const { hash } = await db.prisma.auditSeal.findUniqueOrThrow({ where: { number: 1 } });
    expect(logged[0]).toMatchObject({ event: 'audit.sealed', seal: 1, hash, rows: 2, kid: 'seal-key' });
    expect(logged.map(({ seal: number }) => number)).toEqual([1, 2, 3]);
    expect(posted).toEqual([
      { type: 'audit.sealed', seals: [1, 2] },
      { type: 'audit.sealed', seals: [3] },
    ]);
  });

  it('loses no seal while the webhook is unreachable, and sends the outstanding seals in batches', async () => {
    const { logged, posted, state, send } = receivers();
    state.isAway = true;
    await seal(25);
    await expect(send()).rejects.toThrow('refused');
    await expect(send()).rejects.toThrow('refused');
    expect([logged.length, posted.length]).toEqual([25, 0]);
    state.isAway = false;
    expect(await send()).toEqual({ logged: 0, posted: 25, locked: 0 });
    expect(posted.map(({ seals }) => seals.length)).toEqual([20, 5]);
    expect(posted.flatMap(({ seals }) => seals)).toEqual(upTo(25));
  });

  it('sends all earlier seals to a webhook that is configured later', async () => {
    const { posted, send } = receivers();
    await seal(3);
    expect(await send(false)).toEqual({ logged: 3, posted: 0, locked: 0 });
    expect(await send()).toEqual({ logged: 0, posted: 3, locked: 0 });
    expect(posted.flatMap(({ seals }) => seals)).toEqual(upTo(3));
  });

  it('sends seals to the bucket while the webhook is unreachable, and to the webhook while the bucket is unreachable', async () => {
    const { posted, locked, state, send } = receivers();
    state.isAway = true;
    await seal(2);
    await expect(send(true, true)).rejects.toThrow('the webhook refused the message');
    expect([posted, locked]).toEqual([[], [1, 2]]);
    Object.assign(state, { isAway: false, isFull: true });
    await seal(1);
    await expect(send(true, true)).rejects.toThrow('the bucket refused the object');
    state.isAway = true;
    await seal(1);
    await expect(send(true, true)).rejects.toThrow(/the webhook refused .+ the bucket refused/);
    Object.assign(state, { isAway: false, isFull: false });
    expect(await send(true, true)).toEqual({ logged: 0, posted: 1, locked: 2 });
    expect(locked).toEqual(upTo(4));
  });
});

describe('the settings of the webhook for seals', () => {
  const Settings = z.object(sealWebhookConfig).superRefine(requireSealWebhookSecret);
  const AUDIT_SEAL_WEBHOOK_URL = 'https://hooks.example.com/seals';

  it('must contain the signing secret when they contain the address', () => {
    expect(Settings.safeParse({}).success).toBe(true);
    expect(Settings.safeParse({ AUDIT_SEAL_WEBHOOK_URL }).success).toBe(false);
    const AUDIT_SEAL_WEBHOOK_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(Settings.safeParse({ AUDIT_SEAL_WEBHOOK_URL, AUDIT_SEAL_WEBHOOK_SECRET }).success).toBe(true);
    expect(Settings.safeParse({ AUDIT_SEAL_WEBHOOK_URL, AUDIT_SEAL_WEBHOOK_SECRET: 'short' }).success).toBe(false);
  });
});
