// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import { createMigrationAdapter } from './adapter.mjs';

/** The type libraries lack `WebAssembly`. @type {any} */
const { WebAssembly } = globalThis;

/** Loads the engine in Node. The package has a loader for bundlers only. */
function loadEngine() {
  const folder = dirname(fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm')));
  const module = new WebAssembly.Module(readFileSync(join(folder, 'schema_engine_bg.wasm')));
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
}

/** Receives the engine's message of a panic. */
const panics = {
  message: '',
  get() {
    return this.message;
  },
  /** @param {string} message */
  set_message(message) {
    this.message = message;
  },
};

/**
 * Prisma's schema engine on one database.
 *
 * @param {{ url: string | undefined, datamodels: [path: string, content: string][] }} options
 */
export async function createEngine({ url, datamodels }) {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });
  loadEngine();
  const adapter = bindMigrationAwareSqlAdapterFactory(createMigrationAdapter(url));
  const options = { datamodels: datamodels.length > 0 ? datamodels : undefined };
  const created = await glue.SchemaEngine.new(options, () => {}, adapter);
  /** The engine's methods have the names of the protocol's methods. @type {any} */
  const engine = created;

  return {
    /** @param {string} method one of the native engine's @param {any} params */
    async call(method, params) {
      if (method === 'getDatabaseVersion') return engine.version(params);
      if (typeof engine[method] !== 'function') throw new Error(`Unknown method ${method}`);
      if (method === 'evaluateDataLoss' || method === 'createMigration') {
        // The engine must connect before it can find its shadow database.
        const { migrationsList, filters } = params;
        await engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true });
      }
      try {
        return await engine[method](params);
      } catch (error) {
        throw panics.message ? new Error(panics.message, { cause: error }) : error;
      }
    },
  };
}
