import { rename } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Stays there: every process writes the same. */
const FILE = fileURLToPath(new URL('../../../.nx/test-programs/schema.worker.mjs', import.meta.url));

let built: Promise<URL> | undefined;

/** For tests, which run from source: the worker as the app's bundler builds it, once for this process. */
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
  // Another process may be reading it.
  await rename(own, file);
  return pathToFileURL(file);
}
