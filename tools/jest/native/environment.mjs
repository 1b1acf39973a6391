// @ts-check
import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { root } from '../../workspace.mjs';

/** A folder for the statements that the tests send (tools/statements). */
const { RECORD_STATEMENTS } = process.env;
const record = RECORD_STATEMENTS && (await import('../record-statements.mjs')).recordStatements(RECORD_STATEMENTS);

/** How long a file may take, if that is limited. */
const minutesOfFile = Number(process.env['MINUTES_OF_A_TEST_FILE'] ?? Infinity);

/**
 * The worker's process as the environment of a test file. What a file sets on the global object or in the environment variables stays
 * there, unless the file takes it back.
 */
class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** Those of an older kind, which no test uses. */
  fakeTimers = null;
  #console = globalThis.console;
  #exit = process.exit;
  /** The test that runs now. */
  #test = 'none';
  #timer;

  /** @param {import('@jest/environment').JestEnvironmentConfig} config @param {import('@jest/environment').EnvironmentContext} context */
  constructor({ projectConfig }, { testPath }) {
    if (record) record(testPath);
    if (minutesOfFile < Infinity) this.#timer = setTimeout(() => this.#endStuckFile(testPath), minutesOfFile * 60_000);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    return undefined;
  }

  /** @param {{ name: string, test?: { name: string } }} event of jest-circus */
  handleTestEvent({ name, test }) {
    if (name === 'test_start') this.#test = `"${test?.name}"`;
    if (name === 'test_done') this.#test = `none, after "${test?.name}"`;
  }

  /** Jest reports the file of a killed worker as failed, and runs the others. @param {string} testPath */
  #endStuckFile(testPath) {
    const open = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (name) => name));
    const counts = open.map(([name, all]) => `${all?.length} ${name}`).join(', ');
    const file = relative(root, testPath);
    const text = `${file} has run for ${minutesOfFile} minutes and is ended. Test: ${this.#test}. Open: ${counts}\n`;
    process.stderr.write(text, () => process.kill(process.pid, 'SIGKILL'));
  }

  /** Restores the globals that Jest replaced. */
  async teardown() {
    clearTimeout(this.#timer);
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    // At once: Jest may kill the worker at the end.
    flushCompileCache();
  }

  /** The scripts of a file run in no context of their own. */
  getVmContext() {
    return null;
  }
}

// The form that Jest imports.
export { NativeEnvironment as default };
