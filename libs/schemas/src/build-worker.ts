import { rename } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The built worker. The file is never deleted, because every process writes the same content. */
const FILE = fileURLToPath(new URL('../../../.nx/test-programs/schema.worker.mjs', import.meta.url));

let built: Promise<URL> | undefined;

/** Builds the worker with the app's bundler, once per process. Tests need this, because they run from source. */
export function buildSchemaWorker(): Promise<URL> {
  return (built ??= buildTo(FILE));
}

async function buildTo(file: string): Promise<URL> {
  const own = `${file}.${process.pid}`;
  await build({
    entryPoints: [fileURLToPath(new URL('./schema.worker.ts', import.meta.url))],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'error',
  });
  // The result is written to another file and renamed, because another process may read the worker meanwhile.
  await rename(own, file);
  return pathToFileURL(file);
}
