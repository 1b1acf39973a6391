import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import {
  claimKey,
  createDatabase,
  findAnswer,
  keyedRequest,
  newId,
  storeAnswer,
  type Database,
  type StoredAnswer,
} from './index.js';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 10 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const answer: StoredAnswer = { status: 201, headers: { Location: '/x' }, body: { z: 1, a: [true, null, 'ä'] } };
const request = (key: string, body: unknown = { name: 'a' }) => keyedRequest('key_1', key, 'POST', '/skills', body);
const find = (keyed: ReturnType<typeof request>) => db.transaction((tx) => findAnswer(tx, keyed));
const store = (keyed: ReturnType<typeof request>, stored = answer) =>
  db.transaction((tx) => storeAnswer(tx, keyed, stored));
const row = (keyed: ReturnType<typeof request>) =>
  db.prisma.idempotencyKey.findUnique({ where: { id: new Uint8Array(keyed.id) } });

let key: string;
beforeEach(() => {
  key = newId();
});

describe('keyedRequest', () => {
  it('is equal for equal requests, and differs when any part of a request differs', () => {
    const same = [keyedRequest('a', 'k', 'POST', '/p', { x: 1 }), keyedRequest('a', 'k', 'POST', '/p', { x: 1 })];
    expect(same[0]).toEqual(same[1]);
    expect(keyedRequest('b', 'k', 'POST', '/p', { x: 1 }).id).not.toEqual(same[0]?.id);
    expect(keyedRequest('ak', '', 'POST', '/p', { x: 1 }).id).not.toEqual(
      keyedRequest('a', 'k', 'POST', '/p', { x: 1 }).id,
    );
    const others = [
      keyedRequest('a', 'k', 'PUT', '/p', { x: 1 }),
      keyedRequest('a', 'k', 'POST', '/q', { x: 1 }),
      keyedRequest('a', 'k', 'POST', '/p', { x: 2 }),
    ];
    for (const other of others) expect(other.fingerprint).not.toEqual(same[0]?.fingerprint);
  });
});

describe('an answer stored with its change', () => {
  it('is returned unchanged, including the order of the fields in its body', async () => {
    expect(await find(request(key))).toBeUndefined();
    await store(request(key));
    const found = await find(request(key));
    expect(JSON.stringify(found)).toBe(JSON.stringify(answer));
  });

  it('has no body when it was stored without a body', async () => {
    await store(request(key), { status: 204, headers: {}, body: undefined });
    expect(await find(request(key))).toEqual({ status: 204, headers: {}, body: null });
  });

  it('is returned with its stored `source`; when its key is used again after a day, the new answer has no old source', async () => {
    await store(request(key), { ...answer, source: { until: 4 } });
    expect(await find(request(key))).toEqual({ ...answer, source: { until: 4 } });
    await db.prisma
      .$executeRaw`UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE id = ${request(key).id}`;
    await store(request(key));
    expect(await find(request(key))).toEqual(answer);
  });

  it('does not exist when the change was rolled back', async () => {
    const refused = db.transaction(async (tx) => {
      await storeAnswer(tx, request(key), answer);
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await find(request(key))).toBeUndefined();
  });

  it('makes a request with the same key and another body fail as a conflict', async () => {
    await store(request(key));
    await expect(find(request(key, { name: 'b' }))).rejects.toMatchObject({
      code: 'idempotency_conflict',
      status: 409,
    });
  });

  it('is not returned to another caller', async () => {
    await store(request(key));
    expect(await find(keyedRequest('key_2', key, 'POST', '/skills', { name: 'a' }))).toBeUndefined();
  });

  it('expires after a day; its idempotency key can then be used for another request', async () => {
    await store(request(key));
    const { expires_at } = (await row(request(key))) ?? {};
    expect(Number(expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    await db.prisma
      .$executeRaw`UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE id = ${request(key).id}`;
    expect(await find(request(key))).toBeUndefined();
    const other = request(key, { name: 'b' });
    await store(other, { ...answer, body: 'other' });
    expect(await find(other)).toMatchObject({ body: 'other' });
  });

  it('contains neither the key nor the caller in clear text', async () => {
    await store(request(key));
    const stored = await row(request(key));
    expect(Buffer.from(stored?.id ?? []).toString('latin1')).not.toContain(key);
    expect(stored?.id).toHaveLength(32);
  });

  it('does not replace an earlier answer', async () => {
    await store(request(key));
    await expect(store(request(key), { ...answer, body: 'second' })).rejects.toMatchObject({
      code: 'idempotency_running',
    });
    expect(await find(request(key))).toEqual(answer);
  });
});

it('of 20 concurrent requests with the same key, one runs; the others get the answer of this one or the error idempotency_running', async () => {
  let changes = 0;
  const attempt = () =>
    db.transaction(async (tx) => {
      const found = await findAnswer(tx, request(key));
      if (found) return 'replayed';
      changes += 1;
      await storeAnswer(tx, request(key), answer);
      return 'ran';
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, attempt));
  expect(changes).toBe(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'idempotency_running', retryAfter: 1 });
  }
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === 'ran')).toHaveLength(1);
});

