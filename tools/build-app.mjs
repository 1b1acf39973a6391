// @ts-check
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './workspace.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The schema that this build needs: its service is not ready on an older one. */
const newestMigration = readdirSync(join(root, 'prisma/migrations'))
  .filter((name) => /^\d/.test(name))
  .sort()
  .at(-1);

/**
 * Run in an app's folder: dist/main.js, dist/<name>.worker.js for each src/…/<name>.worker.ts, and beside them the files that they
 * share or load later. A process reads only the files that it needs.
 */
const workers = globSync('src/**/*.worker.ts').map((path) => ({ in: path, out: basename(path, '.ts') }));

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: [{ in: 'src/main.ts', out: 'main' }, ...workers],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: ['pg-native'],
  define: { __MILLWRIGHT_VERSION__: JSON.stringify(version), __MILLWRIGHT_SCHEMA__: JSON.stringify(newestMigration) },
  // CommonJS packages inside an ES module call require.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  logLevel: 'warning',
});
writeFileSync('dist/package.json', '{"type":"module"}\n');
