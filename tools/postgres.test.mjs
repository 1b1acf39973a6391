// @ts-check
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { removeDataFolder } from './postgres/data-folder.mjs';
import { startPostgres, stopRunningPostgres } from './postgres.mjs';
import { isAlive } from './process-state.mjs';
import { startTemporaryPostgres } from './temporary-postgres.mjs';

/** @param {string} url @param {string} sql */
async function query(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

describe('startPostgres', () => {
  /** @type {string} */
  let folder;
  const start = () => startPostgres({ dataFolder: join(folder, 'data'), logFile: join(folder, 'log') });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millwright-postgres-'));
    chmodSync(folder, 0o711);
  });
  afterEach(async () => {
    await stopRunningPostgres(join(folder, 'data'));
    removeDataFolder(join(folder, 'data'));
    rmSync(folder, { recursive: true });
  });

  it('keeps the data after a stop and after a kill of the server', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    await first.stop();
    assert.ok(!isAlive(first.pid));
    const second = await start();
    process.kill(second.pid, 'SIGKILL');
    const third = await start();
    assert.deepEqual(await query(third.url, 'SELECT n FROM kept'), [{ n: 1 }]);
  });

  it('uses the server that an earlier start left running', async () => {
    const left = await start();
    const taken = await start();
    assert.deepEqual([taken.pid, taken.url], [left.pid, left.url]);
  });

  it('starts despite a postmaster.pid whose process id belongs to another program', async () => {
    const first = await start();
    await first.stop();
    writeFileSync(join(folder, 'data', 'postmaster.pid'), `${process.pid}\n${join(folder, 'data')}\n0\n1\n`);
    await start();
  });

  it('works in a folder that only its owner may enter, and finds the data again', async () => {
    chmodSync(folder, 0o700);
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    await first.stop();
    const second = await start();
    assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 1 }]);
  });

  it('sorts by code point and folds case by the rules of Unicode', async () => {
    const { url } = await start();
    assert.deepEqual(await query(url, `SELECT lower('ÄΣ') AS low, 'Z' < 'a' AS sorted`), [{ low: 'äσ', sorted: true }]);
  });
});

describe('startTemporaryPostgres', () => {
  it('keeps acknowledged commits after a crash and a restart at the same URL', async () => {
    const postgres = await startTemporaryPostgres({ synchronous_commit: 'on' });
    try {
      await query(postgres.url, 'CREATE TABLE kept AS SELECT 1 AS n');
      await postgres.crash();
      await assert.rejects(query(postgres.url, 'SELECT n FROM kept'));
      await postgres.restart();
      assert.deepEqual(await query(postgres.url, 'SELECT n FROM kept'), [{ n: 1 }]);
    } finally {
      await postgres.stop();
    }
  });
});
