// @ts-check
import { flushCompileCache } from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** A folder for the statements that the tests send (tools/statements). */
const { RECORD_STATEMENTS } = process.env;
const record = RECORD_STATEMENTS && (await import('../record-statements.mjs')).recordStatements(RECORD_STATEMENTS);

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

  /** @param {import('@jest/environment').JestEnvironmentConfig} config @param {import('@jest/environment').EnvironmentContext} context */
  constructor({ projectConfig }, { testPath }) {
    if (record) record(testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    return undefined;
  }

  /** Restores the globals that Jest replaced. */
  async teardown() {
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
