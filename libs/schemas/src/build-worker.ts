import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** For tests, which run from source: builds the worker as the app's bundler does, into a folder that `remove` deletes. */
export async function buildSchemaWorker(): Promise<{ workerUrl: URL; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'schema-worker-'));
  const outfile = join(folder, 'schema.worker.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./schema.worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'error',
  });
  return { workerUrl: pathToFileURL(outfile), remove: () => rm(folder, { recursive: true, force: true }) };
}
