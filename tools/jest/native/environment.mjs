// @ts-check
import { subscribe } from 'node:diagnostics_channel';
import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { root } from '../../workspace.mjs';

/** The folder in which the tests' statements are recorded (tools/statements). */
const { RECORD_STATEMENTS } = process.env;
const record = RECORD_STATEMENTS && (await import('../record-statements.mjs')).recordStatements(RECORD_STATEMENTS);

/** Time limit of a test file in minutes. */
const minutesOfFile = Number(process.env['MINUTES_OF_A_TEST_FILE'] ?? Infinity);

/** The running processes that the test files of this worker have started. @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
subscribe('child_process', (message) => {
  const { process: child } = /** @type {{ process: import('node:child_process').ChildProcess }} */ (message);
  children.add(child);
  child.once('exit', () => children.delete(child));
});

/**
 * The worker's process as the environment of a test file. What a file sets on the global object or in environment variables stays for later
 * files, unless the file undoes it.
 */
class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** Jest's legacy fake timers, which no test uses. */
  fakeTimers = null;
  #console = globalThis.console;
  #exit = process.exit;
  /** Name of the current test. */
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

  /**
   * Ends the worker and the processes that it has started. Jest reports the file of a killed worker as failed, and runs the others.
   *
   * @param {string} testPath
   */
  #endStuckFile(testPath) {
    const open = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (name) => name));
    const counts = open.map(([name, all]) => `${all?.length} ${name}`).join(', ');
    const file = relative(root, testPath);
    const text = `${file} has run for ${minutesOfFile} minutes and is ended. Test: ${this.#test}. Open: ${counts}\n`;
    process.stderr.write(text, () => {
      for (const child of children) child.kill('SIGKILL');
      process.kill(process.pid, 'SIGKILL');
    });
  }

  /** Restores the globals that Jest replaced. */
  async teardown() {
    clearTimeout(this.#timer);
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    // Writes the cache now, because Jest may kill the worker at the end.
    flushCompileCache();
  }

  /** A test file's scripts have no separate V8 context. */
  getVmContext() {
    return null;
  }
}

// The form that Jest imports.
export { NativeEnvironment as default };
