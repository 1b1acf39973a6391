// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { waitForLock } from './wait-for-lock.mjs';

describe('waitForLock', () => {
  /** @type {string} */
  let file;
  beforeEach(() => (file = join(mkdtempSync(join(tmpdir(), 'millwright-lock-')), 'install.pid')));
  afterEach(() => rmSync(join(file, '..'), { recursive: true }));

  it('takes and releases the lock, and takes over the lock of an ended process, even when another program now has its process id', async () => {
    for (const pid of ['', '1', '4194305']) {
      writeFileSync(file, pid);
      const unlock = await waitForLock(file);
      assert.equal(readFileSync(file, 'utf8'), String(process.pid));
      unlock();
    }
  });

  it('waits for the command that holds the lock', async () => {
    const script = `
      const { waitForLock } = await import(${JSON.stringify(new URL('./wait-for-lock.mjs', import.meta.url).href)});
      const unlock = await waitForLock(process.argv[1]);
      console.log('taken');
      process.stdin.once('data', () => { unlock(); process.exit(); });`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
    await once(holder.stdout, 'data');
    let isTaken = false;
    const taking = waitForLock(file).then((unlock) => {
      isTaken = true;
      return unlock;
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(isTaken, false);
    holder.stdin.end('release');
    (await taking)();
    assert.equal(isTaken, true);
  });
});
