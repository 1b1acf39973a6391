// @ts-check
import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { root } from '../../workspace.mjs';
import { trackStartedProcesses } from '../started-processes.mjs';

/** Folder in which the SQL statements of the tests are recorded for tools/statements; undefined for no recording. */
const { RECORD_STATEMENTS } = process.env;
const record = RECORD_STATEMENTS && (await import('../record-statements.mjs')).recordStatements(RECORD_STATEMENTS);

/** Time limit of a test file in minutes. */
const minutesOfFile = Number(process.env['MINUTES_OF_A_TEST_FILE'] ?? Infinity);

/** The processes that the test files of this worker have started. */
const started = trackStartedProcesses();

/**
 * Runs test files directly in the worker's process, without a separate environment. A later file of the worker has the changes that an earlier file
 * made to the global object or to environment variables, unless the earlier file has undone them.
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
   * Kills the worker of a test file that never ends, and the processes that it has started. Jest then reports the file as failed, and runs the
   * other files.
   *
   * @param {string} testPath
   */
  #endStuckFile(testPath) {
    const open = Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (name) => name));
    const counts = open.map(([name, all]) => `${all?.length} ${name}`).join(', ');
    const file = relative(root, testPath);
    const text = `${file} has run for ${minutesOfFile} minutes and is ended. Test: ${this.#test}. Open: ${counts}\n`;
    process.stderr.write(text, () => {
      for (const child of started) child.kill('SIGKILL');
      process.kill(process.pid, 'SIGKILL');
    });
  }

  /** Restores the globals that Jest replaced. */
  async teardown() {
    clearTimeout(this.#timer);
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    // The cache of compiled code is written now, because Jest may kill the worker at the end, before Node would write it.
    flushCompileCache();
  }

  /** Returns null, because test files do not run in a separate V8 context. */
  getVmContext() {
    return null;
  }
}

// The form that Jest imports.
export { NativeEnvironment as default };
