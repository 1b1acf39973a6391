import { setTimeout as sleep } from 'node:timers/promises';
import { blockEventLoop, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { runOwnedBy } from './owner.js';
import { Pool } from './pool.js';
import { createWire, type Wire } from './test-wire.js';

let database: TestDatabase;
let wire: Wire;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  wire = await createWire(new URL(database.url));
  pool = new Pool({ url: wire.url, max: 3, acquireTimeoutMs: 1_000, queryTimeoutMs: 1_900 });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await Promise.all([pool.end(), wire.close()]);
  await database.drop();
});

describe('a pool', () => {
  it('assigns a returned connection to a waiting request while another connection is being opened', async () => {
    const first = await pool.connect();
    wire.freezeNew();
    const waiting = pool.connect();
    first.release();
    const given = await waiting;
    expect(given).toBe(first);
    given.release();
  });

  it('assigns connections in the order of the requests', async () => {
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const served: number[] = [];
    const waiting = [1, 2, 3, 4].map((turn) =>
      pool.connect().then((client) => {
        served.push(turn);
        client.release();
      }),
    );
    expect(pool.queued).toBe(4);
    for (const client of held) client.release();
    await Promise.all(waiting);
    expect(served).toEqual([1, 2, 3, 4]);
    expect([pool.totalCount, pool.idleCount, pool.queued]).toEqual([3, 3, 0]);
  });

  it("assigns connections round-robin by owner, so that an owner's backlog delays other owners by one request", async () => {
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const served: string[] = [];
    const ask = (owner: string) =>
      runOwnedBy(owner, async () => {
        const client = await pool.connect();
        served.push(owner);
        client.release();
      });
    const waiting = ['many', 'many', 'many', 'many', 'many', 'one'].map(ask);
    expect(pool.queued).toBe(6);
    for (const client of held) client.release();
    await Promise.all(waiting);
    expect(served.indexOf('one')).toBeLessThanOrEqual(1);
    expect([served.length, pool.idleCount, pool.queued]).toEqual([6, 3, 0]);
  });

  it('keeps only the connections in use after it has been shrunk, and still serves requests', async () => {
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const [kept, ...others] = held;
    for (const client of others) client.release();
    pool.shrink();
    while (pool.totalCount > 1) await sleep(20);
    kept.release();
    const { rows } = await pool.query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
    while (pool.totalCount > 0) await sleep(20);
    expect(pool.queued).toBe(0);
  });

  it('fails a request that waits too long, and serves later requests', async () => {
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const late = await Promise.allSettled(Array.from({ length: 20 }, () => pool.connect()));
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set(['rejected']));
    for (const client of held) client.release();
    const client = await pool.connect();
    client.release();
    expect([pool.totalCount, pool.idleCount, pool.queued]).toEqual([3, 3, 0]);
  });

  it('opens a connection even when the process is blocked for longer than the time limit for opening', async () => {
    const busy = new Pool({ url: wire.url, max: 1, acquireTimeoutMs: 2_000, queryTimeoutMs: 2_000 });
    const opened = busy.connect();
    setImmediate(() => blockEventLoop(3_500));
    (await opened).release();
    await busy.end();
  });

  it('fails a request for which no connection can be opened', async () => {
    const silent = new Pool({ url: wire.url, max: 1, acquireTimeoutMs: 60_000, queryTimeoutMs: 2_000 });
    wire.freezeNew();
    await expect(silent.connect()).rejects.toThrow('timeout expired');
    await silent.end();
  });

  it('replaces a connection that was returned as broken', async () => {
    const held = await pool.connect();
    held.release(new Error('broken'));
    const client = await pool.connect();
    expect(client).not.toBe(held);
    client.release();
  });

  it('still serves requests after the server has ended a connection that was in use without a running query', async () => {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release();
    expect((await pool.query<{ n: number }>('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  });

  it('fails all waiting requests immediately when the server refuses connections', async () => {
    const patient = new Pool({ url: wire.url, max: 3, acquireTimeoutMs: 20_000, queryTimeoutMs: 1_900 });
    patient.on('error', () => undefined);
    await wire.cut();
    const began = performance.now();
    const failed = await Promise.allSettled(Array.from({ length: 20 }, () => patient.connect()));
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(performance.now() - began).toBeLessThan(10_000);
    await patient.end();
  });
});
