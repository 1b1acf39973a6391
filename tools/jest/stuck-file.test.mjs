// @ts-check
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import config from '../../jest.config.mjs';
import { root } from '../workspace.mjs';

const folder = mkdtempSync(join(tmpdir(), 'stuck-file-'));

/**
 * Runs Jest on the test files with two workers, and with a time limit of three seconds for each file.
 *
 * @param {Record<string, string>} files @param {string[]} [reporters]
 */
async function run(files, reporters = []) {
  const here = mkdtempSync(join(folder, 'run-'));
  const withoutServers = { ...config, globalSetup: undefined, globalTeardown: undefined };
  writeFileSync(join(here, 'jest.config.json'), JSON.stringify({ ...withoutServers, rootDir: here }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(here, `${name}.test.ts`), text);
  const jest = ['--no-warnings', join(root, 'node_modules/jest/bin/jest.js'), '--config', 'jest.config.json'];
  const env = { ...process.env, MINUTES_OF_A_TEST_FILE: '0.05', RECORD_STATEMENTS: '' };
  /** @type {{ code: unknown, output: string }} */
  const result = await new Promise((resolve) =>
    execFile(process.execPath, [...jest, '--maxWorkers', '2', ...reporters], { cwd: here, env }, (error, _, output) =>
      resolve({ code: error?.code, output }),
    ),
  );
  return result;
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a test file that never ends', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));
  const passes = `it('passes', () => undefined);`;

  it('is reported as failed, with the name of the test that waits; the other files run', async () => {
    const waits = `it('waits', () => new Promise(() => setInterval(() => undefined, 1_000)));`;
    const { code, output } = await run({ waits, first: passes, second: passes });
    assert.equal(code, 1);
    assert.match(
      output,
      /waits\.test\.ts has run for 0\.05 minutes and is ended\. Test: "waits"\. Open: .*\d+ Timeout/,
    );
    assert.match(output, /Test Suites: 1 failed, 2 passed, 3 total/);
  });

  it('is ended together with the processes that it has started', async () => {
    const pidFile = join(folder, 'pid');
    const starts = `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      it('starts a process', () => {
        writeFileSync(${JSON.stringify(pidFile)}, String(spawn('sleep', ['600']).pid));
        return new Promise(() => setInterval(() => undefined, 1_000));
      });`;
    await run({ starts, other: passes });
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const deadline = Date.now() + 30_000;
    while (isRunning(pid) && Date.now() < deadline) await sleep(50);
    assert.equal(isRunning(pid), false);
  });

  it('makes the run end and report the name of the file when the file blocks the event loop', async () => {
    const blocks = `it('blocks', () => { for (;;); });`;
    const reporters = ['--reporters', 'default', '--reporters', join(root, 'tools/jest/stuck-file-reporter.mjs')];
    const { code, output } = await run({ blocks, other: passes }, reporters);
    assert.equal(code, 1);
    assert.match(output, /so the run ends\. Files without a result: .*blocks\.test\.ts/);
  });
});
