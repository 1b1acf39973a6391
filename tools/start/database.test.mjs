// @ts-check
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runningPostmaster } from '../postgres/postmaster.mjs';
import { existingDataFolder } from '../postgres/data-folder.mjs';
import { removeDatabase, startDatabase } from './database.mjs';

describe('startDatabase', () => {
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millwright-database-'));
    chmodSync(folder, 0o711);
  });
  afterEach(async () => {
    await removeDatabase(folder);
    rmSync(folder, { recursive: true });
  });

  it('starts a killed server again at the same address with its data, but not a server that was stopped', async () => {
    /** @type {string[]} */
    const lines = [];
    const database = await startDatabase(folder, (line) => void lines.push(line));
    const query = async (/** @type {string} */ sql) => {
      const client = new pg.Client({ connectionString: database.url });
      client.on('error', () => undefined);
      await client.connect();
      return client.query(sql).finally(() => client.end());
    };
    await query('CREATE TABLE kept AS SELECT 1 AS n');
    const running = () => runningPostmaster(existingDataFolder(join(folder, 'postgres')));
    process.kill(running()?.pid ?? 0, 'SIGKILL');
    for (const end = Date.now() + 60_000; lines.length < 2 && Date.now() < end;) await sleep(20);
    assert.deepEqual((await query('SELECT n FROM kept')).rows, [{ n: 1 }]);
    assert.match(lines.join('\n'), /^PostgreSQL ended; starting it again\.\nPostgreSQL is back as process \d+\.$/);
    await database.stop();
    assert.equal(running(), undefined);
  });
});
