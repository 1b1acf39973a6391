// @ts-check
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import config from '../../jest.config.mjs';
import { root } from '../workspace.mjs';

const folder = mkdtempSync(join(tmpdir(), 'stuck-file-'));

/**
 * Runs the files at once, with a limit of three seconds each.
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

describe('a test file that never ends', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));
  const passes = `it('passes', () => undefined);`;

  it('is reported as failed with the test that waits, and the other files run', async () => {
    const waits = `it('waits', () => new Promise(() => setInterval(() => undefined, 1_000)));`;
    const { code, output } = await run({ waits, first: passes, second: passes });
    assert.equal(code, 1);
    assert.match(
      output,
      /waits\.test\.ts has run for 0\.05 minutes and is ended\. Test: "waits"\. Open: .*\d+ Timeout/,
    );
    assert.match(output, /Test Suites: 1 failed, 2 passed, 3 total/);
  });

  it('ends the run with the name of the file when it blocks the event loop', async () => {
    const blocks = `it('blocks', () => { for (;;); });`;
    const reporters = ['--reporters', 'default', '--reporters', join(root, 'tools/jest/stuck-file-reporter.mjs')];
    const { code, output } = await run({ blocks, other: passes }, reporters);
    assert.equal(code, 1);
    assert.match(output, /so the run ends\. Files without a result: .*blocks\.test\.ts/);
  });
});
