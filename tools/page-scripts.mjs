// @ts-check
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles each entry of an app's src/browser for the pages that it serves: `page.ts` is what the entries share.
 *
 * @param {string} appFolder
 * @param {string} outdir
 */
export async function buildPageScripts(appFolder, outdir) {
  const entryPoints = globSync(join(appFolder, 'src/browser/*.ts')).filter((path) => basename(path) !== 'page.ts');
  if (entryPoints.length === 0) return;
  await build({
    entryPoints,
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
}
