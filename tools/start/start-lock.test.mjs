// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { takeStartLock } from './start-lock.mjs';

describe('takeStartLock', () => {
  /** @type {string} */
  let file;
  beforeEach(() => (file = join(mkdtempSync(join(tmpdir(), 'millwright-lock-')), 'start.pid')));
  afterEach(() => rmSync(join(file, '..'), { recursive: true }));

  it('takes and releases the lock', () => {
    const unlock = takeStartLock(file);
    assert.equal(readFileSync(file, 'utf8'), String(process.pid));
    unlock();
    takeStartLock(file)();
  });

  it('takes over the lock of an ended process, even when another program now has its process id', () => {
    for (const pid of ['4194305', '1', '']) {
      writeFileSync(file, pid);
      takeStartLock(file)();
    }
  });
});
