// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLogFile } from './log-file.mjs';

describe('openLogFile', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;
  /** @type {string[]} */
  let reports;
  /** @param {string} line */
  const report = (line) => void reports.push(line);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millwright-log-'));
    file = join(folder, 'logs', 'service.log');
    reports = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps the log of the previous start, and makes logs readable by their owner only', async () => {
    for (const line of ['first start', 'second start']) {
      const log = openLogFile(file, report);
      log.write(line);
      await log.end();
    }
    assert.equal(readFileSync(file, 'utf8'), 'second start\n');
    assert.equal(readFileSync(file.replace('.log', '.previous.log'), 'utf8'), 'first start\n');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('continues in a new file at its limit, and keeps one earlier file', async () => {
    const log = openLogFile(file, report, { maxBytes: 1_000 });
    for (let n = 0; n < 500; n += 1) log.write(`line ${n}`);
    await log.end();
    const texts = ['.previous.log', '.log'].map((end) => readFileSync(file.replace('.log', end), 'utf8'));
    assert.match(texts.join(''), /line 498\nline 499\n$/);
    for (const text of texts) assert.ok(text.length <= 1_020, `${text.length} characters`);
    assert.deepEqual(reports, []);
  });

  it('drops lines while it cannot write, reports the failure once, and continues afterwards', async () => {
    writeFileSync(join(folder, 'logs'), 'a file in the place of the folder');
    const log = openLogFile(file, report, { reopenMs: 0 });
    log.write('lost');
    log.write('lost too');
    await sleep(10);
    rmSync(join(folder, 'logs'));
    log.write('kept');
    await log.end();
    assert.equal(readFileSync(file, 'utf8'), 'kept\n');
    assert.equal(reports.length, 1);
    assert.match(reports[0] ?? '', /service\.log cannot be written/);
  });

  it('throws no error when the disk is full', async () => {
    const log = openLogFile('/dev/full', report, { reopenMs: 60_000 });
    log.write('lost');
    for (const end = Date.now() + 60_000; reports.length === 0 && Date.now() < end;) await sleep(5);
    log.write('lost too');
    await log.end();
    assert.match(reports.join('\n'), /^\/dev\/full cannot be written \(ENOSPC[^\n]*$/);
  });
});
