#!/usr/bin/env node
// @ts-check
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { probeDatabase } from './schema-engine/database-probe.mjs';
import { createEngine } from './schema-engine/engine.mjs';

/**
 * Replaces Prisma's native schema engine, which Prisma would download: the same engine as WebAssembly, with the native one's command line
 * and its JSON-RPC over standard input and output. The engine serves only to write migrations in development.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    version: { type: 'boolean' },
  },
});

/** @param {object} message */
const send = (message) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Reports a fatal failure as the native engine does. @param {Record<string, unknown>} fields @param {number} exitCode @returns {never} */
function abort(fields, exitCode) {
  process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}\n`);
  process.exit(exitCode);
}

process.on('uncaughtException', (error) => abort({ message: error.message, backtrace: error.stack }, 101));

const url = values.datasource ? JSON.parse(String(values.datasource)).url : undefined;

if (values.version) {
  console.log('schema-engine-cli (WebAssembly)');
} else if (positionals[0] === 'cli') {
  const failure = await probeDatabase(url, positionals[1] === 'create-database');
  if (failure) abort(failure, 1);
} else {
  const files = /** @type {string[]} */ (values.datamodels ?? []);
  await serve(await createEngine({ url, datamodels: files.map((file) => [file, readFileSync(file, 'utf8')]) }));
}

/** Answers requests one after the other until the input ends. @param {Awaited<ReturnType<typeof createEngine>>} engine */
async function serve(engine) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (!method) continue; // the host acknowledges the engine's print requests
    try {
      const result = await engine.call(method, params);
      if (method === 'diff' && result?.stdout) send({ id: 0, method: 'print', params: { content: result.stdout } });
      send({ id, result: result ?? {} });
    } catch (error) {
      const { message, code } = /** @type {{ message?: string, code?: string }} */ (error);
      send({
        id,
        error: {
          code: 4466,
          message: 'See data.',
          data: { is_panic: false, message: message ?? String(error), error_code: code },
        },
      });
    }
  }
  process.exit(0);
}
