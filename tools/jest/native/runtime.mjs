// @ts-check
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { importSources, shareQueryCompiler } from './modules.mjs';

importSources();
shareQueryCompiler();

const require = createRequire(import.meta.url);

/** Property of the global object in which jest-circus stores the event handlers of the current file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Runs test files as ordinary modules of the worker's process, so that a worker compiles and evaluates each imported module once. Jest's own runtime
 * would do this again for each file, which costs more than most tests. Therefore the test files of a worker share the state of modules, and
 * modules cannot be mocked.
 */
class NativeRuntime extends Runtime {
  /** @override */
  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** @override @param {string} path */
  async unstable_importModule(path) {
    Object.assign(globalThis, { jest: this.requireModuleOrMock(path, '@jest/globals').jest });
    return import(pathToFileURL(path).href);
  }

  /**
   * Loads jest-circus again for each file, because its state belongs to one file.
   *
   * @override @param {string} path
   */
  requireInternalModule(path) {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
    return require(path);
  }

  /** Does nothing: tests use the real `process`, whose `getBuiltinModule` must not be replaced. @override */
  installGetBuiltinModule() {
    return undefined;
  }
}

// Jest requires this file.
export { NativeRuntime as 'module.exports' };
