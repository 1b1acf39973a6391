import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * The worker that `buildExtractWorker` builds. The file is never deleted, because every process writes the same
 * content.
 */
export const EXTRACT_WORKER = new URL('../../../.nx/test-programs/extract.worker.mjs', import.meta.url);

let built: Promise<URL> | undefined;

/** Builds the worker with the app's bundler, once per process. Tests need this, because they run from source. */
export function buildExtractWorker(): Promise<URL> {
  return (built ??= buildTo(fileURLToPath(EXTRACT_WORKER)));
}

async function buildTo(file: string): Promise<URL> {
  const { build } = await import('esbuild');
  const own = `${file}.${process.pid}`;
  await build({
    entryPoints: [fileURLToPath(new URL('./extract.worker.ts', import.meta.url))],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  });
  // Writes another file and renames it, because another process may read the worker meanwhile.
  await rename(own, file);
  return EXTRACT_WORKER;
}
