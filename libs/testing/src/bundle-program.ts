import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The text of a program, and the folder to which its imports are relative. */
export interface ProgramText {
  text: string;
  folder: string;
}

/**
 * Bundles a TypeScript program of this workspace into one file, in the same way as apps are bundled. Tests start the
 * file as a separate process.
 *
 * @param entry URL of its file, or its text
 * @param outfile path that ends in `.mjs`
 */
export async function bundleProgram(entry: URL | ProgramText, outfile: string): Promise<void> {
  const source =
    entry instanceof URL
      ? { entryPoints: [fileURLToPath(entry)] }
      : { stdin: { contents: entry.text, resolveDir: entry.folder, loader: 'ts' as const } };
  await build({
    ...source,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['pg-native', 'esbuild'],
    // This alias must be the same as in tools/build-app.mjs.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // Defines `require`, which packages in CommonJS call and an ES module does not have.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
}