describe('a claim of a key', () => {
  it('makes other requests with the key fail while the first request runs; afterwards they get the stored answer', async () => {
    const claim = await claimKey(db, request(key));
    expect(claim.answer).toBeUndefined();
    await expect(claimKey(db, request(key))).rejects.toMatchObject({ code: 'idempotency_running', retryAfter: 1 });
    await expect(claimKey(db, request(key, { name: 'b' }))).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await store(request(key));
    claim.end();
    expect((await claimKey(db, request(key))).answer).toEqual(answer);
  });

  it('allows a retry to run after the claim is released', async () => {
    const claim = await claimKey(db, request(key));
    await claim.release();
    const again = await claimKey(db, request(key));
    expect(again.answer).toBeUndefined();
    await again.release();
  });

  it('does not remove a stored answer when the claim is released afterwards', async () => {
    const claim = await claimKey(db, request(key));
    await store(request(key));
    await claim.release();
    expect((await claimKey(db, request(key))).answer).toEqual(answer);
  });

  it('expires when the process that holds it has died', async () => {
    const dead = await claimKey(db, request(key));
    dead.end();
    await db.prisma
      .$executeRaw`UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE id = ${request(key).id}`;
    const claim = await claimKey(db, request(key));
    expect(claim.answer).toBeUndefined();
    await claim.release();
  });

  it('does not affect the newer claim of another process when it expired while its own process was frozen', async () => {
    const frozen = await claimKey(db, request(key));
    await db.prisma.$executeRaw`
      UPDATE idempotency_keys SET lease_until = now() - interval '1 second', created_at = created_at - interval '20 seconds'
       WHERE id = ${request(key).id}`;
    const successor = await claimKey(db, request(key));
    await frozen.release();
    await expect(claimKey(db, request(key))).rejects.toMatchObject({ code: 'idempotency_running' });
    await successor.release();
    const next = await claimKey(db, request(key));
    await next.release();
  });

  it('is renewed only by the process that made it, not by a process whose earlier claim of the key has expired', async () => {
    jest.useFakeTimers({
      doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'setTimeout', 'performance', 'Date'],
    });
    const frozen = await claimKey(db, request(key));
    await db.prisma.$executeRaw`
      UPDATE idempotency_keys SET lease_until = now() - interval '1 second', created_at = created_at - interval '20 seconds'
       WHERE id = ${request(key).id}`;
    const successor = await claimKey(db, request(key));
    successor.end();
    const past = new Date('2026-01-01T00:00:00Z');
    const renewed = await claimKey(db, request(newId()));
    await db.prisma.$executeRaw`UPDATE idempotency_keys SET lease_until = ${past}`;
    jest.advanceTimersByTime(5_000);
    jest.useRealTimers();
    // Once the third claim is renewed, the renewals of the other claims have also had time to run.
    let leases: { lease_until: Date }[];
    do leases = await db.prisma.idempotencyKey.findMany({ where: { lease_until: { gt: past } } });
    while (leases.length === 0);
    await frozen.release();
    await renewed.release();
    expect(leases).toHaveLength(1);
    expect((await row(request(key)))?.lease_until).toEqual(past);
  });

  it('lasts 15 seconds', async () => {
    const claim = await claimKey(db, request(key));
    const { lease_until } = (await row(request(key))) ?? {};
    const seconds = (Number(lease_until) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(13);
    expect(seconds).toBeLessThan(16);
    await claim.release();
  });
});
